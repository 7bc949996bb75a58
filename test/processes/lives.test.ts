// One database is enough: how processes begin and end does not pass through it.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { sendHalf, untilRefused } from '../support/half-request.ts'
import { startServer } from '../support/process.ts'
import { startMachine } from '../support/terminal.ts'
import { until } from '../support/until.ts'
import { ann, COUNT, pidsOf, startOn, startWorkers, times } from './setup.ts'

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
    const { machine, url } = await startWorkers(t)
    const { port } = new URL(url)

    const second = startServer(t, {
      ...machine.environment,
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
    assert.deepEqual(
      ['codestead.db-running', 'codestead.db-wal'].filter((name) =>
        existsSync(join(machine.data, name)),
      ),
      [],
    )
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

  test('when the process that leads it is killed', async (t) => {
    const { server, url } = await startWorkers(t)

    server.child.kill('SIGKILL')

    await untilRefused(url)
    assert.equal(await server.end(), null)
  })
})
