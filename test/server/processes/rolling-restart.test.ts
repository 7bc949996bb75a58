import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { Environment } from '../../../src/platform/config/config.ts'
import { findFreePort } from '../../code/lfs/support.ts'
import { basic } from '../../support/app.ts'
import { makeDatabase, testDialect } from '../../support/databases.ts'
import { startServer, type Running } from '../../support/process.ts'
import { Machine } from '../../support/terminal.ts'
import { skipWithoutHaproxy, startBalancer, type Balancer } from './balancer.ts'

/** `npm run test:rolling-restart` asks for all of it. */
const REQUESTS = process.env['ROLLING_RESTART'] === 'full' ? 10_000 : 1_000
const CLIENTS = 8
/** Of several processes, and of one. */
const WORKERS = ['2', '1'] as const
/** Long beside the tenth of a second after which haproxy asks again. */
const DRAIN = process.env['ROLLING_RESTART_DRAIN'] ?? '5s'

const needsPostgres = testDialect === 'sqlite' && 'SQLite is for one server at a time'
const password = 'password-1'
const account = ['--name', 'ann', '--email', 'ann@example.org', '--password', password]

async function addAnn(t: TestContext): Promise<Environment> {
  const data = mkdtempSync(join(tmpdir(), 'codestead-rolling-'))
  const database = await makeDatabase(data)
  t.after(async () => {
    await database.remove()
    rmSync(data, { recursive: true, force: true })
  })
  const machine = new Machine(data, database.url)
  assert.equal((await machine.admin(['user', 'create', ...account, '--admin'])).status, 0)
  return { ...machine.environment, CODESTEAD_SERVER_DRAIN: DRAIN }
}

async function startNode(
  t: TestContext,
  environment: Environment,
  index: number,
  port: number,
): Promise<Running> {
  const node = startServer(t, {
    ...environment,
    CODESTEAD_SERVER_PORT: String(port),
    CODESTEAD_SERVER_WORKERS: WORKERS[index],
  })
  await node.says(/ is at http/)
  return node
}

/** The status; 0 where the connection broke. */
function call(agent: Agent, url: string, method: string, body?: object): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>()
  const headers = { authorization: basic('ann', password), 'content-type': 'application/json' }
  const sent = request(url, { agent, method, headers }, (answer) => {
    answer.resume()
    answer.once('end', () => resolve(answer.complete ? (answer.statusCode ?? 0) : 0))
    answer.once('error', () => resolve(0))
  })
  sent.once('error', () => resolve(0))
  sent.end(body && JSON.stringify(body))
  return promise
}

interface Load {
  readonly sent: () => number
  /** What was asked and answered by something else than success. */
  readonly lost: readonly string[]
  readonly end: () => Promise<void>
}

/** Reads and writes, through the API, pages and git, from clients that keep their connections. */
function startLoad({ url }: Balancer): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const lost: string[] = []
  let sent = 0
  const over = new AbortController()
  const kinds: [string, string, ((number: number) => object)?][] = [
    ['GET', '/api/v1/repos/ann/one'],
    ['POST', '/api/v1/repos/ann/one/issues', (number) => ({ title: `issue ${number}` })],
    ['GET', '/ann/one'],
    ['GET', '/ann/one.git/info/refs?service=git-upload-pack'],
  ]
  const client = async () => {
    while (!over.signal.aborted) {
      const number = sent++
      const [method, path, body] = kinds[number % kinds.length] ?? assert.fail()
      const status = await call(agent, url + path, method, body?.(number))
      if (status !== 200 && status !== 201) lost.push(`${method} ${path} ${status}`)
    }
  }
  const clients = Array.from({ length: CLIENTS }, client)
  const end = async () => {
    over.abort()
    await Promise.all(clients)
    agent.destroy()
  }
  return { sent: () => sent, lost, end }
}

suite('a rolling restart behind haproxy', { skip: skipWithoutHaproxy || needsPostgres }, () => {
  test(`loses none of ${REQUESTS} requests`, async (t) => {
    const environment = await addAnn(t)
    const ports = [await findFreePort(), await findFreePort()]
    const start = (index: number) => startNode(t, environment, index, ports[index] ?? 0)
    const nodes = [await start(0), await start(1)]
    const balancer = await startBalancer(
      t,
      environment['CODESTEAD_DATA'] ?? '',
      await findFreePort(),
      ports,
    )
    for (const index of ports.keys()) await balancer.untilNode(index, 'UP')
    const agent = new Agent()
    const made = { name: 'one', auto_init: true }
    assert.equal(await call(agent, `${balancer.url}/api/v1/user/repos`, 'POST', made), 201)

    const load = startLoad(balancer)
    let restarts = 0
    do {
      for (const index of nodes.keys()) {
        nodes[index]?.child.kill('SIGTERM')
        await balancer.untilNode(index, 'DOWN')
        assert.equal(await nodes[index]?.end(), 0)
        nodes[index] = await start(index)
        await balancer.untilNode(index, 'UP')
        restarts++
      }
    } while (load.sent() < REQUESTS)
    await load.end()

    t.diagnostic(`${load.sent()} requests, ${restarts} restarts, ${load.lost.length} lost`)
    assert.deepEqual(load.lost, [])
  })
})
