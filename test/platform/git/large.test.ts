// One database is enough: packs do not pass through it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { Environment } from '../../../src/platform/config/config.ts'
import { until } from '../../support/until.ts'
import { findFreePort } from '../../code/lfs/support.ts'
import { skipWithoutSsh, sshWith } from '../../protocols/ssh/support.ts'
import { basic, PASSWORD } from '../../support/app.ts'
import { startServer } from '../../support/process.ts'
import { startMachine } from '../../support/terminal.ts'
import { GitClient } from './support.ts'

const MEGABYTE = 1_000_000

interface Process {
  readonly url: string
  /** The most memory that the server has had so far, in bytes. */
  readonly peak: () => number
  /** Waits until the server has told the languages of the repository. */
  readonly analysed: () => Promise<void>
}

/**
 * A server in a process of its own, whose memory is not that of the tests, with a repository of
 * Ann's.
 */
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
  const analysed = () =>
    until(async () => {
      const languages = await fetch(`${url}/api/v1/repos/ann/one/languages`)
      return 'C' in ((await languages.json()) as object)
    })
  return { url, peak, analysed }
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

/** A client with little on `main` and very much on `large`, for all tests. */
async function prepare(t: TestContext): Promise<{ client: GitClient; work: string }> {
  const client = new GitClient(t)
  // Nothing is won by compressing noise or by looking for what is alike in it, and much time lost.
  await client.git(['config', '--global', 'core.compression', '0'])
  await client.git(['config', '--global', 'pack.window', '0'])
  const work = await client.makeRepository()
  writeFileSync(join(work, 'main.c'), 'int main(void) { return 0; }\n')
  await client.commit(work, 'code')
  await client.git(['switch', '--quiet', '-c', 'large'], work)
  writeNoise(work, 300)
  await client.commit(work, 'noise')
  return { client, work }
}

/**
 * Pushes all of it to a repository and clones that; gives by how many megabytes the server has
 * grown.
 */
async function pushAndClone(
  { client, work }: { readonly client: GitClient; readonly work: string },
  { push, clone }: { readonly push: string; readonly clone: string },
  { peak, analysed }: Pick<Process, 'peak' | 'analysed'>,
): Promise<number> {
  const copy = join(client.home, 'copy.git')
  await client.git(['push', '--quiet', push, 'main'], work)
  await client.git(['clone', '--quiet', '--bare', clone, copy])
  rmSync(copy, { recursive: true })
  // A push of any size loads what tells languages.
  await analysed()
  const before = peak()

  await client.git(['push', '--quiet', push, 'large'], work)
  await client.git(['clone', '--quiet', '--bare', clone, copy])

  const [pushed, cloned] = await Promise.all(
    [work, copy].map((folder) => client.git(['rev-parse', 'large'], folder)),
  )
  assert.equal(cloned, pushed)
  rmSync(copy, { recursive: true })
  return (peak() - before) / MEGABYTE
}

test('much', async (outer) => {
  const much = await prepare(outer)

  await outer.test('pushed and cloned, 300 MB, leaves the server with its memory', async (t) => {
    const server = await startProcess(t)
    const { url } = server
    const clone = `${url}/ann/one.git`
    const push = clone.replace('//', `//ann:${PASSWORD}@`)

    const growth = await pushAndClone(much, { push, clone }, server)

    assert.ok(growth < 100, `the server has grown by ${Math.round(growth)} MB`)
  })

  await outer.test('does so over SSH, 300 MB', { skip: skipWithoutSsh }, async (t) => {
    const port = await findFreePort()
    const server = await startProcess(t, {
      CODESTEAD_SSH_ENABLED: 'true',
      CODESTEAD_SSH_PORT: String(port),
    })
    const { url } = server
    const key = join(much.client.home, 'key')
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    await post(`${url}/api/v1/user/keys`, { title: 'k', key: readFileSync(`${key}.pub`, 'utf8') })
    await much.client.git(['config', '--global', 'core.sshCommand', sshWith(key).join(' ')])
    const remote = `ssh://git@127.0.0.1:${port}/ann/one.git`

    const growth = await pushAndClone(much, { push: remote, clone: remote }, server)

    assert.ok(growth < 100, `the server has grown by ${Math.round(growth)} MB`)
  })
})
