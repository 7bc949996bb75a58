// Runs tools that .ci/clients has downloaded, so it is no part of `npm test`: npm run test:clients
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { GitClient } from '../platform/git/support.ts'
import {
  call,
  downloadOf,
  keptClients,
  remoteFor,
  startHosts,
  type Host,
  type Release,
} from './support.ts'

const tools = join(keptClients, 'clients', 'node_modules')
const program = join(tools, 'semantic-release', 'bin', 'semantic-release.js')
const skip = existsSync(program)
  ? false
  : 'no semantic-release: .ci/clients could not download it from the npm registry'

/** A clone that says how it is released, with something to release. */
async function makeProject(host: Host, client: GitClient, tool: Buffer): Promise<string> {
  const folder = await client.makeRepository()
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist', 'tool.bin'), tool)
  writeFileSync(join(folder, '.gitignore'), 'dist\n')
  const assets = [{ path: 'dist/tool.bin', name: 'tool-${nextRelease.version}.bin' }]
  const settings = {
    branches: ['main'],
    repositoryUrl: `${host.url}/ann/one.git`,
    plugins: [
      '@semantic-release/commit-analyzer',
      '@semantic-release/release-notes-generator',
      ['@saithodev/semantic-release-gitea', { assets }],
    ],
  }
  writeFileSync(join(folder, '.releaserc.json'), JSON.stringify(settings))
  await client.git(['remote', 'add', 'origin', remoteFor(host, 'ann/one')], folder)
  return folder
}

async function push(client: GitClient, folder: string, message: string): Promise<string> {
  const commit = await client.commit(folder, message)
  await client.git(['push', '--quiet', 'origin', 'main'], folder)
  return commit
}

async function runSemanticRelease(host: Host, client: GitClient, folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, [program, '--no-ci'], {
    cwd: folder,
    env: {
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: client.home,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CREDENTIALS: `ann:${host.token}`,
      GITEA_URL: host.url,
      GITEA_TOKEN: host.token,
    },
  })
}

suite('semantic-release', { skip }, () => {
  test('publishes a release with an asset, and then the next one', async (t) => {
    const { ann: host } = await startHosts(t, ['ann'])
    const client = new GitClient(t)
    const tool = randomBytes(300_000)
    await call(host, '/user/repos', { name: 'one' })
    const folder = await makeProject(host, client, tool)

    const first = await push(client, folder, 'feat: a tool')
    await runSemanticRelease(host, client, folder)
    const second = await push(client, folder, 'fix: the tool')
    await runSemanticRelease(host, client, folder)

    const releases = await call<Release[]>(host, '/repos/ann/one/releases')
    assert.deepEqual(
      releases.map(({ tag_name, draft, prerelease }) => [tag_name, draft, prerelease]),
      [
        ['v1.0.1', false, false],
        ['v1.0.0', false, false],
      ],
    )
    const [patch, feature] = releases
    assert.match(patch?.body ?? '', /### Bug Fixes\n\n\* the tool/)
    assert.match(feature?.body ?? '', /### Features\n\n\* a tool/)
    assert.ok(patch && feature)
    assert.deepEqual(await downloadOf(feature), { 'tool-1.0.0.bin': tool })
    assert.deepEqual(await downloadOf(patch), { 'tool-1.0.1.bin': tool })
    const tags = await call<{ name: string; commit: { sha: string } }[]>(
      host,
      '/repos/ann/one/tags',
    )
    assert.deepEqual(
      tags.map(({ name, commit }) => [name, commit.sha]),
      [
        ['v1.0.1', second],
        ['v1.0.0', first],
      ],
    )
  })
})
