import assert from 'node:assert/strict'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { assertStatus } from '../../support/expect.ts'
import { machineOf, Machine } from '../../support/terminal.ts'
import type { TestApp } from '../../support/app.ts'
import { fromElsewhere, signIn } from '../../web/support.ts'

/** A machine on which commands have the settings of the server. */
function machineWith(app: TestApp, settings: Readonly<Record<string, string>>): Machine {
  const machine = machineOf(app)
  const variables = Object.entries(settings).map(([key, value]) => [
    `CODESTEAD_MAIL_${key.toUpperCase()}`,
    value,
  ])
  return Object.assign(Object.create(Machine.prototype) as Machine, machine, {
    environment: { ...machine.environment, ...Object.fromEntries(variables) },
  })
}

suite('npm run admin -- mail test', () => {
  test('sends a mail and says so', async (t) => {
    const mail = await startMailServer(t)
    const app = await startApp(t)

    const ran = await machineWith(app, mail.settings).admin([
      'mail',
      'test',
      '--to',
      'a@example.org',
    ])

    assert.deepEqual(
      [ran.status, ran.notes],
      [0, 'The mail server has taken a mail to a@example.org.'],
    )
    const [received] = mail.take()
    assert.deepEqual([received?.from, received?.to], ['code@example.org', ['a@example.org']])
    assert.equal(received?.headers['from'], 'Codestead <code@example.org>')
    assert.equal(received?.headers['auto-submitted'], 'auto-generated')
    assert.match(received?.text ?? '', /^Mail from http:\/\/127\.0\.0\.1:3000 arrives\./)
  })

  test('listens to no mail server without end', async (t) => {
    const talk = async (line: string, pauseMs: number) => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined)
        socket.write('220 here\r\n')
        socket.once('data', () => {
          const timer = setInterval(() => socket.write(line), pauseMs)
          socket.once('close', () => clearInterval(timer))
        })
      })
      server.listen(0, '127.0.0.1')
      t.after(() => server.close())
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      const url = `smtp://127.0.0.1:${port}`
      const settings = { url, tls: 'none', from: 'code@example.org', timeout: '1s' }
      return machineWith(app, settings).admin(['mail', 'test', '--to', 'a@example.org'])
    }
    const app = await startApp(t)

    const long = await talk('250-'.padEnd(10_000, 'x'), 1)
    const slow = await talk('250-more\r\n', 100)

    assert.equal(long.status, 1)
    assert.equal(slow.status, 1)
    assert.match(slow.notes, /did not come to an end/)
  })

  test('says why a mail was not sent', async (t) => {
    const mail = await startMailServer(t)
    const silent = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    t.after(() => silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const app = await startApp(t)
    const send = async (settings: Record<string, string>, to = 'a@example.org') => {
      const ran = await machineWith(app, settings).admin(['mail', 'test', '--to', to])
      assert.equal(ran.status, 1)
      return ran.notes
    }

    assert.match(await send({}), /mail\.url is not set/)
    assert.match(await send(mail.settings, 'a@b, c@d'), /a@b, c@d is no e-mail address/)
    assert.match(
      await send({ ...mail.settings, url: `smtp://127.0.0.1:${port}` }),
      /not sent: E\w+: .*connection/i,
    )
    mail.refusal = { code: 550, at: 'recipient' }
    assert.match(await send(mail.settings), /550/)
    const missing = await machineWith(app, mail.settings).admin(['mail', 'test'])
    assert.deepEqual([missing.status, mail.take()], [2, []])
  })

  test('gives nothing to a server that is not who it says, or offers no encryption', async (t) => {
    const plain = await startMailServer(t)
    const selfSigned = await startMailServer(t, { disabledCommands: [] })
    const wrapped = await startMailServer(t, { secure: true })
    const app = await startApp(t)
    const urls: [string, RegExp][] = [
      [`smtp://ann:secret@127.0.0.1:${plain.port}`, /STARTTLS/],
      [`smtp://ann:secret@127.0.0.1:${selfSigned.port}`, /certificate|self-signed|CERT/i],
      [`smtps://ann:secret@127.0.0.1:${wrapped.port}`, /certificate|self-signed|CERT/i],
    ]

    for (const [url, why] of urls) {
      const ran = await machineWith(app, { url }).admin(['mail', 'test', '--to', 'a@example.org'])
      assert.equal(ran.status, 1)
      assert.match(ran.notes, why)
      assert.doesNotMatch(ran.notes, /secret/)
    }
    assert.deepEqual(
      [plain, selfSigned, wrapped].flatMap((server) => server.take()),
      [],
    )
  })

  test('signs in at the server with what the address says, decoded', async (t) => {
    const seen: string[] = []
    const mail = await startMailServer(t, {
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, callback) => {
        seen.push(`${username} ${password}`)
        callback(null, { user: username })
      },
    })
    const app = await startApp(t)
    const url = `smtp://ann%40example.org:p%40ss%2Fword@127.0.0.1:${mail.port}`

    const ran = await machineWith(app, { ...mail.settings, url }).admin([
      'mail',
      'test',
      '--to',
      'a@example.org',
    ])

    assert.equal(ran.status, 0, ran.notes)
    assert.deepEqual([seen, mail.take().length], [['ann@example.org p@ss/word'], 1])
  })
})

suite('POST /-/admin/mail/test', () => {
  test('mails the administrator who asks, and says what came of it', async (t) => {
    const mail = await startMailServer(t)
    const app = await startApp(t, { mail: mail.settings })
    await app.addAdmin()
    await app.addPerson('ann')
    const root = await signIn(app, 'root')

    assert.match((await root.get('/-/admin')).text, /Send a test mail/)
    const sent = await root.post('/-/admin/mail/test')
    assertStatus(sent, 303)
    assert.match((await root.get('/-/admin?mailed=yes')).text, /has taken the mail/)
    assert.deepEqual(
      mail.take().map(({ to }) => to),
      [['root@example.org']],
    )

    mail.refusal = { code: 451, at: 'message' }
    const refused = await root.post('/-/admin/mail/test')
    assertStatus(refused, 422)
    assert.match(refused.text, /The mail was not sent: .*451/)
    assertStatus(await root.post('/-/admin/mail/test', {}, fromElsewhere), 403)
    assertStatus(await (await signIn(app, 'ann')).post('/-/admin/mail/test'), 404)
  })

  test('is not offered where no mail is set up', async (t) => {
    const app = await startApp(t)
    await app.addAdmin()
    const root = await signIn(app, 'root')

    assert.match((await root.get('/-/admin')).text, /No mail is sent/)
    const refused = await root.post('/-/admin/mail/test')
    assertStatus(refused, 422)
    assert.match(refused.text, /Mail\.url is not set/)
  })
})
