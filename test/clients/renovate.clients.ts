// Runs Renovate, which .ci/renovate has downloaded, so it is no part of `npm test`: npm run
// test:renovate
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import { GitClient } from '../platform/git/support.ts'
import { call, keptClients, startHosts, type Host } from './support.ts'

const program = join(keptClients, 'renovate/node_modules/renovate/dist/renovate.js')
const skip = existsSync(program) ? false : 'no Renovate: .ci/renovate has not downloaded it'

interface Pull {
  readonly number: number
  readonly title: string
  readonly state: string
  readonly merged: boolean
  readonly labels: readonly { readonly name: string }[]
  readonly assignees: readonly { readonly login: string }[] | null
  readonly requested_reviewers: readonly { readonly login: string }[] | null
  readonly head: { readonly ref: string; readonly sha: string }
}

interface Issue {
  readonly number: number
  readonly title: string
  readonly body: string
  readonly state: string
}

const APP = '/repos/ann/app'
const MANIFEST = 'tool.version'
const BRANCH = 'renovate/ann-tool-1.x'

/** What is to be kept up to date: the version of another repository's releases, in a file. */
function settings({ url }: Host): object {
  return {
    labels: ['dependencies'],
    assignees: ['ann'],
    reviewers: ['ann'],
    dependencyDashboard: true,
    rebaseWhen: 'behind-base-branch',
    customManagers: [
      {
        customType: 'regex',
        managerFilePatterns: [MANIFEST],
        matchStrings: ['(?<currentValue>.+)'],
        depNameTemplate: 'ann/tool',
        datasourceTemplate: 'gitea-releases',
        registryUrlTemplate: url,
      },
    ],
  }
}

async function release(host: Host, tag: string): Promise<void> {
  await call(host, '/repos/ann/tool/releases', { tag_name: tag, name: tag, body: `News of ${tag}` })
}

async function write(host: Host, path: string, text: string): Promise<void> {
  const content = Buffer.from(text).toString('base64')
  await call(host, `${APP}/contents/${path}`, { content, message: `add ${path}` })
}

async function readFile(host: Host, path: string): Promise<string> {
  const { content } = await call<{ content: string }>(host, `${APP}/contents/${path}`)
  return Buffer.from(content, 'base64').toString()
}

async function runRenovate(bot: Host, client: GitClient, more: object = {}): Promise<void> {
  await promisify(execFile)(process.execPath, [program, '--autodiscover'], {
    cwd: client.home,
    env: {
      PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
      HOME: client.home,
      LOG_LEVEL: 'warn',
      RENOVATE_PLATFORM: 'gitea',
      RENOVATE_ENDPOINT: bot.url,
      RENOVATE_TOKEN: bot.token,
      RENOVATE_GIT_AUTHOR: 'Renovate <renovate@example.org>',
      RENOVATE_BASE_DIR: join(client.home, 'renovate'),
      RENOVATE_ONBOARDING_CONFIG: JSON.stringify(settings(bot)),
      RENOVATE_PR_HOURLY_LIMIT: '0',
      RENOVATE_COMMIT_HOURLY_LIMIT: '0',
      RENOVATE_FETCH_CHANGE_LOGS: 'off',
      ...more,
    },
  })
}

suite('Renovate', { skip }, () => {
  test('finds its repositories, introduces itself, proposes updates and merges them', async (t) => {
    const { ann, renovate } = await startHosts(t, ['ann', 'renovate'])
    const client = new GitClient(t)
    const pulls = () => call<Pull[]>(ann, `${APP}/pulls?state=all&sort=oldest`)
    const onlyOpen = async () => {
      const [pull, ...others] = await call<Pull[]>(ann, `${APP}/pulls?state=open`)
      assert.ok(pull && others.length === 0)
      return pull
    }
    await call(ann, '/user/repos', { name: 'tool', auto_init: true })
    await release(ann, 'v1.0.0')
    await call(ann, '/user/repos', { name: 'app', auto_init: true })
    await call(ann, `${APP}/labels`, { name: 'dependencies', color: '#00aabb' })
    await write(ann, MANIFEST, 'v1.0.0')
    await call(ann, `${APP}/collaborators/renovate`, { permission: 'write' }, 'PUT')

    await runRenovate(renovate, client)
    const introduction = await onlyOpen()
    assert.equal(introduction.title, 'Configure Renovate')
    await call(ann, `${APP}/pulls/${introduction.number}/merge`, { Do: 'merge' })

    await release(ann, 'v1.1.0')
    await runRenovate(renovate, client)
    const update = await onlyOpen()
    assert.equal(update.head.ref, BRANCH)
    assert.equal(update.title, 'Update dependency ann/tool to v1.1.0')
    assert.deepEqual(
      update.labels.map(({ name }) => name),
      ['dependencies'],
    )
    assert.deepEqual(
      [update.assignees?.[0]?.login, update.requested_reviewers?.[0]?.login],
      ['ann', 'ann'],
    )
    const [dashboard] = await call<Issue[]>(ann, `${APP}/issues?type=issues`)
    assert.equal(dashboard?.title, 'Dependency Dashboard')
    assert.match(dashboard.body, /Update dependency ann\/tool to v1\.1\.0/)

    await write(ann, 'more.txt', 'more')
    await release(ann, 'v1.2.0')
    await runRenovate(renovate, client)
    const renewed = await onlyOpen()
    assert.equal(renewed.number, update.number)
    assert.equal(renewed.title, 'Update dependency ann/tool to v1.2.0')
    const main = await call<{ commit: { id: string } }>(ann, `${APP}/branches/main`)
    const tip = await call<{ parents: { sha: string }[] }>(
      ann,
      `${APP}/git/commits/${renewed.head.sha}`,
    )
    assert.deepEqual(
      tip.parents.map(({ sha }) => sha),
      [main.commit.id],
    )

    await call(ann, `${APP}/statuses/${renewed.head.sha}`, { state: 'success', context: 'ci' })
    await runRenovate(renovate, client, { RENOVATE_AUTOMERGE: 'true' })
    assert.deepEqual(
      (await pulls()).map(({ state, merged }) => [state, merged]),
      [
        ['closed', true],
        ['closed', true],
      ],
    )
    assert.equal(await readFile(ann, MANIFEST), 'v1.2.0')
  })
})
