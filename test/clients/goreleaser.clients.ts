// Runs GoReleaser, which .ci/goreleaser has built, so it is no part of `npm test`: npm run
// test:goreleaser
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

const kept = join(keptClients, 'goreleaser')
const program = join(kept, 'goreleaser')
const skip = existsSync(join(kept, 'version'))
  ? false
  : 'no GoReleaser: .ci/goreleaser needs Go and its proxy to build it'

const APP = '/repos/ann/app'

/** What is the same in each of its runs; JSON is YAML. */
function settings({ url }: Host, release: object): object {
  return {
    version: 2,
    project_name: 'app',
    gitea_urls: { api: `${url}/api/v1`, download: url },
    builds: [{ env: ['CGO_ENABLED=0'], goos: ['linux', 'windows'], goarch: ['amd64'] }],
    archives: [{ format_overrides: [{ goos: 'windows', formats: ['zip'] }] }],
    checksum: { name_template: 'checksums.txt' },
    changelog: { use: 'gitea', format: '{{ .Message }} by @{{ .AuthorUsername }}' },
    release: {
      prerelease: 'auto',
      header: 'Head of {{ .Tag }}',
      footer: 'Foot of {{ .Tag }}',
      ...release,
    },
    milestones: [{ close: true }],
    scoops: [
      {
        repository: { owner: 'ann', name: 'bucket' },
        commit_author: { name: 'Releaser', email: 'releaser@example.org' },
      },
    ],
  }
}

/** A program with a version, of which GoReleaser makes everything else. */
async function makeProject(host: Host, client: GitClient): Promise<string> {
  const folder = await client.makeRepository('app')
  writeFileSync(join(folder, 'go.mod'), 'module example.org/app\n')
  writeFileSync(join(folder, 'main.go'), 'package main\n\nfunc main() { println("app") }\n')
  writeFileSync(join(folder, '.gitignore'), 'dist\n.goreleaser.yaml\n')
  await client.git(['remote', 'add', 'origin', remoteFor(host, 'ann/app')], folder)
  return folder
}

async function pushTag(client: GitClient, folder: string, tag: string): Promise<void> {
  await client.git(['tag', tag], folder)
  await client.git(['push', '--quiet', 'origin', 'main', tag], folder)
}

async function runGoReleaser(
  host: Host,
  client: GitClient,
  folder: string,
  release: object = {},
): Promise<void> {
  writeFileSync(join(folder, '.goreleaser.yaml'), JSON.stringify(settings(host, release)))
  await promisify(execFile)(program, ['release', '--clean'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: client.home,
      GOCACHE: join(kept, 'build'),
      GIT_CONFIG_NOSYSTEM: '1',
      GITEA_TOKEN: host.token,
    },
  })
}

async function releaseOf(host: Host, tag: string): Promise<Release> {
  const releases = await call<Release[]>(host, `${APP}/releases`)
  const found = releases.find(({ tag_name }) => tag_name === tag)
  assert.ok(found)
  return found
}

/** What it says about itself is what anybody gets. */
async function assertWhole(release: Release, names: readonly string[]): Promise<void> {
  const files = await downloadOf(release)
  const { 'checksums.txt': sums, ...others } = files
  assert.deepEqual(Object.keys(others).toSorted(), names.toSorted())
  const lines = Object.entries(others).map(([name, file]) => `${hash('sha256', file)}  ${name}`)
  assert.deepEqual(sums?.toString().trim().split('\n').toSorted(), lines.toSorted())
}

suite('GoReleaser', { skip }, () => {
  test('publishes releases with notes, archives and a manifest elsewhere, and publishes them again', async (t) => {
    const { ann, bob } = await startHosts(t, ['ann', 'bob'])
    const client = new GitClient(t)
    await call(ann, '/user/repos', { name: 'app' })
    await call(ann, '/user/repos', { name: 'bucket', auto_init: true })
    await call(ann, `${APP}/milestones`, { title: 'v1.1.0' })
    const folder = await makeProject(ann, client)

    await client.commit(folder, 'feat: a program')
    await pushTag(client, folder, 'v1.0.0')
    await runGoReleaser(ann, client, folder)
    const first = await releaseOf(bob, 'v1.0.0')
    assert.match(first.body, /^Head of v1\.0\.0\n## Changelog\s[^]*feat: a program/)
    await assertWhole(first, ['app_1.0.0_linux_amd64.tar.gz', 'app_1.0.0_windows_amd64.zip'])

    await client.git(['config', 'user.email', 'bob@example.org'], folder)
    await client.commit(folder, 'feat: more')
    await pushTag(client, folder, 'v1.1.0')
    await runGoReleaser(ann, client, folder)
    const second = await releaseOf(bob, 'v1.1.0')
    assert.match(second.body, /\* feat: more by @bob\n/)
    assert.doesNotMatch(second.body, /a program/)
    assert.deepEqual([second.draft, second.prerelease], [false, false])
    const [milestone] = await call<{ title: string; state: string }[]>(
      ann,
      `${APP}/milestones?state=all`,
    )
    assert.deepEqual([milestone?.title, milestone?.state], ['v1.1.0', 'closed'])
    const manifest = await call<{ content: string }>(ann, '/repos/ann/bucket/contents/app.json')
    const { version } = JSON.parse(Buffer.from(manifest.content, 'base64').toString()) as {
      version: string
    }
    assert.equal(version, '1.1.0')
    const commits = await call<{ commit: { author: { name: string } } }[]>(
      ann,
      '/repos/ann/bucket/commits',
    )
    assert.deepEqual(
      commits.map(({ commit }) => commit.author.name),
      ['Releaser', 'Releaser', 'ann'],
    )

    await client.commit(folder, 'fix: much')
    await pushTag(client, folder, 'v1.2.0-rc.1')
    await runGoReleaser(ann, client, folder, { draft: true })
    const draft = await releaseOf(ann, 'v1.2.0-rc.1')
    assert.deepEqual([draft.draft, draft.prerelease], [true, true])
    assert.equal((await fetch(draft.assets[0]?.browser_download_url ?? '')).status, 404)
    await runGoReleaser(ann, client, folder, { mode: 'append', footer: 'Now for all' })
    const published = await releaseOf(bob, 'v1.2.0-rc.1')
    assert.deepEqual([published.draft, published.prerelease], [false, true])
    assert.match(published.body, /Foot of v1\.2\.0-rc\.1\s[^]*fix: much by @bob[^]*Now for all\n$/)
  })
})
