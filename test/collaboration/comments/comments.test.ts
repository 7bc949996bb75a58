import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { column, issues, repo, withTracker } from '../issues/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const comments = `${issues}/1/comments`

suite('comments', () => {
  test('are written in one form, counted, changed and deleted', async (t) => {
    const { app, ann, bob, cat, open } = await withTracker(t)
    await open(ann, { title: 'x' })

    const made = await app.post(bob, comments, { body: 'first' })

    assert.equal(made.status, 201)
    const { user, created_at, updated_at, ...rest } = made.body
    const page = 'http://codestead.test/ann/r/issues/1'
    assert.deepEqual(rest, {
      id: rest.id,
      html_url: `${page}#issuecomment-${rest.id}`,
      pull_request_url: '',
      issue_url: page,
      original_author: '',
      original_author_id: 0,
      body: 'first',
      assets: [],
    })
    assert.deepEqual([user.login, created_at], ['bob', updated_at])
    assert.equal(user.email, `${bob.id}+bob@noreply.codestead.test`)
    const one = `${issues}/comments/${rest.id}`
    assert.deepEqual((await app.get(bob, one)).body, made.body)
    assert.equal((await app.get(ann, `${issues}/1`)).body.comments, 1)
    assert.equal((await app.patch(bob, one, { body: 'by bob' })).body.body, 'by bob')
    assert.equal((await app.patch(cat, one, { body: 'by cat' })).body.body, 'by cat')
    assertStatus(await app.delete(cat, one), 204)
    assertError(await app.get(ann, one), 404)
    assertError(await app.delete(bob, one), 404)
    assert.equal((await app.get(ann, `${issues}/1`)).body.comments, 0)
  })

  test('are changed and deleted below their issue too, as old clients do', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    await open(ann, { title: 'x' })
    const made = await app.post(bob, comments, { body: 'first' })
    const one = `${comments}/${made.body.id}`

    assert.equal((await app.patch(bob, one, { body: 'second' })).body.body, 'second')
    assertError(await app.patch(undefined, one, { body: 'x' }), 401)
    assertStatus(await app.delete(bob, one), 204)
    assertError(await app.delete(bob, one), 404)
  })

  test('are listed oldest first: all of an issue, and page by page in a repository', async (t) => {
    const { app, ann, open } = await withTracker(t)
    for (const title of ['one', 'two']) await open(ann, { title })
    for (const body of ['a', 'b']) await app.post(ann, comments, { body })
    app.passTime(100)
    const later = encodeURIComponent(new Date((app.ctx.now() - 50) * 1000).toISOString())
    await app.post(ann, `${issues}/2/comments`, { body: 'c' })
    await app.post(ann, comments, { body: 'd' })

    const all = await app.get(undefined, `${comments}?limit=1&page=2`)

    assert.deepEqual(column(all, 'body'), ['a', 'b', 'd'])
    assert.equal(all.headers['x-total-count'], '3')
    assert.deepEqual(column(await app.get(ann, `${comments}?since=${later}`), 'body'), ['d'])
    assert.deepEqual(column(await app.get(ann, `${comments}?before=${later}`), 'body'), ['a', 'b'])
    const paged = await app.get(ann, `${issues}/comments?limit=3`)
    assert.deepEqual(column(paged, 'body'), ['a', 'b', 'c'])
    assert.deepEqual([paged.headers['x-total-count'], paged.headers['link']], ['4', undefined])
    assert.deepEqual(column(await app.get(ann, `${issues}/comments?since=${later}`), 'body'), [
      'c',
      'd',
    ])
    assertError(await app.get(ann, `${comments}?since=x`), 422)
    assertError(await app.get(ann, `${issues}/9/comments`), 404)
  })

  test('are refused, in order: nobody, an archive, a body, what is not there, a right', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    await open(ann, { title: 'x' })
    const { id } = (await app.post(ann, comments, { body: 'x' })).body
    const one = `${issues}/comments/${id}`
    await app.post(ann, '/user/repos', { name: 'other' })

    assertError(await app.post(undefined, comments, {}), 401)
    for (const body of [{}, { body: '' }]) {
      assertError(await app.post(bob, comments, body), 422, '[Body]: Required')
      assertError(await app.patch(bob, one, body), 422, '[Body]: Required')
    }
    assertError(await app.post(bob, `${issues}/9/comments`, {}), 422)
    assertError(await app.post(bob, `${issues}/9/comments`, { body: 'x' }), 404, 'not found')
    const json = { 'content-type': 'application/json' }
    assertError(await app.patch(bob, `${issues}/comments/999999`, '{', json), 422, /^\[\]: /)
    for (const path of [`/repos/ann/other/issues/comments/${id}`, `${issues}/comments/999999`]) {
      assertError(await app.get(ann, path), 404)
      assertError(await app.patch(ann, path, { body: 'x' }), 404)
      assertError(await app.delete(ann, path), 404)
    }
    for (const refused of [await app.patch(bob, one, { body: 'x' }), await app.delete(bob, one)]) {
      assert.deepEqual([refused.status, refused.text], [403, ''])
    }
    assertError(await app.patch(undefined, one, { body: 'x' }), 401)
    assertError(await app.delete(undefined, one), 401)
    await app.put(ann, '/user/blocks/bob')
    assertError(await app.post(bob, comments, { body: 'x' }), 403, 'user is blocked')
    await app.patch(ann, repo, { archived: true })
    assertError(await app.post(ann, comments, {}), 423, 'repo is archived')
    assertError(await app.post(undefined, comments, {}), 401)
    assertError(await app.patch(undefined, one, {}), 423)
    assertError(await app.delete(undefined, one), 401)
    assertStatus(await app.delete(ann, one), 204)
  })

  test('are those of one issue, and of the kinds of issues that are read', async (t) => {
    const { app, ann, bob, cat, open } = await withTracker(t)
    await app.post(ann, '/user/repos', { name: 'other' })
    for (const path of [issues, issues, '/repos/ann/other/issues']) {
      const { number } = await open(bob, { title: 'x' }, path)
      for (const body of ['a', 'b']) await app.post(bob, `${path}/${number}/comments`, { body })
    }
    const texts = async (path: string) => column(await app.get(ann, path), 'body')
    await app.patch(ann, `${issues}/1`, { title: 'not said, but done' })
    const [first] = (await app.get(ann, comments)).body
    const at = `since=${first.updated_at}&before=${first.updated_at}`

    assert.deepEqual(await texts(`${issues}/comments`), ['a', 'b', 'a', 'b'])
    assert.ok((await texts(`${comments}?${at}`)).includes('a'))
    assert.ok((await texts(`${issues}/1/timeline?${at}`)).includes('a'))
    app.passTime(5)
    await app.patch(bob, `${issues}/comments/${first.id}`, { body: 'edited' })
    assert.deepEqual(await texts(comments), ['edited', 'b'])
    assert.ok(!(await texts(`${issues}/1/timeline?${at}`)).includes('edited'))
    await app.delete(bob, `${issues}/comments/${first.id}`)
    assert.deepEqual(await texts(`${issues}/comments`), ['b', 'a', 'b'])
    assert.deepEqual(await texts(`${issues}/2/timeline`), ['a', 'b'])
    // Rows are enough: one of the issues is a pull request, and there is something to be pulled
    // into.
    const { db } = app.ctx
    await db.updateTable('issue').set({ is_pull: 1 }).where('number', '=', 2).execute()
    assert.deepEqual(await texts(`${issues}/comments`), ['b'])
    await db.updateTable('repository').set({ is_empty: 0 }).execute()
    assert.deepEqual(await texts(`${issues}/comments`), ['b', 'a', 'b'])
    await app.patch(ann, repo, { has_issues: false })
    assert.deepEqual(await texts(`${issues}/comments`), ['a', 'b'])
    await app.patch(ann, repo, { has_issues: true })
    // Who wrote the issue may not want to hear from somebody; the repository's administrators they
    // will.
    for (const name of ['ann', 'cat']) await app.put(bob, `/user/blocks/${name}`)
    assertError(await app.post(cat, comments, { body: 'x' }), 403, 'user is blocked')
    assertStatus(await app.post(ann, comments, { body: 'x' }), 201)
    const [own] = (await app.get(bob, comments)).body
    assertError(await app.patch(cat, `${issues}/comments/${own.id}`, { body: 'x' }), 403)
  })

  test('are counted right when many come and go at once', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    await open(ann, { title: 'x' })
    const first = (await app.post(bob, comments, { body: 'x' })).body

    const answers = await Promise.all([
      ...Array.from({ length: 8 }, (_, at) =>
        app.post(at % 2 ? ann : bob, comments, { body: 'x' }),
      ),
      app.delete(ann, `${issues}/comments/${first.id}`),
      app.delete(bob, `${issues}/comments/${first.id}`),
    ])

    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [...Array<number>(8).fill(201), 204, 404])
    const { body } = await app.get(ann, comments)
    assert.equal(body.length, 8)
    assert.equal((await app.get(ann, `${issues}/1`)).body.comments, 8)
  })
})

suite('GET /repos/{owner}/{repo}/issues/{index}/timeline', () => {
  test('tells what was said and what happened, in the order it happened', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    const { id: bug } = (await app.post(ann, `${repo}/labels`, { name: 'bug', color: 'fff' })).body
    const { id: v1 } = (await app.post(ann, `${repo}/milestones`, { title: 'v1' })).body
    await open(ann, { title: 'old', labels: [bug], milestone: v1, assignees: ['cat'] })
    await app.post(bob, comments, { body: 'said' })
    await app.patch(ann, `${issues}/1`, {
      title: 'new',
      ref: 'main',
      milestone: 0,
      assignees: [],
      due_date: '2031-05-06T01:02:03Z',
      state: 'closed',
    })
    await app.delete(ann, `${issues}/1/labels`)
    for (const path of ['lock', 'pin']) {
      await app.send(ann, path === 'lock' ? 'PUT' : 'POST', `${issues}/1/${path}`)
      await app.delete(ann, `${issues}/1/${path}`)
    }

    const { body, headers } = await app.get(undefined, `${issues}/1/timeline`)

    const told = (body as Record<string, unknown>[]).map(({ type }) => type)
    assert.deepEqual(told, [
      'label',
      'milestone',
      'assignees',
      'comment',
      'change_title',
      'change_issue_ref',
      'milestone',
      'added_deadline',
      'assignees',
      'close',
      'label',
      'lock',
      'unlock',
      'pin',
      'unpin',
    ])
    assert.equal(headers['x-total-count'], '15')
    assert.partialDeepStrictEqual(body[0], {
      label: { id: bug },
      body: '1',
      user: { login: 'ann' },
    })
    assert.partialDeepStrictEqual(body[2], { assignee: { login: 'cat' }, removed_assignee: false })
    assert.partialDeepStrictEqual(body[3], { body: 'said', user: { login: 'bob' } })
    assert.partialDeepStrictEqual(body[4], { old_title: 'old', new_title: 'new' })
    assert.partialDeepStrictEqual(body[6], { old_milestone: { id: v1 }, milestone: null })
    assert.partialDeepStrictEqual(body[7], { body: '2031-05-06' })
    assert.partialDeepStrictEqual(body[8], { assignee: { login: 'cat' }, removed_assignee: true })
    assert.partialDeepStrictEqual(body[10], { label: { id: bug }, body: '' })
    const page = await app.get(undefined, `${issues}/1/timeline?limit=2&page=2`)
    assert.deepEqual([column(page, 'type'), page.headers['x-total-count']], [told.slice(2, 4), '2'])
    assertError(await app.get(ann, `${issues}/9/timeline`), 404)
    // Events share the ids of comments, but are none.
    const event = `${issues}/comments/${body[9].id}`
    assert.equal((await app.get(undefined, event)).status, 204)
    assert.equal((await app.patch(ann, event, { body: 'x' })).status, 204)
    const refused = await app.delete(ann, event)
    assert.deepEqual([refused.status, refused.text], [400, ''])
    for (const answer of [await app.patch(bob, event, { body: 'x' }), await app.delete(bob, event)])
      assert.deepEqual([answer.status, answer.text], [403, ''])
  })
})
