import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { upload } from '../attachments/form.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { countTurns } from '../../support/turns.ts'
import { foldersOf } from './support.ts'

async function withRepository(t: TestContext, options: object = {}) {
  const app = await startApp(t)
  const ann = await app.addCaller('ann')
  const { body } = await app.post(ann, '/user/repos', { name: 'r', auto_init: true, ...options })
  return { app, ann, id: body.id as number }
}

suite('DELETE /repos/{owner}/{repo}', () => {
  test('removes the record at once and the directory by a job', async (t) => {
    const { app, ann, id } = await withRepository(t)

    const answer = await app.delete(ann, '/repos/ann/r')

    assert.equal(answer.status, 204)
    assert.equal(answer.text, '')
    assertError(await app.get(ann, '/repos/ann/r'), 404, 'not found')
    assertError(await app.get(ann, `/repositories/${id}`), 404, 'not found')
    assertError(await app.delete(ann, '/repos/ann/r'), 404, 'not found')
    await app.ctx.jobs.runDue()
    assert.deepEqual(foldersOf(app), [])
    assert.deepEqual(await app.ctx.db.selectFrom('job').selectAll().execute(), [])
    for (const table of ['activity', 'repository_unit', 'watch', 'repository_redirect'] as const) {
      assert.deepEqual(await app.ctx.db.selectFrom(table).selectAll().execute(), [], table)
    }
  })

  test('is for owners', async (t) => {
    const { app, ann } = await withRepository(t, { private: true })
    const bob = await app.addCaller('bob')
    const refused = 'user should be the owner of the repo'

    assertError(await app.delete(undefined, '/repos/ann/r'), 404, 'not found')
    assertError(await app.delete(bob, '/repos/ann/r'), 404, 'not found')
    for (const permission of ['read', 'write', 'admin']) {
      await app.put(ann, '/repos/ann/r/collaborators/bob', { permission })
      assertError(await app.delete(bob, '/repos/ann/r'), 403, refused)
    }
    const reader = await app.withToken(ann.account, ['read:repository'])
    assertError(await app.delete(reader, '/repos/ann/r'), 403, /required=\[write:repository\]/)
    const outside = await app.withToken(ann.account, ['public-only', 'all'])
    assertError(await app.delete(outside, '/repos/ann/r'), 404, 'not found')
    await app.patch(ann, '/repos/ann/r', { private: false, archived: true, template: true })
    assertError(await app.delete(undefined, '/repos/ann/r'), 401, 'token is required')
    assertError(await app.delete(await app.addCaller('cat'), '/repos/ann/r'), 403, refused)
    assertStatus(await app.delete(await app.addAdmin(), '/repos/ann/r'), 204)
  })

  test('in an organization is for its administrating teams', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/orgs', { username: 'acme' })
    const callers = []
    for (const [name, permission] of [
      ['writer', 'write'],
      ['lead', 'admin'],
    ]) {
      callers.push(await app.addCaller(name ?? ''))
      const made = await app.post(ann, '/orgs/acme/teams', {
        name,
        permission,
        units: ['repo.code'],
        includes_all_repositories: true,
      })
      await app.put(ann, `/teams/${made.body.id}/members/${name}`)
    }
    for (const name of ['r', 's']) await app.post(ann, '/orgs/acme/repos', { name, private: true })
    const narrow = { name: 'narrow', permission: 'admin', units: ['repo.code'] }
    const { id } = (await app.post(ann, '/orgs/acme/teams', narrow)).body
    const bob = await app.addCaller('bob')
    await app.put(ann, `/teams/${id}/members/bob`)
    const refused = 'user should be the owner of the repo'

    assertError(await app.delete(bob, '/repos/acme/r'), 404, 'not found')
    await app.put(ann, '/repos/acme/r/collaborators/bob', { permission: 'admin' })
    assertError(await app.delete(bob, '/repos/acme/r'), 403, refused)
    assertError(await app.delete(callers[0], '/repos/acme/r'), 403, refused)
    assertStatus(await app.delete(callers[1], '/repos/acme/r'), 204)
    await app.put(ann, `/teams/${id}/repos/acme/s`)
    assertStatus(await app.delete(bob, '/repos/acme/s'), 204)
  })

  test('makes forks ordinary repositories, and counts them no longer', async (t) => {
    const { app, ann } = await withRepository(t)
    const bob = await app.addCaller('bob')
    const cat = await app.addCaller('cat')
    await app.post(bob, '/repos/ann/r/forks', {})
    await app.post(cat, '/repos/bob/r/forks', {})
    assert.equal((await app.get(ann, '/repos/ann/r')).body.forks_count, 1)

    await app.delete(ann, '/repos/ann/r')
    const orphan = (await app.get(bob, '/repos/bob/r')).body
    assert.partialDeepStrictEqual(orphan, { fork: false, empty: false, forks_count: 1 })
    assert.equal(orphan.parent, undefined)
    await app.delete(cat, '/repos/cat/r')
    assert.equal((await app.get(bob, '/repos/bob/r')).body.forks_count, 0)
  })

  test('takes stars and topics out of the counts', async (t) => {
    const { app, ann } = await withRepository(t)
    const bob = await app.addCaller('bob')
    await app.put(bob, '/user/starred/ann/r')
    await app.post(ann, '/user/repos', { name: 'other' })
    for (const name of ['r', 'other'])
      await app.put(ann, `/repos/ann/${name}/topics`, { topics: ['web'] })
    const counts = async () =>
      (await app.get(bob, '/topics/search')).body.topics.map(
        (topic: { repo_count: number }) => topic.repo_count,
      )
    assert.deepEqual(await counts(), [2])

    await app.delete(ann, '/repos/ann/r')

    assert.equal((await app.get(bob, '/user')).body.starred_repos_count, 0)
    assert.deepEqual(await counts(), [1])
    await app.delete(ann, '/repos/ann/other')
    assert.deepEqual(await counts(), [])
  })

  test('frees the name at once, and nothing of it is reached by the next of that name', async (t) => {
    const { app, ann, id } = await withRepository(t, { description: 'first' })
    const issue = '/repos/ann/r/issues/1'
    await app.post(ann, '/repos/ann/r/issues', { title: 'T' })
    const { body: attachment } = await upload(app, ann, `${issue}/assets`)

    await app.delete(ann, '/repos/ann/r')
    const second = await app.post(ann, '/user/repos', { name: 'R' })

    assert.equal(second.status, 201)
    assert.notEqual(second.body.id, id)
    assertError(await app.get(ann, issue), 404)
    await app.post(ann, '/repos/ann/r/issues', { title: 'T' })
    assert.deepEqual((await app.get(ann, `${issue}/assets`)).body, [])
    assertError(await app.get(ann, `${issue}/assets/${attachment.id}`), 404)
    for (const place of ['^/attachments', '^/ann/r/attachments'])
      assertStatus(await app.get(ann, `${place}/${attachment.uuid}`), 404)
    assertError(await app.get(ann, `/repositories/${id}`), 404)
    await app.ctx.jobs.runDue()
    assert.equal(foldersOf(app).length, 1)
  })

  test('answers others while its issues go', async (t) => {
    const { app, ann } = await withRepository(t)
    await app.post(ann, '/user/repos', { name: 'bare' })
    assertStatus(await app.post(ann, '/repos/ann/r/issues', { title: 'first' }), 201)
    await repeatIssue(app, 600)

    const least = await countTurns(() => app.delete(ann, '/repos/ann/bare'))
    const turns = await countTurns(() => app.delete(ann, '/repos/ann/r'))

    assert.ok(turns >= least + 2, `${turns} turns of the event loop, and ${least} without issues`)
    assert.deepEqual(await app.ctx.db.selectFrom('issue').select('id').execute(), [])
  })

  test('ten times at once answers 204 once', async (t) => {
    const { app, ann } = await withRepository(t)

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => app.delete(ann, '/repos/ann/r')),
    )

    assert.equal(answers.filter(({ status }) => status === 204).length, 1)
    assert.equal(answers.filter(({ status }) => status === 404).length, 9)
  })
})

/** As many more as the only one that there is, past the API. */
async function repeatIssue({ ctx: { db } }: TestApp, count: number): Promise<void> {
  const { id, ...first } = await db.selectFrom('issue').selectAll().executeTakeFirstOrThrow()
  for (let more = 1; more <= count; more += 100) {
    const copies = Array.from({ length: 100 }, (_, index) => ({
      ...first,
      number: id + more + index,
    }))
    await db.insertInto('issue').values(copies).execute()
  }
}

suite('accounts that own repositories', () => {
  test('are not deleted, unless everything goes with them', async (t) => {
    const { app } = await withRepository(t)
    const root = await app.addAdmin()

    assertError(await app.delete(root, '/admin/users/ann'), 422, /repositories/)
    assertStatus(await app.delete(root, '/admin/users/ann?purge=true'), 204)

    await app.ctx.jobs.runDue()
    assert.deepEqual(foldersOf(app), [])
    assertError(await app.get(root, '/repos/ann/r'), 404)
  })

  test('of organizations neither', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'r' })

    assertError(await app.delete(ann, '/orgs/acme'), 422, /repositories/)
    await app.delete(ann, '/repos/acme/r')
    assertStatus(await app.delete(ann, '/orgs/acme'), 204)
  })
})
