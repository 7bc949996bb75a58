import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { readDay } from '../../src/activity/routes.ts'
import { startApp, type TestAnswer } from '../support/app.ts'
import { assertError, assertStatus } from '../support/expect.ts'
import { machineOf } from '../support/terminal.ts'

const path = '/repos/ann/r/activities/feeds'
const kinds = ({ body }: TestAnswer) =>
  body.map((item: { op_type: string }) => item.op_type) as string[]

async function withRepository(t: TestContext, options: object = {}) {
  const app = await startApp(t)
  const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
  await app.post(ann, '/user/repos', { name: 'r', ...options })
  return { app, ann, bob }
}

suite('GET /repos/{owner}/{repo}/activities/feeds', () => {
  test('shows what happened, newest first, in the documented form', async (t) => {
    const { app, ann } = await withRepository(t)
    app.passTime(5)
    await app.patch(ann, '/repos/ann/r', { name: 'r2' })
    await app.patch(ann, '/repos/ann/r2', { name: 'r' })

    const answer = await app.get(undefined, path)

    assert.deepEqual(kinds(answer), ['rename_repo', 'rename_repo', 'create_repo'])
    assert.equal(answer.headers['x-total-count'], '3')
    assert.equal(answer.headers['link'], undefined)
    const created = answer.body[2]
    assert.partialDeepStrictEqual(created, {
      content: '',
      ref_name: '',
      is_private: false,
      comment_id: 0,
      comment: null,
      user_id: ann.id,
      act_user_id: ann.id,
      act_user: { login: 'ann', email: `${ann.id}+ann@noreply.codestead.test` },
      repo: {
        full_name: 'ann/r',
        language: '',
        permissions: { admin: false, push: false, pull: true },
      },
    })
    assert.equal(answer.body[1].content, 'r')
    assert.deepEqual(kinds(await app.get(ann, `${path}?limit=1&page=3`)), ['create_repo'])
  })

  test('is for those who see the repository', async (t) => {
    const { app, ann, bob } = await withRepository(t, { private: true })

    for (const who of [undefined, bob]) assertError(await app.get(who, path), 404, 'not found')
    await app.put(ann, '/repos/ann/r/collaborators/bob', { permission: 'read' })
    assert.equal((await app.get(bob, path)).body[0].is_private, true)
  })

  test('shows issues with what was said, to those who read issues', async (t) => {
    const { app, ann, bob } = await withRepository(t, { auto_init: true })
    await app.post(bob, '/repos/ann/r/issues', { title: 'T' })
    const said = await app.post(bob, '/repos/ann/r/issues/1/comments', { body: 'x'.repeat(300) })
    await app.patch(ann, '/repos/ann/r/issues/1', { state: 'closed' })
    await app.delete(bob, `/repos/ann/r/issues/comments/${said.body.id}`)
    const again = await app.post(bob, '/repos/ann/r/issues/1/comments', { body: 'y'.repeat(300) })

    const { body } = await app.get(undefined, path)

    assert.deepEqual(
      body.map((item: { op_type: string; content: string }) => [item.op_type, item.content]),
      [
        ['comment_issue', `1|${'y'.repeat(197)}…`],
        ['close_issue', '1|'],
        ['create_issue', '1|T'],
        ['create_repo', ''],
      ],
    )
    assert.deepEqual(body[0].comment, { ...again.body, user: null })
    assert.partialDeepStrictEqual(body[1].comment, { id: body[1].comment_id, body: '' })
    await app.patch(ann, '/repos/ann/r', { has_issues: false })
    const hidden = await app.get(ann, path)
    assert.deepEqual([kinds(hidden), hidden.headers['x-total-count']], [['create_repo'], '1'])
  })

  test('leaves out who hides their activity, and does not count it', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const root = await app.addAdmin()
    await app.patch(ann, '/user/settings', { hide_activity: true })

    for (const who of [undefined, bob]) {
      const answer = await app.get(who, path)
      assert.deepEqual(answer.body, [])
      assert.equal(answer.headers['x-total-count'], '0')
    }
    for (const who of [ann, root])
      assert.deepEqual(kinds(await app.get(who, path)), ['create_repo'])
  })

  test('leaves out what was private from public-only tokens', async (t) => {
    const { app, ann } = await withRepository(t, { private: true })
    await app.patch(ann, '/repos/ann/r', { private: false })
    const outside = await app.withToken(ann.account, ['public-only', 'all'])

    assert.deepEqual(kinds(await app.get(ann, path)), ['create_repo'])
    assert.deepEqual(kinds(await app.get(outside, path)), [])
  })

  test('selects a day, and ignores what is none', async (t) => {
    const { app } = await withRepository(t)
    const today = new Date().toISOString().slice(0, 10)

    assert.equal((await app.get(undefined, `${path}?date=${today}`)).body.length, 1)
    assert.equal((await app.get(undefined, `${path}?date=2001-01-01`)).body.length, 0)
    for (const date of ['x', '2024-13-01', '2024-02-30', '2024-1-1', "2024-01-01' --", '']) {
      const answer = await app.get(undefined, `${path}?date=${encodeURIComponent(date)}`)
      assertStatus(answer, 200)
      assert.equal(answer.body.length, 1, date)
    }
    assert.deepEqual(readDay('1970-01-02'), { from: 86_400, to: 172_800 })
  })

  test('forgets an account with its deletion', async (t) => {
    const { app } = await withRepository(t)
    const root = await app.addAdmin()
    const cat = await app.addCaller('cat')
    await app.put(root, '/repos/ann/r/collaborators/cat', { permission: 'admin' })
    await app.patch(cat, '/repos/ann/r', { name: 'x' })

    assertStatus(await app.delete(root, '/admin/users/cat'), 204)

    assert.deepEqual(kinds(await app.get(root, '/repos/ann/x/activities/feeds')), ['create_repo'])
  })
})

suite('GET /users/{username}/activities/feeds', () => {
  const feed = '/users/ann/activities/feeds'

  test('shows what somebody did wherever the caller may look; private things to themselves', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const root = await app.addAdmin()
    await app.post(ann, '/user/repos', { name: 'secret', private: true })
    await app.put(ann, '/repos/ann/secret/collaborators/bob', { permission: 'read' })
    await app.post(bob, '/user/repos', { name: 'b' })
    await app.post(ann, '/repos/bob/b/issues', { title: 'T' })
    const shown = ({ body }: TestAnswer) =>
      body.map((item: { op_type: string; repo: { full_name: string } }) =>
        [item.op_type, item.repo.full_name].join(' '),
      ) as string[]

    const open = ['create_issue bob/b', 'create_repo ann/r']
    for (const who of [undefined, bob]) assert.deepEqual(shown(await app.get(who, feed)), open)
    const all = ['create_issue bob/b', 'create_repo ann/secret', 'create_repo ann/r']
    for (const who of [ann, root]) {
      const answer = await app.get(who, feed)
      assert.deepEqual(shown(answer), all)
      assert.equal(answer.headers['x-total-count'], '3')
      assert.equal(answer.headers['link'], undefined)
    }
    const outside = await app.withToken(ann.account, ['public-only', 'all'])
    assert.deepEqual(shown(await app.get(outside, feed)), open)
    const page = await app.get(ann, `${feed}?limit=1&page=2`)
    assert.deepEqual([shown(page), page.headers['x-total-count']], [[all[1]], '3'])
    assert.deepEqual(shown(await app.get(ann, `${feed}?date=2001-01-01`)), [])
    await app.patch(bob, '/repos/bob/b', { has_issues: false })
    assert.deepEqual(shown(await app.get(undefined, feed)), ['create_repo ann/r'])
    await app.patch(ann, '/repos/ann/r', { private: true })
    assert.deepEqual(shown(await app.get(undefined, feed)), [])
    await app.patch(ann, '/repos/ann/r', { private: false })
    assert.deepEqual(shown(await app.get(bob, feed)), [])
  })

  test('is empty for others when somebody hides it, and not there when somebody is hidden', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    await app.patch(ann, '/user/settings', { hide_activity: true })

    assert.deepEqual((await app.get(bob, feed)).body, [])
    assert.deepEqual((await app.get(bob, '/users/ann/heatmap')).body, [])
    assert.equal((await app.get(ann, feed)).body.length, 1)
    assertError(await app.get(bob, '/users/nobody/activities/feeds'), 404)
    assertError(await app.get(bob, '/users/nobody/heatmap'), 404)
    const root = await app.addAdmin()
    await app.patch(root, '/admin/users/ann', { visibility: 'private' })
    assertError(await app.get(bob, feed), 404)
  })
})

suite('GET /orgs/{org}/activities/feeds', () => {
  test('shows what happens in its repositories, private ones to members, also after a transfer', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const root = await app.addAdmin()
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'open' })
    await app.post(ann, '/orgs/acme/repos', { name: 'closed', private: true })
    const feed = '/orgs/acme/activities/feeds'
    const names = ({ body }: TestAnswer) =>
      body.map((item: { repo: { name: string } }) => item.repo.name) as string[]

    for (const who of [undefined, bob]) assert.deepEqual(names(await app.get(who, feed)), ['open'])
    for (const who of [ann, root]) {
      assert.deepEqual(names(await app.get(who, feed)), ['closed', 'open'])
    }
    assert.deepEqual(names(await app.get(bob, '/users/acme/activities/feeds')), ['open'])
    await app.post(ann, '/repos/ann/r/transfer', { new_owner: 'acme' })
    assert.deepEqual(names(await app.get(undefined, feed)), ['r', 'open', 'r'])
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
    assertStatus(await app.put(ann, `${some}/members/bob`, {}), 204)
    const names = ({ body }: TestAnswer) =>
      body.map((item: { repo: { name: string } }) => item.repo.name) as string[]

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
    assertError(await app.get(bob, `${all}/activities/feeds`), 403, 'Must be a team member')
    assertError(await app.get(cat, `${all}/activities/feeds`), 404)
    assertError(await app.get(undefined, `${some}/activities/feeds`), 401)
    assertError(await app.get(ann, '/teams/999/activities/feeds'), 404)
    const narrow = await app.withToken(ann.account, ['read:repository'])
    assertError(await app.get(narrow, `${some}/activities/feeds`), 403)
  })
})

suite('GET /users/{username}/heatmap', () => {
  test('counts what somebody did by quarters of an hour, for a year', async (t) => {
    const { app, ann } = await withRepository(t)
    await app.post(ann, '/user/repos', { name: 'two' })
    app.passTime(900)
    await app.post(ann, '/user/repos', { name: 'three', private: true })

    const { body } = await app.get(ann, '/users/ann/heatmap')
    const others = await app.get(undefined, '/users/ann/heatmap')

    assert.deepEqual(
      body.map(({ contributions }: { contributions: number }) => contributions),
      [2, 1],
    )
    assert.equal(body[1].timestamp - body[0].timestamp, 900)
    assert.equal(body[0].timestamp % 900, 0)
    assert.deepEqual(others.body, [body[0]])
    app.passTime(367 * 86_400)
    assert.deepEqual((await app.get(ann, '/users/ann/heatmap')).body, [])
  })
})
