import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { suite, test, type TestContext } from 'node:test'
import type { Environment } from '../../src/config/config.ts'
import { makeDatabase, testDialect } from '../support/databases.ts'
import { startAdmin, startServer, type Running } from '../support/process.ts'
import { startReceiver } from './setup.ts'

/** A thousand with twenty kills take a minute: for those who ask for it. */
const EVENTS = Number(process.env['WEBHOOK_EVENTS'] ?? 100)
const KILLS = Number(process.env['WEBHOOK_KILLS'] ?? 2)

interface Server {
  readonly running: Running
  readonly url: string
}

async function prepare(t: TestContext): Promise<Environment> {
  const data = mkdtempSync(join(tmpdir(), 'codestead-webhooks-'))
  const database = await makeDatabase(data)
  t.after(async () => {
    await database.remove()
    rmSync(data, { recursive: true, force: true })
  })
  return {
    CODESTEAD_DATA: data,
    CODESTEAD_DATABASE_URL: database.url,
    CODESTEAD_NETWORK_ALLOW_PRIVATE: 'true',
    CODESTEAD_WEBHOOKS_TIMEOUT: '1s',
    CODESTEAD_LOG_LEVEL: 'warn',
  }
}

async function addAnn(t: TestContext, environment: Environment): Promise<string> {
  const words = '--name ann --email ann@example.org --password password-1 --access-token test'
  const made = startAdmin(t, environment, ['user', 'create', ...words.split(' ')])
  assert.equal(await made.end(), 0, made.notes)
  return made.out.trim().split('\n').at(-1) ?? ''
}

async function startOne(t: TestContext, environment: Environment): Promise<Server> {
  const running = startServer(t, environment)
  const [, url = ''] = await running.says(/ is at (http:\/\/\S+)/)
  return { running, url }
}

/** By the first server that answers. */
async function post(
  servers: readonly Server[],
  token: string,
  path: string,
  body: object,
): Promise<boolean> {
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
  for (const { url } of servers) {
    const request = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await fetch(`${url}/api/v1${path}`, request).catch(() => undefined)
    if (answer) return answer.status === 201
  }
  return false
}

suite('two servers on one database', { skip: testDialect !== 'postgres' }, () => {
  test('deliver every event, in order, though they are killed', async (t) => {
    const environment = await prepare(t)
    const token = await addAnn(t, environment)
    const receiver = await startReceiver(t)
    const servers = await Promise.all([startOne(t, environment), startOne(t, environment)])
    const send = (path: string, body: object) => post(servers, token, path, body)
    const config = { url: receiver.url, content_type: 'json' }
    const hook = { type: 'gitea', active: true, config, events: ['issues'] }
    assert.ok(await send('/user/repos', { name: 'one' }))
    assert.ok(await send('/repos/ann/one/hooks', hook))

    const accepted: number[] = []
    for (let number = 1; number <= EVENTS; number++) {
      const isOk = await send('/repos/ann/one/issues', { title: String(number) })
      if (isOk) accepted.push(number)
      if (number % Math.ceil(EVENTS / (KILLS + 1)) !== 0) continue
      // Whoever is killed may be in the middle of a delivery: the other goes on.
      servers.shift()?.running.child.kill('SIGKILL')
      servers.push(await startOne(t, environment))
    }
    const received = () => receiver.calls.map(({ body }) => Number(body.issue.title))
    const isDone = () => accepted.every((number) => received().includes(number))
    for (let tries = 0; tries < 1200 && !isDone(); tries++) await delay(50)

    const firsts = [...new Set(received())]
    const inOrder = [...firsts].sort((a, b) => a - b)
    assert.deepEqual(firsts, inOrder)
    assert.deepEqual(firsts, accepted)
  })
})
