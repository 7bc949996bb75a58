// One database is enough: how processes begin and end does not pass through it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { sendHalf, untilRefused } from '../../support/half-request.ts'
import { startServer, startServerWithin, type Running } from '../../support/process.ts'
import type { Left } from '../../support/scarce-descriptors.ts'
import { startMachine } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'
import { ann, COUNT, pidsOf, startOn, startWorkers, times } from './setup.ts'

const scarceDescriptors = new URL('../../support/scarce-descriptors.ts', import.meta.url)

suite('workers', () => {
  test('are replaced when they end, while the others go on', async (t) => {
    const { server, ask } = await startWorkers(t)
    const [first = 0] = pidsOf(server, 'listening at')

    process.kill(first, 'SIGKILL')
    await until(() => pidsOf(server, 'listening at').length === COUNT + 1)
    const answers = await times(12, () => ask('GET', '/user'))

    assert.ok(answers.every(({ status }) => status === 200))
    assert.match(server.out, new RegExp(`"worker":${first},"code":null,"signal":"SIGKILL"`))
  })

  test('take connections again for which they had no descriptor', async (t) => {
    const { server, url } = await startScarce(t)
    const workers = pidsOf(server, 'listening at')

    for (const pid of workers) process.kill(pid, 'SIGHUP')
    const answers: Promise<number>[] = []
    await until(() => {
      // However many of them still find a descriptor that was in use when all others were taken.
      answers.push(askVersion(url))
      return pidsOf(server, 'no descriptor is left').length === COUNT
    })
    for (const pid of workers) process.kill(pid, 'SIGUSR2')

    assert.deepEqual(new Set(await Promise.all(answers)), new Set([200]))
    assert.deepEqual(new Set(await times(6, () => askVersion(url))), new Set([200]))
  })

  test('are replaced as soon as the system lets another one begin', async (t) => {
    const { server } = await startScarce(t)
    const [first = 0] = pidsOf(server, 'listening at')

    await leave(server, 0)
    process.kill(first, 'SIGKILL')
    await until(() => pidsOf(server, 'a worker could not be reached').length > 0)
    await leave(server, null)

    await until(() => pidsOf(server, 'listening at').length === COUNT + 1)
    assert.match(server.out, /spawn .* EMFILE/)
  })

  test('are counted together', async (t) => {
    const { url, ask } = await startWorkers(t)
    await times(9, () => ask('GET', '/users/ann'))

    const figures = await (await fetch(`${url}/metrics`)).text()

    const labels = 'method="GET",route="/api/v1/users/:username",status="2xx"'
    assert.ok(figures.includes(`codestead_http_requests_total{${labels}} 9\n`))
    assert.ok(figures.includes(`codestead_http_request_duration_seconds_count{${labels}} 9\n`))
    assert.equal(figures.match(/^process_resident_memory_bytes /gm)?.length, 1)
  })

  test('all know the link to the first page', async (t) => {
    const machine = await startMachine(t)
    const { server } = await startOn(t, machine)
    const [, link = ''] = await server.says(/^ {2}(http:\S+)$/m)

    const answers = await times(6, () => fetch(link, { headers: { connection: 'close' } }))

    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal(server.notes.match(/ is at /g)?.length, 1)
  })

  test('are not started where the first of them cannot be', async (t) => {
    const { url } = await startWorkers(t)
    const { port } = new URL(url)
    const other = await startMachine(t)

    const second = startServer(t, {
      ...other.environment,
      CODESTEAD_SERVER_PORT: port,
      CODESTEAD_SERVER_WORKERS: '2',
    })

    assert.equal(await second.end(), 1)
    assert.match(second.notes, /^codestead: .*EADDRINUSE.*\n$/)
  })
})

suite('a server with workers is stopped', () => {
  test('by a signal to all of its processes: what is in flight finishes', async (t) => {
    const { machine, server, url } = await startWorkers(t)
    const half = await sendHalf(url, ann)

    // As a terminal does, and whoever supervises a service.
    for (const pid of [server.child.pid ?? 0, ...pidsOf(server, 'listening at')]) {
      process.kill(pid, 'SIGINT')
    }
    await untilRefused(url)

    assert.equal(await half.finish(), 201)
    assert.equal(await server.end(), 0)
    assert.deepEqual(leftOpen(machine.data), [])
  })

  test('at once by a second signal', async (t) => {
    const { server, url } = await startWorkers(t)
    const half = await sendHalf(url, ann)

    server.child.kill('SIGTERM')
    await untilRefused(url)
    server.child.kill('SIGTERM')

    assert.equal(await server.end(), 1)
    await assert.rejects(half.answer)
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`while it starts, by ${signal}: it is as if it had not been started`, async (t) => {
      const machine = await startMachine(t)
      const environment = { ...machine.environment, CODESTEAD_DATA: join(machine.data, 'new') }
      const server = startServer(t, { ...environment, CODESTEAD_SERVER_WORKERS: String(COUNT) })
      const leading = server.child.pid ?? 0

      await until(() => workersOf(leading).length > 0, { pauseMs: 1 })
      // A terminal sends it to all.
      const told = signal === 'SIGINT' ? [leading, ...workersOf(leading)] : [leading]
      for (const pid of told) process.kill(pid, signal)

      assert.equal(await server.end(), 0, server.notes)
      assert.deepEqual(leftOpen(environment.CODESTEAD_DATA), [])
    })
  }

  test('when the process that leads it is killed: what is in flight finishes', async (t) => {
    const { server, url } = await startWorkers(t)
    const half = await sendHalf(url, ann)

    server.child.kill('SIGKILL')
    await untilRefused(url)

    assert.equal(await half.finish(), 201)
    assert.equal(await server.end(), null)
  })
})

/** What a server that has not ended well leaves of its database. */
function leftOpen(data: string): readonly string[] {
  const names = ['codestead.db-running', 'codestead.db-wal']
  return names.filter((name) => existsSync(join(data, name)))
}

/** Without the git that is asked for its version. */
function workersOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
  return children.map(Number).filter((child) => child > 0 && isWorker(child))
}

function isWorker(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').includes('NODE_UNIQUE_ID=')
  } catch {
    // It has ended.
    return false
  }
}

async function startScarce(t: TestContext): Promise<{ server: Running; url: string }> {
  const machine = await startMachine(t)
  const environment = { ...machine.environment, CODESTEAD_SERVER_WORKERS: String(COUNT) }
  const server = startServerWithin(t, 200, scarceDescriptors, environment)
  const [, url = ''] = await server.says(/ is at (http:\S+)/)
  await until(() => pidsOf(server, 'listening at').length === COUNT)
  return { server, url }
}

/** Over a connection of its own. */
async function askVersion(url: string): Promise<number> {
  const { status } = await fetch(`${url}/api/v1/version`, { headers: { connection: 'close' } })
  return status
}

/** How many descriptors the leading process can still open. */
async function leave({ child }: Running, left: Left): Promise<void> {
  const done = once(child, 'message')
  child.send(left as number)
  await done
}
