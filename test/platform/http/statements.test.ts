import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { countStatements } from '../../support/statements.ts'
import { signIn } from '../../web/support.ts'

const one = '/repos/ann/one'

const pages =
  '/ /?feed=others /ann /ann?tab=activity /ann?tab=stars /acme /org/acme/teams /org/acme/members /explore/repos /explore/users /explore/organizations /notifications /issues /pulls /-/admin/users /-/admin/emails /-/admin/orgs /-/admin/repos /-/admin/packages /-/admin /-/admin/users/bob /user/settings /user/settings/keys /user/settings/two-factor /org/acme/settings /repo/create'
const repositoryPages =
  '/issues /issues/1 /pulls /pulls/2 /pulls/2/files /pulls/2/commits /releases /tags /branches /commits/branch/main /activity /labels /milestones /projects /wiki/_pages /stars /watchers /forks /settings /settings/collaboration /settings/branches /settings/tags /settings/hooks /wiki/bob /compare/main...work /src/branch/main /blame/branch/main/bob.txt /releases/new /milestones/new'
const lists =
  '/repos/search /user/repos /orgs/acme/repos /users/search /orgs /admin/users /admin/emails /repos/issues/search /users/ann/activities/feeds /orgs/acme/teams /orgs/acme/members /notifications /user/starred /user/subscriptions /user/followers /user/times'
const repositoryLists =
  '/issues /issues?type=pulls /issues/1/comments /issues/1/timeline /issues/comments /issues/1/reactions /pulls /pulls/2/reviews /pulls/2/commits /pulls/2/files /releases /tags /branches /commits /labels /milestones /stargazers /subscribers /forks /collaborators /hooks /activities/feeds /times /wiki/pages /commits/main/statuses /assignees'

const addresses = [
  ...pages.split(' '),
  ...repositoryPages.split(' ').map((page) => `/ann/one${page}`),
  ...lists.split(' ').map((list) => `/api/v1${list}`),
  ...repositoryLists.split(' ').map((list) => `/api/v1${one}${list}`),
]

const file = (branch: string) => ({ content: Buffer.from(branch).toString('base64'), branch })

/** An issue with much to it, and a pull request from another branch. */
async function begin(app: TestApp, ann: TestCaller): Promise<void> {
  const send = async (path: string, body: object) =>
    assertStatus(await app.post(ann, path, body), 201)
  await send('/orgs', { username: 'acme' })
  await send('/user/repos', { name: 'one', auto_init: true })
  await send(`${one}/issues`, { title: 'One' })
  await send(`${one}/branches`, { new_branch_name: 'work' })
  await send(`${one}/contents/work.txt`, file('work'))
  await send(`${one}/pulls`, { title: 'Work', head: 'work', base: 'main' })
}

/** One more of everything, by somebody who has not been there before. */
async function add(app: TestApp, ann: TestCaller, name: string): Promise<void> {
  const who = await app.addCaller(name)
  const send = async (
    by: TestCaller,
    path: string,
    body: object = {},
  ): Promise<TestAnswer['body']> => {
    const answer = await app.post(by, path, body)
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  for (const [owner, path] of [
    [ann, '/user/repos'],
    [ann, '/orgs/acme/repos'],
    [who, '/user/repos'],
  ] as const) {
    await send(owner, path, { name, auto_init: true, license: 'MIT' })
  }
  await send(ann, '/orgs/acme/teams', { name, permission: 'read', units: ['repo.code'] })
  for (const [by, path] of [
    [ann, `/user/following/${name}`],
    [who, '/user/following/ann'],
    [ann, `/user/starred/${name}/${name}`],
    [who, '/user/starred/ann/one'],
    [who, `${one}/subscription`],
    [ann, `${one}/collaborators/${name}`],
  ] as const) {
    await app.put(by, path)
  }
  const label = await send(ann, `${one}/labels`, { name, color: '#ff0000' })
  const { id: milestone } = await send(ann, `${one}/milestones`, { title: name })
  const said = { body: `@ann and @${name}, see #1` }
  const told = { title: name, ...said, labels: [label.id], milestone, assignees: [name] }
  const { number } = await send(who, `${one}/issues`, told)
  await send(ann, `${one}/issues/${number}/times`, { time: 60 })
  await send(who, `${one}/issues/1/comments`, said)
  await send(ann, `${one}/issues/1/labels`, { labels: [label.id] })
  await send(who, `${one}/issues/1/reactions`, { content: 'heart' })
  const onLine = { path: 'work.txt', new_position: 1, ...said }
  await send(who, `${one}/pulls/2/reviews`, { event: 'COMMENT', ...said, comments: [onLine] })
  const { commit } = await send(who, `${one}/contents/${name}.txt`, file('main'))
  await send(who, `${one}/contents/${name}.txt`, file('work'))
  await send(ann, `${one}/branches`, { new_branch_name: name })
  await send(who, `${one}/contents/own.txt`, file(name))
  await send(who, `${one}/pulls`, { title: name, head: name, base: 'main', ...said })
  await send(ann, `${one}/releases`, { tag_name: `v-${name}`, ...said })
  const hook = { url: 'http://example.org/', content_type: 'json' }
  await send(ann, `${one}/hooks`, { type: 'gitea', config: hook })
  await send(ann, `${one}/wiki/new`, { title: name, content_base64: '' })
  await send(ann, `${one}/projects`, { title: name })
  await send(ann, `${one}/statuses/${commit.sha}`, { state: 'success', context: name })
  await send(who, `${one}/forks`, { name: `of-${name}` })
}

/** How many statements each address takes where so many people have added to everything. */
async function countFor(t: TestContext, names: readonly string[]): Promise<Counts> {
  const app = await startApp(t)
  const ann = await app.addAdmin('ann')
  await begin(app, ann)
  for (const name of names) await add(app, ann, name)
  const visitor = await signIn(app, 'ann')
  const counting = countStatements(t, app)
  const look = async (address: string) =>
    address.startsWith('/api/') ? app.get(ann, `^${address}`) : visitor.get(address)
  const counts: Counts = {}
  for (const address of addresses) {
    // What is kept from then on is not asked for again.
    assertStatus(await look(address), 200)
    counts[address] = await counting(async () => void (await look(address)))
  }
  return counts
}

type Counts = Record<string, number>

suite('a page and a list', () => {
  test('take as many statements for much as for little', async (t) => {
    const few = await countFor(t, ['bob', 'cat'])
    const many = await countFor(t, ['bob', 'cat', 'dan', 'eve'])

    assert.deepEqual(many, few)
  })
})
