import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { column, issues, repo, withTracker } from '../../collaboration/issues/setup.ts'
import { openPull, startWithReaders, startWithTopic } from '../../collaboration/pulls/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const titles = (body: { subject: { title: string } }[]) => body.map(({ subject }) => subject.title)

suite('notifications', () => {
  test('tell of a new issue and comment who watches, takes part or is addressed, not who wrote it', async (t) => {
    const { app, ann, bob, cat, open } = await withTracker(t)
    const dan = await app.addCaller('dan')
    const eve = await app.addCaller('eve')
    await app.put(eve, `${repo}/subscription`)
    const news = async (who: typeof ann) => {
      await app.ctx.jobs.runDue()
      return (await app.get(who, '/notifications/new')).body.new as number
    }
    const count = async () => [
      await news(ann),
      await news(bob),
      await news(cat),
      await news(dan),
      await news(eve),
    ]

    await open(bob, { title: 'x', body: 'ask @dan' })

    assert.deepEqual(await count(), [1, 0, 0, 1, 1])
    await app.patch(ann, `${issues}/1`, { assignees: ['cat'] })
    assert.deepEqual(await count(), [1, 0, 1, 1, 1])
    await app.delete(dan, `${issues}/1/subscriptions/dan`)
    await app.put(eve, '/user/blocks/ann')
    for (const who of [ann, cat, dan, eve]) await app.put(who, '/notifications')
    assert.deepEqual(await count(), [0, 0, 0, 0, 0])
    await app.post(ann, `${issues}/1/comments`, { body: 'c' })
    assert.deepEqual(await count(), [0, 1, 1, 0, 0])

    const states = ['closed', 'open']
    for (const state of states) {
      for (const who of [bob, cat]) await app.put(who, '/notifications')
      await app.patch(ann, `${issues}/1`, { state })
      assert.deepEqual(await count(), [0, 1, 1, 0, 0], state)
      assert.equal((await app.get(bob, '/notifications')).body[0].subject.state, state)
    }
  })

  test('tell who is assigned or asked for a review, once, and nobody else', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    const cat = await app.addCaller('cat')
    for (const who of [bob, cat]) {
      await app.put(ann, `${path}/collaborators/${who.name}`, { permission: 'write' })
      await app.delete(who, `${path}/subscription`)
    }
    const { number } = await openPull(setup)
    const pull = `${path}/pulls/${number as number}`
    const unread = async () => {
      await app.ctx.jobs.runDue()
      const count = async (who: typeof ann) => (await app.get(who, '/notifications/new')).body.new
      const counts = [await count(ann), await count(bob), await count(cat)]
      for (const who of [ann, bob, cat]) await app.put(who, '/notifications')
      return counts
    }
    assert.deepEqual(await unread(), [0, 0, 0])

    await app.patch(ann, `${path}/issues/${number as number}`, { assignees: ['ann', 'bob'] })
    assert.deepEqual(await unread(), [0, 1, 0])
    await app.patch(ann, `${path}/issues/${number as number}`, { assignees: ['bob'] })
    await app.patch(ann, `${path}/issues/${number as number}`, { assignees: [] })
    assert.deepEqual(await unread(), [0, 0, 0])
    for (const expected of [1, 0]) {
      await app.post(ann, `${pull}/requested_reviewers`, { reviewers: ['cat'] })
      assert.deepEqual(await unread(), [0, 0, expected])
    }
    await app.delete(ann, `${pull}/requested_reviewers`, { reviewers: ['cat'] })
    assert.deepEqual(await unread(), [0, 0, 0])
    await app.put(bob, '/user/blocks/ann')
    await app.patch(ann, `${path}/issues/${number as number}`, { assignees: ['bob'] })
    assert.deepEqual(await unread(), [0, 0, 0])
  })

  test('tell those in a team that is asked for a review, as far as they want to hear of it', async (t) => {
    const org = await startWithReaders(t)
    const { app, ann, bob, path } = org
    const [cat, dan] = [await app.addCaller('cat'), await app.addCaller('dan')]
    for (const who of [ann, cat, dan]) await app.put(ann, `${org.readers}/members/${who.name}`)
    const { number } = await openPull(org)
    await app.put(dan, `${path}/issues/${number as number}/subscriptions/dan`)
    await app.delete(dan, `${path}/issues/${number as number}/subscriptions/dan`)
    await app.ctx.jobs.runDue()
    const everybody = [ann, bob, cat, dan]
    for (const who of everybody) await app.put(who, '/notifications')
    const unread = async () => {
      await app.ctx.jobs.runDue()
      const lists = everybody.map(async (who) =>
        titles((await app.get(who, '/notifications')).body),
      )
      return Promise.all(lists)
    }

    const requested = `${path}/pulls/${number as number}/requested_reviewers`
    assertStatus(await app.post(ann, requested, { team_reviewers: ['Readers'] }), 201)
    assert.deepEqual(await unread(), [[], ['the work'], ['the work'], []])
    for (const who of everybody) await app.put(who, '/notifications')
    assertStatus(await app.delete(ann, requested, { team_reviewers: ['Readers'] }), 204)
    assert.deepEqual(await unread(), [[], [], [], []])
  })

  test('tell also who asked for it or said something before, of that issue alone', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    const fay = await app.addCaller('fay')
    const gus = await app.addCaller('gus')
    const hal = await app.addCaller('hal')
    for (const title of ['one', 'another']) await open(ann, { title })
    await app.ctx.jobs.runDue()
    for (const who of [fay, hal]) await app.put(who, `${issues}/1/subscriptions/${who.name}`)
    await app.post(gus, `${issues}/1/comments`, { body: 'c' })
    await app.ctx.jobs.runDue()
    for (const who of [fay, hal]) await app.put(who, '/notifications')
    const { db } = app.ctx
    await db.updateTable('account').set({ is_active: 0 }).where('id', '=', hal.id).execute()
    /** Those who have not read something, whether they may sign in or not. */
    const unread = async () => {
      await app.ctx.jobs.runDue()
      const rows = await db
        .selectFrom('notification')
        .innerJoin('account', 'account.id', 'notification.account_id')
        .select('account.name')
        .where('status', '=', 'unread')
        .where('account.name', 'in', ['fay', 'gus', 'hal'])
        .execute()
      return rows.map(({ name }) => name).sort()
    }

    await app.post(bob, `${issues}/2/comments`, { body: 'c' })
    assert.deepEqual(await unread(), [])
    await app.post(bob, `${issues}/1/comments`, { body: 'c' })
    assert.deepEqual(await unread(), ['fay', 'gus'])
  })

  test('are listed in one form, by status, kind, time and repository', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    await app.post(ann, '/user/repos', { name: 'other' })
    await open(bob, { title: 'one' })
    await app.ctx.jobs.runDue()
    app.passTime(100)
    const between = encodeURIComponent(new Date((app.ctx.now() - 50) * 1000).toISOString())
    await open(bob, { title: 'two' }, '/repos/ann/other/issues')
    const comment = await app.post(bob, '/repos/ann/other/issues/1/comments', { body: 'c' })
    await app.ctx.jobs.runDue()
    const list = async (query: string, path = '/notifications') => {
      const { body, headers } = await app.get(ann, `${path}?${query}`)
      assert.equal(headers['x-total-count'], String(body.length))
      return titles(body)
    }

    const [thread] = (await app.get(ann, '/notifications')).body

    assert.deepEqual(thread.subject, {
      title: 'two',
      url: 'http://codestead.test/api/v1/repos/ann/other/issues/1',
      latest_comment_url: `http://codestead.test/api/v1/repos/ann/other/issues/comments/${comment.body.id}`,
      html_url: 'http://codestead.test/ann/other/issues/1',
      latest_comment_html_url: `http://codestead.test/ann/other/issues/1#issuecomment-${comment.body.id}`,
      type: 'Issue',
      state: 'open',
    })
    assert.deepEqual([thread.unread, thread.pinned], [true, false])
    assert.equal(thread.repository.full_name, 'ann/other')
    const own = `/notifications/threads/${thread.id}`
    assert.equal(thread.url, `http://codestead.test/api/v1${own}`)
    assert.deepEqual((await app.get(ann, own)).body, thread)
    assert.deepEqual(await list(''), ['two', 'one'])
    assert.deepEqual(await list(`since=${between}`), ['two'])
    assert.deepEqual(await list(`before=${between}`), ['one'])
    assert.deepEqual(await list('subject-type=pull'), [])
    assert.deepEqual(await list('subject-type=issue&subject-type=commit'), ['two', 'one'])
    assert.deepEqual(await list('', `${repo}/notifications`), ['one'])
    const read = await app.patch(ann, own)
    assert.deepEqual([read.status, read.body.unread], [205, false])
    assert.deepEqual(await list(''), ['one'])
    assert.deepEqual(await list('all=true'), ['two', 'one'])
    assert.deepEqual(await list('status-types=read'), ['two'])
    assert.deepEqual(await list('status-types=read&status-types=unread'), ['two', 'one'])
    assert.deepEqual(await list('status-types=other'), ['one'])
    assert.equal((await app.patch(ann, `${own}?to-status=pinned`)).body.pinned, true)
    assert.deepEqual(await list(''), ['two', 'one'])
    const at = encodeURIComponent(thread.updated_at)
    assert.deepEqual(await list(`since=${at}&before=${at}`), ['two'])
    // Rows are enough: nothing else is looked at here.
    await app.ctx.db.updateTable('issue').set({ is_pull: 1 }).where('title', '=', 'two').execute()
    await app.ctx.db
      .updateTable('notification')
      .set({ is_pull: 1 })
      .where('id', '=', thread.id)
      .execute()
    assert.deepEqual(await list('subject-type=Pull'), ['two'])
    assert.deepEqual(await list('subject-type=issue'), ['one'])
    assert.deepEqual(await list('subject-type=pull,issue'), ['two', 'one'])
    assert.deepEqual(await list('subject-type=commit'), [])
    assert.equal((await app.get(ann, own)).body.subject.type, 'Pull')
    assertError(await app.get(ann, '/notifications?since=x'), 422)
    for (const who of [bob, undefined]) {
      const status = who ? 404 : 401
      assertError(await app.get(who, own), status)
      assertError(await app.patch(who, own), status)
    }
    assertError(await app.get(undefined, `${repo}/notifications`), 401)
  })

  test('are marked all at once, as far as they were seen', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    await app.post(ann, '/user/repos', { name: 'other' })
    await open(bob, { title: 'one' })
    await app.ctx.jobs.runDue()
    app.passTime(100)
    const between = encodeURIComponent(new Date((app.ctx.now() - 50) * 1000).toISOString())
    await open(bob, { title: 'two' })
    await open(bob, { title: 'three' }, '/repos/ann/other/issues')
    await app.ctx.jobs.runDue()
    const mark = async (query: string, path = '/notifications') => {
      const answer = await app.put(ann, `${path}?${query}`)
      assertStatus(answer, 205)
      return titles(answer.body)
    }

    assert.deepEqual(await mark(`last_read_at=${between}`), ['one'])
    assert.deepEqual(await mark('to-status=pinned', '/repos/ann/other/notifications'), ['three'])
    assert.deepEqual(await mark(''), ['two'])
    assert.deepEqual(await mark('status-types=pinned&to-status=unread'), ['three'])
    assert.deepEqual(await mark('all=true&to-status=read'), ['three', 'two', 'one'])
    assert.equal((await app.get(ann, '/notifications/new')).body.new, 0)
    assertError(await app.put(ann, '/notifications?last_read_at=x'), 422)
    assertError(await app.put(undefined, '/notifications'), 401)
    // What was read comes back with the next comment; what is pinned stays so.
    await app.patch(ann, `/notifications/threads/${await threadOf('two')}?to-status=pinned`)
    for (const number of [1, 2]) await app.post(bob, `${issues}/${number}/comments`, { body: 'c' })
    await app.ctx.jobs.runDue()
    assert.deepEqual(column(await app.get(ann, `${repo}/notifications`), 'pinned'), [true, false])
    app.passTime(5)
    await app.post(bob, `${issues}/1/comments`, { body: 'c' })
    await app.ctx.jobs.runDue()
    assert.deepEqual(column(await app.get(ann, `${repo}/notifications`), 'pinned'), [false, true])
    assert.deepEqual(await mark('all=true', `${repo}/notifications`), ['one', 'two'])
    async function threadOf(title: string): Promise<number> {
      const { body } = await app.get(ann, '/notifications?all=true')
      return body.find((thread: { subject: { title: string } }) => thread.subject.title === title)
        .id
    }
  })

  test('are listed page by page to the last, without what is not readable', async (t) => {
    const { app, ann, bob } = await withTracker(t)
    const [open, closed] = ['open', 'closed'].map((name) => ({ name, private: name === 'closed' }))
    const places = [
      (await app.post(ann, '/user/repos', open)).body.id,
      (await app.post(ann, '/user/repos', closed)).body.id,
    ]
    const numbers = sql`WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 1100)`
    for (const place of places) {
      await sql`INSERT INTO issue (repository_id, number, title, created_at, updated_at) ${numbers}
        SELECT CAST(${place} AS bigint), n, 'number ' || n, 1, 1 FROM number`.execute(app.ctx.db)
    }
    await sql`INSERT INTO notification (account_id, issue_id, repository_id, is_pull, status, created_at, updated_at)
      SELECT CAST(${bob.id} AS bigint), id, repository_id, is_pull, 'unread', 1, number / 3 FROM issue`.execute(
      app.ctx.db,
    )
    const pageOf = async (query: string) => {
      const { body, headers } = await app.get(bob, `/notifications?${query}`)
      return { total: headers['x-total-count'], found: titles(body) }
    }

    const last = await pageOf('limit=50&page=22')

    assert.equal(last.total, '1100')
    const expected = Array.from({ length: 50 }, (_, index) => 50 - index)
    const inOrder = expected.toSorted((a, b) => Math.floor(b / 3) - Math.floor(a / 3) || b - a)
    assert.deepEqual(
      last.found,
      inOrder.map((number) => `number ${number}`),
    )
    assert.deepEqual(await pageOf('limit=50&page=23'), { total: '1100', found: [] })
    assert.equal((await pageOf('limit=50&page=21&status-types=read')).total, '0')
  })

  test('are gone for who may not read the issue any more', async (t) => {
    const { app, ann, bob, open } = await withTracker(t, { private: true })
    await app.put(ann, `${repo}/collaborators/bob`, { permission: 'read' })
    await app.put(bob, `${repo}/subscription`)
    await open(ann, { title: 'secret' })
    await app.ctx.jobs.runDue()
    const [{ id }] = (await app.get(bob, '/notifications')).body

    await app.delete(ann, `${repo}/collaborators/bob`)

    const { body, headers } = await app.get(bob, '/notifications?all=true')
    assert.deepEqual([body, headers['x-total-count']], [[], '0'])
    assert.equal((await app.get(bob, '/notifications/new')).body.new, 0)
    assertError(await app.get(bob, `/notifications/threads/${id}`), 404)
    assert.deepEqual((await app.put(bob, '/notifications?all=true')).body, [])
    const publicOnly = await app.withToken(ann.account, ['public-only', 'write:notification'])
    assertError(await app.get(publicOnly, '/notifications'), 403)
    assertError(await app.get(publicOnly, `${repo}/notifications`), 404)
  })
})

suite('the notifications of an account', () => {
  test('have an end: read ones are deleted first, pinned ones never', async (t) => {
    const { app, ann, open } = await withTracker(t, {}, { notifications: { max_kept: 100 } })
    const bob = await app.addCaller('reader')
    await app.put(bob, `${repo}/subscription`)
    const list = async (status: string) =>
      (await app.get(bob, `/notifications?status-types=${status}&limit=1`)).headers['x-total-count']
    for (let at = 0; at < 80; at++) await open(ann, { title: `first ${at}` })
    await app.ctx.jobs.runDue()
    const { body } = await app.get(bob, '/notifications?limit=1')
    await app.patch(bob, `/notifications/threads/${body[0].id}?to-status=pinned`)
    await app.put(bob, '/notifications?to-status=read&status-types=unread')

    for (let at = 0; at < 130; at++) await open(ann, { title: `second ${at}` })
    await app.ctx.jobs.runDue()

    const unread = Number(await list('unread'))
    assert.ok(unread >= 99 && unread < 120, String(unread))
    assert.equal(await list('pinned'), '1')
    const newest = await app.get(bob, '/notifications?limit=1&status-types=unread')
    assert.deepEqual(titles(newest.body), ['second 129'])
  })
})
