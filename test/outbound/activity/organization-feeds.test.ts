import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp, type TestAnswer } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { machineOf } from '../../support/terminal.ts'

const names = ({ body }: TestAnswer) =>
  body.map((item: { repo: { name: string } }) => item.repo.name) as string[]

/** ann with the repository `r`, and bob. */
async function withRepository(t: TestContext) {
  const app = await startApp(t)
  const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
  await app.post(ann, '/user/repos', { name: 'r' })
  return { app, ann, bob }
}

suite('GET /orgs/{org}/activities/feeds', () => {
  test('shows what happens in its repositories, private ones to members, also after a transfer', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const root = await app.addAdmin()
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'open' })
    await app.post(ann, '/orgs/acme/repos', { name: 'closed', private: true })
    const feed = '/orgs/acme/activities/feeds'

    for (const who of [undefined, bob]) assert.deepEqual(names(await app.get(who, feed)), ['open'])
    for (const who of [ann, root]) {
      assert.deepEqual(names(await app.get(who, feed)), ['closed', 'open'])
    }
    assert.deepEqual(names(await app.get(bob, '/users/acme/activities/feeds')), ['open'])
    await app.post(ann, '/orgs', { username: 'other' })
    await app.post(ann, '/orgs/other/repos', { name: 'stays' })
    await app.post(ann, '/repos/ann/r/transfer', { new_owner: 'acme' })
    assert.deepEqual(names(await app.get(undefined, feed)), ['r', 'open', 'r'])
    const ofOther = await app.get(undefined, '/orgs/other/activities/feeds')
    assert.deepEqual(names(ofOther), ['stays'])
    await app.patch(ann, '/user/settings', { hide_activity: true })
    const hidden = await app.get(bob, feed)
    assert.deepEqual([hidden.body, hidden.headers['x-total-count']], [[], '0'])
    assertError(await app.get(bob, '/orgs/none/activities/feeds'), 404)
  })

  test('counts what is shown, whatever became of it, its place and its actor', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const root = await app.addAdmin()
    const cat = await app.addCaller('cat')
    await app.post(ann, '/orgs', { username: 'acme' })
    for (const name of ['one', 'two']) await app.post(ann, '/orgs/acme/repos', { name })
    for (const who of [bob, cat]) await app.post(who, '/repos/acme/one/issues', { title: 'T' })
    const said = await app.post(bob, '/repos/acme/one/issues/2/comments', { body: 'x' })
    const totals = async () => {
      const counts: string[] = []
      for (const who of [undefined, ann, bob, root]) {
        for (const feed of ['/repos/acme/one', '/orgs/acme', '/users/bob']) {
          const every = await app.get(who, `${feed}/activities/feeds`)
          const first = await app.get(who, `${feed}/activities/feeds?limit=1`)
          assert.equal(every.headers['x-total-count'], String(every.body.length))
          assert.equal(first.headers['x-total-count'], String(every.body.length))
          counts.push(every.body.length)
        }
      }
      return counts.join(' ')
    }

    assert.equal(await totals(), '4 5 2 4 5 2 4 5 2 4 5 2')
    await app.patch(bob, '/user/settings', { hide_activity: true })
    assert.equal(await totals(), '2 3 0 2 3 0 4 5 2 4 5 2')
    const today = new Date(app.ctx.now() * 1000).toISOString().slice(0, 10)
    for (const query of ['', `?date=${today}`]) {
      const { body } = await app.get(ann, `/repos/acme/one/activities/feeds${query}`)
      const actors = body.map((item: { act_user: { login: string } }) => item.act_user.login)
      assert.deepEqual(actors, ['cat', 'ann'], query)
    }
    await app.delete(bob, `/repos/acme/one/issues/comments/${said.body.id}`)
    assert.equal(await totals(), '2 3 0 2 3 0 3 4 1 3 4 1')
    await app.patch(bob, '/user/settings', { hide_activity: false })
    await app.patch(root, '/admin/users/bob', { visibility: 'limited' })
    for (const feed of ['/repos/acme/one', '/orgs/acme']) {
      const [outside, inside] = await Promise.all(
        [undefined, ann].map((who) => app.get(who, `${feed}/activities/feeds?limit=1`)),
      )
      const counts = [outside, inside].map((answer) => Number(answer?.headers['x-total-count']))
      assert.deepEqual(counts, feed === '/orgs/acme' ? [3, 4] : [2, 3])
    }
    await app.patch(root, '/admin/users/bob', { visibility: 'private' })
    for (const [who, count] of [
      [undefined, 2],
      [ann, 2],
      [bob, 3],
      [root, 3],
    ] as const)
      assert.equal((await app.get(who, '/repos/acme/one/activities/feeds')).body.length, count)
    await app.patch(root, '/admin/users/bob', { visibility: 'public' })
    await app.patch(ann, '/repos/acme/two', { private: true })
    assert.equal(await totals(), '3 3 1 3 4 1 3 3 1 3 4 1')
    await app.delete(ann, '/repos/acme/one/issues/1')
    assertStatus(await app.delete(root, '/admin/users/cat?purge=true'), 204)
    assert.equal(await totals(), '1 1 0 1 2 0 1 1 0 1 2 0')
    await app.delete(ann, '/repos/acme/one')
    assert.equal((await machineOf(app).admin(['doctor'])).status, 0)
  })

  test('the doctor finds and mends what is filed under another owner, or miscounted', async (t) => {
    const { app } = await withRepository(t)
    const doctor = (...options: string[]) => machineOf(app).admin(['doctor', ...options])
    await app.ctx.db.updateTable('activity').set({ owner_id: 999 }).execute()

    const reported = await doctor()
    const mended = await doctor('--fix')

    assert.match(reported.out, /activities of repository \d+ are another owner's/)
    assert.doesNotMatch(reported.out, /miscounted/)
    assert.equal(mended.status, 0, mended.out)
    assert.equal((await doctor()).status, 0)
    for (const table of ['activity_tally', 'actor_tally'] as const) {
      await app.ctx.db.updateTable(table).set({ activities: 7 }).execute()
      assert.match((await doctor()).out, /activities of repository \d+ are miscounted/)
      assert.equal((await doctor('--fix')).status, 0)
      assert.equal((await doctor()).status, 0)
    }
  })
})

suite('GET /teams/{id}/activities/feeds', () => {
  test('shows what happens in the repositories of a team to those who may read the team', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const [root, cat] = [await app.addAdmin(), await app.addCaller('cat')]
    await app.post(ann, '/orgs', { username: 'acme' })
    for (const name of ['one', 'two', 'three']) {
      await app.post(ann, '/orgs/acme/repos', { name, private: name !== 'three' })
    }
    const add = async (name: string, options: object, repositories: readonly string[]) => {
      const made = await app.post(ann, '/orgs/acme/teams', { name, permission: 'read', ...options })
      for (const repo of repositories) {
        assertStatus(await app.put(ann, `/teams/${made.body.id}/repos/acme/${repo}`, {}), 204)
      }
      return `/teams/${made.body.id}`
    }
    const some = await add('some', { visibility: 'public' }, ['one', 'three'])
    const all = await add('all', { includes_all_repositories: true }, [])
    await add('others', {}, ['two', 'one'])
    assertStatus(await app.put(ann, `${some}/members/bob`, {}), 204)

    for (const who of [ann, bob, root]) {
      const answer = await app.get(who, `${some}/activities/feeds`)
      assert.deepEqual(names(answer), ['three', 'one'])
      assert.equal(answer.headers['x-total-count'], '2')
      assert.equal(answer.headers['link'], undefined)
    }
    const page = await app.get(ann, `${some}/activities/feeds?limit=1&page=2`)
    assert.deepEqual([names(page), page.headers['x-total-count']], [['one'], '2'])
    assert.deepEqual(names(await app.get(ann, `${some}/activities/feeds?date=2001-01-01`)), [])
    assert.deepEqual(names(await app.get(cat, `${some}/activities/feeds`)), ['three'])
    for (const who of [ann, root]) {
      const answer = await app.get(who, `${all}/activities/feeds`)
      assert.deepEqual(names(answer), ['three', 'two', 'one'])
    }
    // So many that they are walked through in their order.
    const { db } = app.ctx
    for (const name of ['one', 'two']) {
      const { id, owner } = (await app.get(ann, `/repos/acme/${name}`)).body
      const row = {
        repository_id: id,
        account_id: ann.id,
        owner_id: owner.id,
        is_private: 1,
      } as const
      const rows = Array.from({ length: 501 }, (_, at) => ({
        ...row,
        kind: 'rename_repo',
        created_at: app.ctx.now() + at,
      }))
      await db.insertInto('activity').values(rows).execute()
    }
    const many = await app.get(ann, `${some}/activities/feeds?limit=50`)
    assert.deepEqual([...new Set(names(many))], ['one'])
    assert.equal(many.headers['x-total-count'], '503')
    const last = await app.get(ann, `${some}/activities/feeds?limit=3&page=168`)
    assert.deepEqual(names(last), ['three', 'one'])
    assertError(await app.get(bob, `${all}/activities/feeds`), 403, 'Must be a team member')
    assertError(await app.get(cat, `${all}/activities/feeds`), 404)
    assertError(await app.get(undefined, `${some}/activities/feeds`), 401)
    assertError(await app.get(ann, '/teams/999/activities/feeds'), 404)
    const narrow = await app.withToken(ann.account, ['read:repository'])
    assertError(await app.get(narrow, `${some}/activities/feeds`), 403)
  })
})
