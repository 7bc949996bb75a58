import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { readDay } from '../../../src/outbound/activity/routes.ts'
import { startApp, type TestAnswer, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

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

  test('shows what is of a kind that nobody knows to those alone who read all units', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    await app.ctx.db
      .insertInto('activity')
      .values({ repository_id: 1, account_id: ann.id, kind: 'run_workflow', created_at: 1 })
      .execute()
    const feeds = () =>
      Promise.all(
        [path, '/users/ann/activities/feeds'].map(async (feed) => {
          const answer = await app.get(bob, feed)
          return [...kinds(answer), answer.headers['x-total-count']]
        }),
      )

    assert.deepEqual((await feeds())[0], ['create_repo', 'run_workflow', '2'])
    await app.patch(ann, '/repos/ann/r', { has_issues: false })
    for (const feed of await feeds()) assert.deepEqual(feed, ['create_repo', '1'])
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
    await app.post(ann, '/user/repos', { name: 'other' })
    for (const who of [ann, root]) {
      const answer = await app.get(who, path)
      assert.deepEqual(kinds(answer), ['create_repo'])
      assert.equal(answer.headers['x-total-count'], '1')
    }
  })

  test('leaves out whom the caller may not see, and shows everybody themselves as they are', async (t) => {
    const { app, ann, bob } = await withRepository(t)
    const root = await app.addAdmin()
    const lea = await app.addCaller('lea', { visibility: 'limited' })
    const pia = await app.addCaller('pia', { visibility: 'private' })
    for (const who of [lea, pia]) await app.post(who, '/repos/ann/r/issues', { title: who.name })
    const [ofLea, ofPia] = ['1|lea', '2|pia']
    const cases: [TestCaller | undefined, readonly string[]][] = [
      [undefined, ['']],
      [bob, [ofLea, '']],
      [ann, [ofLea, '']],
      [lea, [ofLea, '']],
      [pia, [ofPia, ofLea, '']],
      [root, [ofPia, ofLea, '']],
      [await app.withToken(root.account, ['all', 'public-only']), [ofLea, '']],
    ]

    for (const [who, contents] of cases) {
      const { body, headers } = await app.get(who, path)
      assert.deepEqual(
        body.map(({ content }: { content: string }) => content),
        contents,
        who?.name,
      )
      assert.equal(headers['x-total-count'], String(contents.length), who?.name)
      const sees = who === root || who === lea
      const actor = body.find(({ content }: { content: string }) => content === ofLea)?.act_user
      if (actor) assert.equal(actor.active, sees, 'the privileged view')
    }
    assert.deepEqual(Object.keys((await app.get(bob, path)).body[0]), [
      'id',
      'user_id',
      'op_type',
      'act_user_id',
      'act_user',
      'repo_id',
      'repo',
      'comment_id',
      'comment',
      'ref_name',
      'is_private',
      'content',
      'created',
    ])
    assertStatus(await app.delete(ann, '/repos/ann/r'), 204)
    assert.deepEqual(await app.ctx.db.selectFrom('activity').selectAll().execute(), [])
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

  test('begins a day with its first second and ends it with its last, the newest first', async (t) => {
    const { app, ann } = await withRepository(t)
    const times = [86_400, 172_799, 172_800, 86_399]
    for (const [at] of times.entries())
      await app.post(ann, '/repos/ann/r/issues', { title: `${at}` })
    for (const [at, time] of times.entries())
      await app.ctx.db
        .updateTable('activity')
        .set({ created_at: time })
        .where('content', '=', `${at + 1}|${at}`)
        .execute()

    const day = await app.get(undefined, `${path}?date=1970-01-02`)
    const everything = await app.get(undefined, path)

    const contents = ({ body }: TestAnswer) =>
      body.map(({ content }: { content: string }) => content) as string[]
    assert.deepEqual(contents(day), ['2|1', '1|0'])
    assert.equal(day.headers['x-total-count'], '2')
    assert.deepEqual(contents(everything), ['', '3|2', '2|1', '1|0', '4|3'])
    assert.deepEqual(contents(await app.get(undefined, `${path}?limit=2&page=2`)), ['2|1', '1|0'])
    const last = await app.get(undefined, `${path}?date=1970-01-02&limit=1&page=9`)
    assert.deepEqual([last.body, last.headers['x-total-count']], [[], '2'])
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
    for (const who of [undefined, bob]) {
      const answer = await app.get(who, feed)
      assert.deepEqual(shown(answer), open)
      assert.equal(answer.headers['x-total-count'], '2')
    }
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
