import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { randomOf } from '../../support/random.ts'
import { machineOf } from '../../support/terminal.ts'

const people = ['ann', 'bob', 'cat']
const organizations = ['acme', 'apex']
const owners = [...people, ...organizations]
const names = ['one', 'two']

/**
 * What stands in braces below is chosen anew for each call; some of it is there by then, and some
 * of it is not.
 */
const choices: Readonly<Record<string, readonly (string | number | boolean)[]>> = {
  person: people,
  org: organizations,
  owner: owners,
  name: names,
  repo: owners.flatMap((owner) => names.map((name) => `${owner}/${name}`)),
  yes: [true, false],
  level: ['read', 'write', 'admin'],
  state: ['open', 'closed'],
  branch: ['main', 'b1', 'b2'],
  tag: ['v1', 'v2'],
  topic: ['t1', 't2'],
  issue: [1, 2, 3],
  id: Array.from({ length: 20 }, (_, index) => index + 1),
}

const repo = '/repos/{repo}'
const issue = `${repo}/issues/{issue}`
const file = { content: 'eA==', message: 'fixes #1', branch: '{branch}' }

const writes: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['POST', '/user/repos', { name: '{name}', auto_init: '{yes}', template: '{yes}' }],
  ['POST', '/orgs/{org}/repos', { name: '{name}', private: '{yes}' }],
  ['POST', '/admin/users/{person}/repos', { name: '{name}', auto_init: true }],
  ['DELETE', repo],
  ['PATCH', repo, { private: '{yes}' }],
  ['PATCH', repo, { name: '{name}' }],
  ['PATCH', repo, { archived: '{yes}' }],
  ['PATCH', repo, { has_issues: '{yes}', has_wiki: '{yes}' }],
  ['POST', `${repo}/forks`, { organization: '{org}', name: '{name}' }],
  ['POST', `${repo}/forks`, {}],
  ['POST', `${repo}/generate`, { owner: '{owner}', name: '{name}', git_content: true }],
  ['POST', `${repo}/transfer`, { new_owner: '{owner}' }],
  ['POST', `${repo}/transfer/accept`],
  ['POST', `${repo}/transfer/reject`],
  ['PUT', '/user/starred/{repo}'],
  ['DELETE', '/user/starred/{repo}'],
  ['PUT', `${repo}/subscription`],
  ['DELETE', `${repo}/subscription`],
  ['PUT', `${repo}/collaborators/{person}`, { permission: '{level}' }],
  ['DELETE', `${repo}/collaborators/{person}`],
  ['PUT', `${repo}/topics`, { topics: ['{topic}', '{topic}'] }],
  ['DELETE', `${repo}/topics/{topic}`],
  ['POST', '/orgs', { username: '{org}' }],
  ['DELETE', '/orgs/{org}'],
  ['POST', '/orgs/{org}/rename', { new_name: '{org}' }],
  ['POST', '/admin/users/{person}/rename', { new_username: '{person}' }],
  [
    'POST',
    '/orgs/{org}/teams',
    {
      name: '{name}',
      permission: '{level}',
      units: ['repo.code'],
      includes_all_repositories: '{yes}',
    },
  ],
  ['PATCH', '/teams/{id}', { permission: '{level}', includes_all_repositories: '{yes}' }],
  ['DELETE', '/teams/{id}'],
  ['PUT', '/teams/{id}/members/{person}'],
  ['DELETE', '/teams/{id}/members/{person}'],
  ['PUT', '/teams/{id}/repos/{repo}'],
  ['DELETE', '/orgs/{org}/members/{person}'],
  ['PUT', '/user/following/{person}'],
  ['PUT', '/user/blocks/{person}'],
  ['DELETE', '/user/blocks/{person}'],
  ['PUT', '/orgs/{org}/blocks/{person}'],
  ['POST', `${repo}/issues`, { title: 'x', body: 'see #1 @ann', assignees: ['{person}'] }],
  ['PATCH', issue, { state: '{state}', assignees: ['{person}'] }],
  ['PATCH', issue, { milestone: '{id}' }],
  ['DELETE', issue],
  ['POST', `${issue}/comments`, { body: 'see #2 @bob' }],
  ['POST', `${issue}/labels`, { labels: ['{id}'] }],
  ['POST', `${issue}/dependencies`, { owner: '{owner}', repo: '{name}', index: '{issue}' }],
  ['POST', `${issue}/reactions`, { content: '+1' }],
  ['POST', `${issue}/stopwatch/start`],
  ['POST', `${repo}/labels`, { name: '{topic}', color: '#ff0000' }],
  ['DELETE', `${repo}/labels/{id}`],
  ['POST', `${repo}/milestones`, { title: '{tag}' }],
  ['DELETE', `${repo}/milestones/{id}`],
  ['POST', `${repo}/releases`, { tag_name: '{tag}', draft: '{yes}' }],
  ['PATCH', `${repo}/releases/{id}`, { tag_name: '{tag}', draft: '{yes}' }],
  ['DELETE', `${repo}/releases/{id}`],
  ['DELETE', `${repo}/tags/{tag}`],
  ['POST', `${repo}/branches`, { new_branch_name: '{branch}' }],
  ['DELETE', `${repo}/branches/{branch}`],
  ['POST', `${repo}/contents/{id}`, file],
  ['POST', `${repo}/pulls`, { title: 'p', head: '{branch}', base: 'main' }],
  ['POST', `${repo}/pulls`, { title: 'p', head: '{owner}:main', base: 'main' }],
  ['POST', `${repo}/pulls/{issue}/merge`, { Do: 'merge', delete_branch_after_merge: '{yes}' }],
  ['POST', `${repo}/branch_protections`, { rule_name: '{branch}' }],
  ['POST', `${repo}/wiki/new`, { title: '{tag}', content_base64: 'eA==' }],
]

const ROUNDS = 40
const AT_ONCE = 12

suite('whatever is done at the same time', () => {
  test('is answered, and leaves everything in order', async (t) => {
    const app = await startApp(t)
    const callers = [await app.addAdmin()]
    for (const name of people) callers.push(await app.addCaller(name))
    const random = randomOf(1)

    for (let round = 0; round < ROUNDS; round++) {
      const calls = Array.from({ length: AT_ONCE }, () => callAny(app, callers, random))
      assert.deepEqual((await Promise.all(calls)).filter(isFailure), [])
    }

    const doctor = await machineOf(app).admin(['doctor'])
    assert.equal(doctor.status, 0, doctor.out)
  })
})

/** Tells what was asked, and what it was answered. */
async function callAny(
  app: TestApp,
  callers: readonly TestCaller[],
  random: () => number,
): Promise<string> {
  const [method, path, body] = anyOf(writes, random)
  const filled = body && (JSON.parse(fill(JSON.stringify(body), random)) as unknown)
  const at = fill(path, random)
  const { status, text } = await app.send(anyOf(callers, random), method, at, filled)
  return `${status} ${method} ${at} ${JSON.stringify(filled)} ${text}`
}

/** PostgreSQL may have undone one of two that waited for each other, which is 503. */
function isFailure(told: string): boolean {
  return told.startsWith('5') && !told.startsWith('503')
}

/** In JSON, numbers and booleans lose their quotation marks. */
function fill(text: string, random: () => number): string {
  return text.replace(/"\{(\w+)\}"|\{(\w+)\}/g, (_all, whole?: string, part?: string) => {
    const chosen = anyOf(choices[whole ?? part ?? ''] ?? [], random)
    return whole === undefined ? String(chosen) : JSON.stringify(chosen)
  })
}

function anyOf<T>(all: readonly T[], random: () => number): T {
  const one = all[Math.floor(random() * all.length)]
  assert.ok(one !== undefined)
  return one
}
