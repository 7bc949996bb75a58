// One database is enough: packs do not pass through it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { Environment } from '../../src/config/config.ts'
import { findFreePort } from '../lfs/support.ts'
import { skipWithoutSsh, sshWith } from '../ssh/support.ts'
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
async function startProcess(t: TestContext, environment: Environment = {}): Promise<Process> {
  const machine = await startMachine(t)
  const ann = ['--name', 'ann', '--email', 'ann@example.org', '--password', PASSWORD]
  assert.equal((await machine.admin(['user', 'create', ...ann])).status, 0)
  const server = startServer(t, { ...machine.environment, ...environment })
  const [, url = ''] = await server.says(/ is at (http:\/\/127\.0\.0\.1:\d+)\n/)
  await post(`${url}/api/v1/user/repos`, { name: 'one' })
  const peak = () => {
    const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
  }
  return { url, peak }
}

async function post(url: string, body: object): Promise<void> {
  const created = await fetch(url, {
    method: 'POST',
    headers: { authorization: basic('ann', PASSWORD), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(created.status, 201)
}

/** Nothing in it can be compressed, so that what it takes on disk goes over the wire. */
function writeNoise(folder: string, megabytes: number): void {
  const block = Buffer.alloc(50 * MEGABYTE)
  for (let written = 0; written < megabytes; written += 50)
    writeFileSync(join(folder, `noise-${written}`), randomFillSync(block))
}

/** Pushes so much to a repository and clones it; gives by how many megabytes the server has grown. */
async function pushAndClone(
  client: GitClient,
  { push, clone }: { readonly push: string; readonly clone: string },
  megabytes: number,
  peak: () => number,
): Promise<number> {
  // Nothing is won by compressing noise or by looking for what is alike in it, and much time lost.
  await client.git(['config', '--global', 'core.compression', '0'])
  await client.git(['config', '--global', 'pack.window', '0'])
  const work = await client.makeRepository()
  await client.git(['push', '--quiet', push, 'main'], work)
  await client.git(['clone', '--quiet', clone, 'warm'])
  writeNoise(work, megabytes)
  const tip = await client.commit(work, 'noise')
  const before = peak()

  await client.git(['push', '--quiet', push, 'main'], work)
  await client.git(['clone', '--quiet', '--bare', clone, 'copy.git'])

  assert.equal(await client.git(['rev-parse', 'main'], join(client.home, 'copy.git')), tip)
  return (peak() - before) / MEGABYTE
}

suite('much', () => {
  test('pushed and cloned, 300 MB, leaves the server with its memory', async (t) => {
    const { url, peak } = await startProcess(t)
    const remote = `${url}/ann/one.git`
    const push = remote.replace('//', `//ann:${PASSWORD}@`)

    const growth = await pushAndClone(new GitClient(t), { push, clone: remote }, 300, peak)

    assert.ok(growth < 100, `the server has grown by ${Math.round(growth)} MB`)
  })

  test('does so over SSH, 300 MB', { skip: skipWithoutSsh }, async (t) => {
    const port = await findFreePort()
    const { url, peak } = await startProcess(t, {
      CODESTEAD_SSH_ENABLED: 'true',
      CODESTEAD_SSH_PORT: String(port),
    })
    const client = new GitClient(t)
    const key = join(client.home, 'key')
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    await post(`${url}/api/v1/user/keys`, { title: 'k', key: readFileSync(`${key}.pub`, 'utf8') })
    await client.git(['config', '--global', 'core.sshCommand', sshWith(key).join(' ')])
    const remote = `ssh://git@127.0.0.1:${port}/ann/one.git`

    const growth = await pushAndClone(client, { push: remote, clone: remote }, 300, peak)

    assert.ok(growth < 100, `the server has grown by ${Math.round(growth)} MB`)
  })
})
