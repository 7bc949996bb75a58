// One database is enough: bytes do not pass through it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync, readFileSync, utimesSync } from 'node:fs'
import { get, request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { suite, test, type TestContext } from 'node:test'
import { basic, PASSWORD } from '../../support/app.ts'
import { testDialect } from '../../support/databases.ts'
import { startServer, type Running } from '../../support/process.ts'
import { endFirstDay } from '../../support/first-day.ts'
import { startMachine, type Machine } from '../../support/terminal.ts'
import { until } from '../../support/until.ts'

const MIB = 1_048_576
const authorization = basic('ann', PASSWORD)

interface Server {
  readonly running: Running
  readonly url: string
}

async function serve(t: TestContext, machine: Machine): Promise<Server> {
  const running = startServer(t, { ...machine.environment, CODESTEAD_LOG_LEVEL: 'error' })
  const [, url = ''] = await running.says(/ is at (http:\/\/127\.0\.0\.1:\d+)\n/)
  return { running, url }
}

async function call(url: string, body: object): Promise<{ id: number }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(answer.status, 201)
  return (await answer.json()) as { id: number }
}

/** A server in a process of its own with a release of Ann's; the path of the release's files. */
async function prepare(t: TestContext, machine: Machine): Promise<Server & { assets: string }> {
  const ann = ['--name', 'ann', '--email', 'ann@example.org', '--password', PASSWORD]
  assert.equal((await machine.admin(['user', 'create', ...ann, '--admin'])).status, 0)
  const server = await serve(t, machine)
  await call(`${server.url}/api/v1/user/repos`, { name: 'one', auto_init: true })
  const releases = '/api/v1/repos/ann/one/releases'
  const { id } = await call(server.url + releases, { tag_name: 'v1' })
  return { ...server, assets: `${releases}/${id}/assets` }
}

function* blocks(megabytes: number, block: Buffer) {
  for (let sent = 0; sent < megabytes; sent++) yield block
}

async function send(url: string, megabytes: number, block: Buffer): Promise<{ uuid: string }> {
  const sent = request(url, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/octet-stream' },
  })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  await pipeline(Readable.from(blocks(megabytes, block)), sent)
  const [answer] = await answered
  const text = Buffer.concat(await answer.toArray()).toString()
  assert.equal(answer.statusCode, 201, text)
  return JSON.parse(text) as { uuid: string }
}

/**
 * What is there is `megabytes` times this block: compared as it comes, since a hash of it would
 * take far longer.
 */
async function assertHolds(url: string, megabytes: number, block: Buffer): Promise<void> {
  const [answer] = (await once(get(url), 'response')) as [IncomingMessage]
  let place = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    for (let start = 0; start < chunk.length;) {
      const part = block.subarray((place + start) % MIB).subarray(0, chunk.length - start)
      assert.ok(part.equals(chunk.subarray(start, start + part.length)), `at ${place + start}`)
      start += part.length
    }
    place += chunk.length
  }
  assert.equal(place, megabytes * MIB)
}

/** The most memory that the process has had so far, in bytes. */
function peak({ child }: Running): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}

/** Whole or not. */
function filesIn({ data }: Machine): readonly string[] {
  return globSync('files/attachments/*/*', { cwd: data }).map((name) => join(data, name))
}

suite('a large release attachment', () => {
  test('of 256 MiB goes in and out without more memory', async (t) => {
    if (testDialect !== 'sqlite') return t.skip('files do not pass through the database')
    const { url, assets, running } = await prepare(t, await startMachine(t))
    const block = randomBytes(MIB)
    const before = peak(running)

    const { uuid } = await send(`${url}${assets}?name=large`, 256, block)
    await assertHolds(`${url}/attachments/${uuid}`, 256, block)

    const grown = peak(running) - before
    assert.ok(grown < 50_000_000, `${grown} bytes more`)
  })

  test('is not there when the server is killed before its end, nor its bytes after the sweep', async (t) => {
    if (testDialect !== 'sqlite') return t.skip('files do not pass through the database')
    const machine = await startMachine(t)
    const { url, assets, running } = await prepare(t, machine)
    const kept = await send(`${url}${assets}?name=kept`, 1, randomBytes(MIB))
    const sent = request(`${url}${assets}?name=x`, { method: 'POST', headers: { authorization } })
    sent.on('error', () => undefined)
    sent.write(randomBytes(4 * MIB))
    await until(() => filesIn(machine).length === 2)

    running.child.kill('SIGKILL')
    await running.end()

    const again = await serve(t, machine)
    const list = (await (await fetch(again.url + assets)).json()) as { uuid: string }[]
    assert.deepEqual(
      list.map(({ uuid }) => uuid),
      [kept.uuid],
    )
    const doctor = await machine.admin(['doctor'])
    assert.equal(doctor.status, 0, doctor.out)
    // As if that had been two days ago: what is younger may be on its way.
    const then = Date.now() / 1000 - 2 * 86_400
    for (const file of filesIn(machine)) utimesSync(file, then, then)
    await endFirstDay(machine)
    const cron = `${again.url}/api/v1/admin/cron/sweep_attachments`
    assert.equal((await fetch(cron, { method: 'POST', headers: { authorization } })).status, 204)
    await until(() => filesIn(machine).length === 1)
    assert.ok(filesIn(machine)[0]?.endsWith(kept.uuid))
  })
})
