import assert from 'node:assert/strict'
import { globSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { suite, test } from 'node:test'
import { MARK } from '../../../src/platform/storage/mark.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl work'
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const multipart = { 'content-type': 'multipart/form-data; boundary=x' }
const upload =
  '--x\r\nContent-Disposition: form-data; name="attachment"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n'

/** Beside what keeps numbers for later, or belongs to no repository. */
const lasting = /^(deploy_key_identity|topic|repository_tally|repository_text_.*|job)$/

async function countRows({ ctx }: TestApp): Promise<Map<string, number>> {
  const tables = (await ctx.db.introspection.getTables()).filter(({ name }) => !lasting.test(name))
  const counts = new Map<string, number>()
  for (const { name } of tables) {
    const query = ctx.db.selectFrom(name as 'account').select((eb) => eb.fn.countAll().as('rows'))
    counts.set(name, Number((await query.executeTakeFirstOrThrow()).rows))
  }
  return counts
}

function storedFiles({ ctx }: TestApp): string[] {
  const found = globSync(join(ctx.config.data, '{files,repositories}', '**', '*'))
  return found.filter((path) => statSync(path).isFile() && basename(path) !== MARK)
}

/** Something of everything that a repository can have. */
async function fill(app: TestApp, ann: TestCaller, bob: TestCaller, teamId: number): Promise<void> {
  const repo = '/repos/acme/r'
  const options = { auto_init: true, issue_labels: 'Default', license: 'MIT' }
  await app.post(ann, '/orgs/acme/repos', { name: 'old', ...options })
  await app.patch(ann, '/repos/acme/old', { name: 'r' })
  const make = async (path: string, body?: object, who = ann) => {
    const answer = await app.post(who, `${repo}${path}`, body)
    assert.ok(answer.status < 300, `${path} ${answer.text}`)
    return answer.body
  }
  await make('/branches', { new_branch_name: 'dev' })
  await make('/contents/b.go', { content: 'cGFja2FnZSBiCg==', branch: 'dev' })
  await make('/milestones', { title: 'first' })
  const [label] = (await app.get(ann, `${repo}/labels`)).body
  await make('/issues', { title: 'one', body: '@bob', assignees: ['bob'], labels: [label.id] })
  await make('/issues', { title: 'two' })
  await make('/issues/1/dependencies', { index: 2, owner: 'acme', repo: 'r' })
  const comment = await make('/issues/1/comments', { body: 'hi' })
  await make(`/issues/comments/${comment.id}/reactions`, { content: 'heart' }, bob)
  await make('/issues/1/times', { time: 60 })
  await make('/issues/1/stopwatch/start')
  const release = await make('/releases', { tag_name: 'v1', target_commitish: 'main' })
  for (const path of [`issues/1`, `issues/comments/${comment.id}`, `releases/${release.id}`])
    assertStatus(await app.post(ann, `${repo}/${path}/assets`, upload, multipart), 201)
  await make('/pulls', { head: 'dev', base: 'main', title: 'three' })
  const remark = { path: 'b.go', body: 'why?', new_position: 1 }
  await make('/pulls/3/reviews', { event: 'COMMENT', body: 'hm', comments: [remark] }, bob)
  const hook = { url: 'http://hook.example/', content_type: 'json' }
  await make('/hooks', { type: 'gitea', config: hook, events: ['push'] })
  await make('/keys', { title: 'work', key: KEY })
  await make('/branch_protections', { rule_name: 'main' })
  await make('/tag_protections', { name_pattern: 'v*', whitelist_usernames: ['ann'] })
  await make('/avatar', { image: PICTURE })
  await make('/actions/variables/V', { value: 'x' })
  const { commit } = (await app.get(ann, `${repo}/branches/main`)).body
  await make(`/statuses/${commit.id}`, { state: 'success' })
  await make('/transfer', { new_owner: 'bob' })
  await app.put(bob, `${repo}/issues/2/subscriptions/bob`)
  await app.put(bob, '/user/starred/acme/r')
  await app.put(bob, `${repo}/subscription`)
  await app.put(ann, `${repo}/collaborators/bob`, { permission: 'read' })
  await app.put(ann, `/teams/${teamId}/repos/acme/r`)
  await app.put(ann, `${repo}/topics`, { topics: ['web'] })
  await app.put(ann, `${repo}/actions/secrets/S`, { data: 'x' })
  await app.ctx.jobs.runDue()
}

suite('what a deleted repository had', () => {
  test('is gone with it, rows and files', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/orgs', { username: 'acme' })
    const team = { name: 'devs', permission: 'write', units: ['repo.code', 'repo.issues'] }
    const made = await app.post(ann, '/orgs/acme/teams', team)
    await app.put(ann, `/teams/${made.body.id}/members/bob`)
    const before = await countRows(app)
    await fill(app, ann, bob, made.body.id as number)
    const filled = await countRows(app)
    const grown = [...filled].filter(([table, rows]) => rows > (before.get(table) ?? 0))
    assert.ok(grown.length > 35, `only ${grown.map(([table]) => table).join(' ')}`)

    assertStatus(await app.delete(ann, '/repos/acme/r'), 204)
    await app.ctx.jobs.runDue()

    assert.deepEqual(await countRows(app), before)
    assert.deepEqual(storedFiles(app), [])
    for (const path of ['/repos/acme/r', '/repos/acme/old'])
      assertStatus(await app.get(ann, path), 404)
    assert.deepEqual((await app.get(bob, '/notifications?all=true')).body, [])
    assert.deepEqual((await app.get(bob, '/user/starred')).body, [])
    assertStatus(await app.post(ann, '/user/keys', { title: 'mine', key: KEY }), 201)
  })
})
