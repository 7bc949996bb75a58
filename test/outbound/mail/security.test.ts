import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { basic, PASSWORD, startApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { startMailServer } from '../../support/mail-server.ts'
import { gpgKey } from '../../identity/keys/gpg-support.ts'
import { ed25519Key } from '../../identity/keys/support.ts'
import { enrol, factors } from '../../web/security-keys.ts'
import { signIn, Visitor } from '../../web/support.ts'

async function start(t: TestContext, changes: ConfigChanges = {}) {
  const mail = await startMailServer(t)
  const app = await startApp(t, { ...changes, mail: mail.settings })
  const ann = await app.addCaller('ann')
  /** What has been mailed since, without the common beginning. */
  const news = async () => {
    await app.ctx.jobs.runDue()
    return mail.take().map(({ to, headers }) => {
      const subject = headers['subject'] ?? ''
      assert.match(subject, /^Security of your account: /)
      return `${to.join()} ${subject.slice('Security of your account: '.length)}`
    })
  }
  return { mail, app, ann, news }
}

const agent = { 'user-agent': 'stolen-token/1.0\tx' }

suite('what decides who gets into an account', () => {
  test('is told to its primary address, with time, address, client and how to undo it', async (t) => {
    const { mail, app, ann } = await start(t)
    const token = await app.withToken(ann.account, ['write:user'])

    const added = await app.post(token, '/user/emails', { emails: ['eve@example.org'] }, agent)

    assertStatus(added, 201)
    await app.ctx.jobs.runDue()
    const [received, ...more] = mail.take()
    assert.deepEqual(more, [])
    assert.deepEqual(received?.to, ['ann@example.org'])
    const lines = (received?.text ?? '').split('\n')
    assert.equal(
      lines[0],
      'Of the account ann at http://codestead.test, an e-mail address was added: eve@example.org',
    )
    assert.match(lines[2] ?? '', /^Time: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.deepEqual(lines.slice(3, 7), [
      'Done by: ann',
      'With: an access token',
      'Address: 127.0.0.1',
      'Client: stolen-token/1.0 x',
    ])
    assert.match(
      received?.text ?? '',
      /^- Remove the address: http:\/\/codestead\.test\/user\/settings\/emails$/m,
    )
    assert.match(received?.text ?? '', /^- Set a new password, .*\/user\/forgot_password$/m)
  })

  test('is told whichever it is: addresses, keys and tokens, by the API', async (t) => {
    const { app, ann, news } = await start(t)
    const { armored } = await gpgKey(['ann@example.org'])
    const withPassword = { authorization: basic('ann', PASSWORD) }
    const more = { emails: ['ann@example.net'] }

    await app.post(ann, '/user/emails', more)
    await app.delete(ann, '/user/emails', more)
    const ssh = await app.post(ann, '/user/keys', { title: 'Work', key: ed25519Key() })
    await app.delete(ann, `/user/keys/${ssh.body.id}`)
    const gpg = await app.post(ann, '/user/gpg_keys', { armored_public_key: armored })
    await app.delete(ann, `/user/gpg_keys/${gpg.body.id}`)
    const token = { name: 'ci', scopes: ['read:user'] }
    const made = await app.post(undefined, '/users/ann/tokens', token, withPassword)
    await app.delete(undefined, '/token', undefined, { authorization: `token ${made.body.sha1}` })
    await app.post(undefined, '/users/ann/tokens', token, withPassword)
    await app.delete(undefined, '/users/ann/tokens/ci', undefined, withPassword)

    assert.deepEqual(
      (await news()).toSorted(),
      [
        'an e-mail address was added',
        'an e-mail address was removed',
        'an SSH key was added',
        'an SSH key was removed',
        'a GPG key was added',
        'a GPG key was removed',
        'an access token was made',
        'an access token was removed',
        'an access token was made',
        'an access token was removed',
      ]
        .map((what) => `ann@example.org ${what}`)
        .toSorted(),
    )
  })

  test('is told of passwords and second factors, by pages', async (t) => {
    const { app, news } = await start(t)
    const byAnn = await signIn(app, 'ann')

    const { codes } = await enrol(byAnn)
    assert.deepEqual(await news(), ['ann@example.org a security key was added'])
    const factor = { password: PASSWORD, one_time_code: codes[0] ?? '' }
    await byAnn.post(`${factors}/change`, { ...factor, wish: 'codes' })
    assert.deepEqual(await news(), ['ann@example.org new recovery codes were made'])
    await app.addPerson('bob')
    const passwords = { user_name: 'bob', old_password: PASSWORD }
    const change = { ...passwords, password: 'another 1', retype: 'another 1' }
    assertStatus(await new Visitor(app).post('/user/change_password', change), 200)
    assert.deepEqual(await news(), ['bob@example.org the password was changed'])
  })

  test('is told of what administrators do, and to the address that is replaced', async (t) => {
    const { mail, app, ann, news } = await start(t)
    const root = await app.addAdmin()
    const byRoot = await signIn(app, 'root')
    const { body } = await app.post(ann, '/user/keys', { title: 'Work', key: ed25519Key() })
    await enrol(await signIn(app, 'ann'))
    await news()

    await app.delete(root, `/admin/users/ann/keys/${body.id}`)
    await app.patch(root, '/admin/users/ann', { password: 'by root 11' })
    await byRoot.post('/-/admin/users/ann/two-factor/delete')
    assert.deepEqual((await news()).toSorted(), [
      'ann@example.org an SSH key was removed',
      'ann@example.org the password was changed',
      'ann@example.org two-factor authentication was switched off',
    ])
    await app.patch(root, '/admin/users/ann', { email: 'eve@example.org', full_name: 'Ann' })
    await app.ctx.jobs.runDue()
    const [replaced, ...more] = mail.take()
    assert.deepEqual([replaced?.to, more], [['ann@example.org'], []])
    assert.match(replaced?.text ?? '', /was replaced: eve@example\.org\n/)
    assert.match(replaced?.text ?? '', /\nDone by: root\n/)
  })

  test('is told nowhere when it does not change, nor where an address is not confirmed', async (t) => {
    const { app, ann, news } = await start(t)
    const root = await app.addAdmin()
    await app.post(ann, '/user/emails', { emails: ['ann@example.net', 'no address'] })
    await app.post(ann, '/user/emails', { emails: ['root@example.org'] })
    await app.delete(ann, '/user/emails', { emails: [] })
    await app.patch(root, '/admin/users/ann', { email: 'ANN@example.org', full_name: 'Ann' })
    assert.deepEqual(await news(), [])

    await app.ctx.db.updateTable('email_address').set({ is_activated: 0 }).execute()
    await app.post(ann, '/user/keys', { title: 'Work', key: ed25519Key() })
    assert.deepEqual(await news(), [])
  })

  test('floods nobody: the last mail of an hour says that there may be more', async (t) => {
    const { mail, app, ann, news } = await start(t)
    for (let count = 0; count < 13; count++) {
      const { body } = await app.post(ann, '/user/keys', { title: 'Work', key: ed25519Key() })
      await app.delete(ann, `/user/keys/${body.id}`)
    }

    await app.ctx.jobs.runDue()

    const texts = mail.take().map(({ text }) => text)
    assert.equal(texts.length, 20)
    assert.equal(texts.filter((text) => /You are not mailed about more/.test(text)).length, 1)
    app.passTime(3600)
    await app.post(ann, '/user/keys', { title: 'Work', key: ed25519Key() })
    assert.deepEqual(await news(), ['ann@example.org an SSH key was added'])
  })
})
