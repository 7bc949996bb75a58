// One database is enough: npm start without settings is on SQLite.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { openDatabase } from '../../../src/platform/db/database.ts'
import { loadConfig } from '../../../src/platform/config/config.ts'
import { basic } from '../../support/app.ts'
import { testDialect } from '../../support/databases.ts'
import { sendHalf, untilRefused } from '../../support/half-request.ts'
import { startServer, type Running } from '../../support/process.ts'
import { startMachine, type Machine } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'

const ann = ['--name', 'ann', '--email', 'ann@example.org', '--password', 'canary-password']

async function addressOf(server: Running): Promise<string> {
  const [, address = ''] = await server.says(/ is at (http:\/\/127\.0\.0\.1:\d+)\n/)
  return address
}

async function startWithAdmin(
  t: TestContext,
): Promise<{ machine: Machine; server: Running; url: string }> {
  const machine = await startMachine(t)
  assert.equal((await machine.admin(['user', 'create', ...ann, '--admin'])).status, 0)
  const server = startServer(t, machine.environment)
  return { machine, server, url: await addressOf(server) }
}

suite('npm start', () => {
  test('makes its folder and its tables, and prints the link to the first page', async (t) => {
    const machine = await startMachine(t)
    const data = join(machine.data, 'not', 'there', 'yet')

    const server = startServer(t, { ...machine.environment, CODESTEAD_DATA: data })
    const url = await addressOf(server)
    const [, link = ''] = await server.says(/^ {2}(http:\S+)$/m)

    assert.ok(link.startsWith(`${url}/setup?token=`))
    await server.says(/npm run admin -- user create --admin/)
    assert.equal((await fetch(link)).status, 200)
    assert.equal(statSync(join(data, 'secret.key')).mode & 0o777, 0o600)
    assert.equal(existsSync(join(data, 'codestead.db')), testDialect === 'sqlite')
    const metrics = await (await fetch(`${url}/metrics`)).text()
    assert.match(metrics, /process_cpu_seconds_total/)
  })

  test('prints no link once there is an account, and uses its real port in links', async (t) => {
    const { server, url } = await startWithAdmin(t)

    const answer = await fetch(`${url}/api/v1/users/ann`)
    server.child.kill('SIGTERM')

    const { html_url: link } = (await answer.json()) as { html_url: string }
    assert.equal(link, `${url}/ann`)
    assert.equal(await server.end(), 0)
    assert.doesNotMatch(server.notes, /setup|no account/)
  })

  test('refuses a setting that is wrong, and says what it should be', async (t) => {
    const { environment } = await startMachine(t)

    const server = startServer(t, { ...environment, CODESTEAD_SERVER_PORT: 'http' })

    assert.equal(await server.end(), 1)
    assert.equal(
      server.notes,
      'codestead: CODESTEAD_SERVER_PORT: expected a whole number from 0 to 65535, got "http"\n',
    )
  })

  test('refuses a database that a newer program has changed', async (t) => {
    const machine = await startMachine(t)
    await machine.admin(['migrate'])
    const db = await openDatabase(loadConfig(machine.environment))
    await db.insertInto('migration').values({ name: '9999-later', applied_at: 0 }).execute()
    await db.destroy()

    const server = startServer(t, machine.environment)

    assert.equal(await server.end(), 1)
    assert.match(
      server.notes,
      /^codestead: the database is newer than this program.*9999-later.*\n$/,
    )
  })

  test('says in one line that its port is taken', async (t) => {
    const { url } = await startWithAdmin(t)
    const { port } = new URL(url)
    const other = await startMachine(t)

    const second = startServer(t, { ...other.environment, CODESTEAD_SERVER_PORT: port })

    assert.equal(await second.end(), 1)
    assert.match(second.notes, /^codestead: listen EADDRINUSE.*\n$/)
  })
})

suite('SIGTERM', () => {
  test('lets a request in flight finish, takes no other, and ends well', async (t) => {
    const { server, url } = await startWithAdmin(t)
    const half = await sendHalf(url, basic('ann', 'canary-password'))

    server.child.kill('SIGTERM')
    await untilRefused(url)
    const answer = await half.finish()

    assert.equal(answer, 201)
    assert.equal(await server.end(), 0)
  })

  test('does not wait for connections on which nothing was asked', async (t) => {
    const { server, url } = await startWithAdmin(t)
    const silent = connect(Number(new URL(url).port), '127.0.0.1')
    t.after(() => silent.destroy())
    silent.on('error', () => undefined)
    await once(silent, 'connect')
    const asked = await fetch(`${url}/api/v1/version`)
    await asked.arrayBuffer()

    server.child.kill('SIGTERM')

    assert.equal(await server.end(), 0)
  })

  test('lets requests in for server.drain, while balancers are told to go elsewhere', async (t) => {
    const machine = await startMachine(t)
    assert.equal((await machine.admin(['user', 'create', ...ann, '--admin'])).status, 0)
    const settings = { ...machine.environment, CODESTEAD_SERVER_DRAIN: '1h' }
    const server = startServer(t, settings)
    const url = await addressOf(server)
    assert.equal((await fetch(`${url}/api/readyz`)).status, 200)

    server.child.kill('SIGTERM')
    await until(async () => (await fetch(`${url}/api/readyz`)).status === 503)
    const ready = await fetch(`${url}/api/readyz`)
    const asked = await fetch(`${url}/api/v1/users/ann`)

    const { checks } = (await ready.json()) as { checks: Record<string, [{ status: string }]> }
    assert.equal(checks['server:accepting']?.[0].status, 'fail')
    assert.equal((await fetch(`${url}/api/healthz`)).status, 200)
    assert.equal(asked.status, 200)
    assert.equal(asked.headers.get('connection'), 'close')
    server.child.kill('SIGTERM')
    assert.equal(await server.end(), 1)
  })

  test('ends everything when it comes twice', async (t) => {
    const { server, url } = await startWithAdmin(t)
    const half = await sendHalf(url, basic('ann', 'canary-password'))

    server.child.kill('SIGTERM')
    await untilRefused(url)
    server.child.kill('SIGTERM')

    assert.equal(await server.end(), 1)
    await assert.rejects(half.answer)
  })
})

suite('the log', () => {
  test('has a line with an id for each request, and no secret', async (t) => {
    const { server, url } = await startWithAdmin(t)
    const api = `${url}/api/v1`
    const json = { 'content-type': 'application/json' }
    const person = { username: 'bob', email: 'bob@example.org', password: 'canary-body' }
    const calls: [string, RequestInit][] = [
      [`${api}/user`, { headers: { authorization: basic('ann', 'canary-password') } }],
      [`${api}/user`, { headers: { authorization: 'token canary-token' } }],
      [`${api}/user`, { headers: { authorization: 'Bearer canary-bearer' } }],
      [`${api}/user?token=canary-query&access_token=canary-query`, {}],
      [
        `${api}/user`,
        { headers: { cookie: 'session=canary-cookie', 'x-gitea-otp': 'canary-otp' } },
      ],
      [`${api}/version?sudo=canary-sudo`, { headers: { sudo: 'canary-sudo' } }],
      [
        `${api}/admin/users`,
        {
          method: 'POST',
          body: JSON.stringify(person),
          headers: { ...json, authorization: basic('ann', 'canary-password') },
        },
      ],
      [
        `${api}/admin/users`,
        { method: 'POST', body: '{"password": "canary-broken"', headers: json },
      ],
      [`${url}/setup?token=canary-setup`, { method: 'POST', body: 'password=canary-form' }],
      [`${url}/metrics`, { headers: { authorization: 'Bearer canary-metrics' } }],
    ]

    const ids: (string | null)[] = []
    for (const [address, options] of calls) {
      const answer = await fetch(address, options)
      await answer.arrayBuffer()
      ids.push(answer.headers.get('x-request-id'))
    }
    server.child.kill('SIGTERM')

    assert.equal(await server.end(), 0)
    assert.doesNotMatch(server.out + server.notes, /canary/)
    const lines = server.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const requests = lines.filter(({ msg }) => msg === 'request')
    assert.deepEqual(
      requests.map(({ reqId }) => reqId),
      ids,
    )
    assert.partialDeepStrictEqual(requests[0], {
      method: 'GET',
      path: '/api/v1/user',
      status: 200,
      account: 'ann',
    })
  })
})
