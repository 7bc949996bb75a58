// One database is enough: packs do not pass through it.
import assert from 'node:assert/strict'
import { randomFillSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { basic, PASSWORD } from '../support/app.ts'
import { startServer } from '../support/process.ts'
import { startMachine } from '../support/terminal.ts'
import { GitClient } from './support.ts'

const MEGABYTE = 1_000_000

interface Process {
  readonly url: string
  /** The most memory that the server has had so far, in bytes. */
  readonly peak: () => number
}

/** A server in a process of its own, whose memory is not that of the tests, with a repository of Ann's. */
async function startProcess(t: TestContext): Promise<Process> {
  const machine = await startMachine(t)
  const ann = ['--name', 'ann', '--email', 'ann@example.org', '--password', PASSWORD]
  assert.equal((await machine.admin(['user', 'create', ...ann])).status, 0)
  const server = startServer(t, machine.environment)
  const [, url = ''] = await server.says(/ is at (http:\/\/127\.0\.0\.1:\d+)\n/)
  const created = await fetch(`${url}/api/v1/user/repos`, {
    method: 'POST',
    headers: { authorization: basic('ann', PASSWORD), 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'one' }),
  })
  assert.equal(created.status, 201)
  const peak = () => {
    const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
  }
  return { url, peak }
}

/** Nothing in it can be compressed, so that what it takes on disk goes over the wire. */
function writeNoise(folder: string, megabytes: number): void {
  const block = Buffer.alloc(50 * MEGABYTE)
  for (let written = 0; written < megabytes; written += 50)
    writeFileSync(join(folder, `noise-${written}`), randomFillSync(block))
}

suite('300 MB', () => {
  test('pushed and cloned leave the server with its memory', async (t) => {
    const { url, peak } = await startProcess(t)
    const client = new GitClient(t)
    // Nothing is won by compressing noise or by looking for what is alike in it, and much time lost.
    await client.git(['config', '--global', 'core.compression', '0'])
    await client.git(['config', '--global', 'pack.window', '0'])
    const work = await client.makeRepository()
    const remote = `${url.replace('//', `//ann:${PASSWORD}@`)}/ann/one.git`
    await client.git(['push', '--quiet', remote, 'main'], work)
    await client.git(['clone', '--quiet', `${url}/ann/one.git`, 'warm'])
    writeNoise(work, 300)
    const tip = await client.commit(work, 'noise')
    const before = peak()

    await client.git(['push', '--quiet', remote, 'main'], work)
    await client.git(['clone', '--quiet', '--bare', `${url}/ann/one.git`, 'copy.git'])

    assert.equal(await client.git(['rev-parse', 'main'], join(client.home, 'copy.git')), tip)
    const growth = (peak() - before) / MEGABYTE
    assert.ok(growth < 100, `the server has grown by ${Math.round(growth)} MB`)
  })
})
