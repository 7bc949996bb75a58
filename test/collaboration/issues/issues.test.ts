import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import { doMeanwhile } from '../../support/meanwhile.ts'
import { countStatements } from '../../support/statements.ts'
import { column, issues, repo, withTracker } from './setup.ts'

suite('POST /repos/{owner}/{repo}/issues', () => {
  test('are made and labelled without what somebody deletes meanwhile', async (t) => {
    const { app, ann, open } = await withTracker(t)
    const label = async (name: string) =>
      (await app.post(ann, `${repo}/labels`, { name, color: '#ff0000' })).body.id as number
    const [kept, first, second] = [await label('kept'), await label('a'), await label('b')]
    const milestone = (await app.post(ann, `${repo}/milestones`, { title: 'v1' })).body.id
    const wanted = { title: 'x', labels: [kept, first], milestone }
    const remove = (what: string) => app.delete(ann, `${repo}/${what}`)

    const made = await doMeanwhile(
      t,
      app,
      () => open(ann, wanted),
      () => Promise.all([remove(`labels/${first}`), remove(`milestones/${milestone}`)]),
    )
    const add = () => app.post(ann, `${issues}/1/labels`, { labels: [second] })
    const labelled = await doMeanwhile(t, app, add, () => remove(`labels/${second}`))

    assert.deepEqual([made.milestone, made.labels.length], [null, 1])
    assert.deepEqual([labelled.status, column(labelled, 'name')], [200, ['kept']])
  })

  test('reads nothing again that was read on the way, neither for comments', async (t) => {
    const { app, ann, open } = await withTracker(t)
    await open(ann, { title: 'first' })
    const countFor = countStatements(t, app)
    const countOf = (path: string, body: object) =>
      countFor(async () => assertStatus(await app.post(ann, path, body), 201))
    const say = () => countOf(`${issues}/1/comments`, { body: 'said' })

    await countOf(issues, { title: 'second' })
    await say()

    // Outside of the transaction: what an issue has of labels, assignees, files and boards.
    assert.equal(await countOf(issues, { title: 'third' }), 4)
    // The issue, and the files of the comment.
    assert.equal(await say(), 2)
  })

  test('answers with the whole record', async (t) => {
    const { app, ann, open } = await withTracker(t)
    const label = (await app.post(ann, `${repo}/labels`, { name: 'bug', color: 'fff' })).body
    const milestone = (await app.post(ann, `${repo}/milestones`, { title: 'v1' })).body

    const issue = await open(ann, {
      title: ' Title ',
      body: 'text',
      ref: 'main',
      assignee: 'CAT',
      assignees: ['ann', 'cat'],
      due_date: '2030-01-02T03:04:05Z',
      milestone: milestone.id,
      labels: [label.id, 999_999, 2 ** 63],
    })

    const { user, assignee, assignees, created_at, updated_at, ...rest } = issue
    const base = 'http://codestead.test'
    assert.deepEqual(rest, {
      id: issue.id,
      url: `${base}/api/v1/repos/ann/r/issues/1`,
      html_url: `${base}/ann/r/issues/1`,
      number: 1,
      original_author: '',
      original_author_id: 0,
      title: 'Title',
      body: 'text',
      ref: 'main',
      assets: [],
      labels: [label],
      milestone: { ...milestone, open_issues: 1 },
      projects: null,
      state: 'open',
      is_locked: false,
      comments: 0,
      closed_at: null,
      due_date: '2030-01-02T03:04:05Z',
      time_estimate: 0,
      pull_request: null,
      repository: { id: rest.repository.id, name: 'r', owner: 'ann', full_name: 'ann/r' },
      pin_order: 0,
      content_version: 0,
    })
    assert.equal(created_at, updated_at)
    assert.equal(user.login, 'ann')
    assert.deepEqual(
      assignees.map(({ login }: { login: string }) => login),
      ['ann', 'cat'],
    )
    assert.equal(assignee.login, 'ann')
    assert.equal(user.email, 'ann@example.org')
    assert.equal(assignee.email, `${ann.id}+ann@noreply.codestead.test`)
    assert.match(assignees[1].email, /^\d+\+cat@noreply\./)
    assert.deepEqual((await app.get(ann, `${issues}/1`)).body, issue)
    const other = await open(ann, { title: 't', milestone: 2 ** 63, assignees: ['Bob'] })
    assert.equal(other.milestone, null)
    assert.equal(other.assignee.login, 'bob')
  })

  test('passes over what readers say of labels, milestones, assignees and dates', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    const label = (await app.post(ann, `${repo}/labels`, { name: 'bug', color: 'fff' })).body
    const { id } = (await app.post(ann, `${repo}/milestones`, { title: 'v1' })).body

    const issue = await open(bob, {
      title: 't',
      labels: [label.id],
      milestone: id,
      assignees: ['nobody'],
      due_date: '2030-01-02T03:04:05Z',
      closed: true,
    })

    assert.partialDeepStrictEqual(issue, {
      labels: [],
      milestone: null,
      assignees: null,
      assignee: null,
      due_date: null,
      state: 'closed',
    })
  })

  test('refuses, in order: nobody, an archive, a body, a unit, what it names', async (t) => {
    const { app, ann, bob } = await withTracker(t, { auto_init: true })
    const refused: [object, number, string | RegExp][] = [
      [{}, 422, '[Title]: Required'],
      [{ title: '' }, 422, '[Title]: Required'],
      [{ title: '  ' }, 422, '[Title]: Required'],
      [{ title: 'x', due_date: 'tomorrow' }, 422, /^\[\]:/],
      [{ title: 'x', due_date: '2021-02-29T00:00:00Z' }, 422, /^\[\]:/],
      [{ title: 'x', due_date: '9999-12-31T23:59:59-02:00' }, 422, /^\[\]:/],
      [{ title: 'x', assignees: ['nobody'] }, 422, /Assignee does not exist.*nobody/],
      [{ title: 'x', assignees: Array.from({ length: 40_000 }, () => 'ann') }, 422, /^more than/],
      [{ title: 'x', projects: [1] }, 400, 'project does not exist [id: 1]'],
    ]

    for (const [body, status, message] of refused) {
      assertError(await app.post(ann, issues, body), status, message)
    }
    assertError(await app.post(undefined, issues, {}), 401, 'token is required')
    assertError(await app.post(ann, '/repos/ann/none/issues', {}), 404)
    assertStatus(await app.put(ann, '/user/blocks/bob'), 204)
    assertError(await app.post(bob, issues, { title: 'x' }), 403, 'user is blocked')
    await app.patch(ann, repo, { has_issues: false })
    assertError(await app.post(ann, issues, { title: 'x' }), 403)
    await app.patch(ann, repo, { archived: true })
    assertError(await app.post(ann, issues, {}), 423, 'repo is archived')
    assertError(await app.post(undefined, issues, {}), 401)
    await app.patch(ann, repo, { has_pull_requests: false })
    assertError(await app.post(ann, issues, {}), 404)
    assertError(await app.get(ann, issues), 404)
  })

  test('cuts titles that are too long by columns, not by bytes', async (t) => {
    const { app, ann, open } = await withTracker(t)

    const title = async (text: string) => (await open(ann, { title: text })).title as string

    assert.equal(await title('x'.repeat(255)), 'x'.repeat(255))
    assert.equal(await title('x'.repeat(256)), `${'x'.repeat(252)}…`)
    assert.equal(await title('é'.repeat(200)), 'é'.repeat(200))
    assert.equal(await title('漢'.repeat(200)), `${'漢'.repeat(126)}…`)
    assert.equal((await app.get(ann, repo)).body.open_issues_count, 4)
  })

  test('in a private repository takes only assignees who can do something there', async (t) => {
    const { app, ann, open } = await withTracker(t, { private: true })

    const refused = await app.post(ann, issues, { title: 'x', assignees: ['cat', 'bob'] })

    assertError(refused, 422, "user bob doesn't have access to repo r")
    await open(ann, { title: 'x', assignees: ['cat', 'ann'] })
    await app.put(ann, `${repo}/collaborators/bob`, { permission: 'read' })
    await open(ann, { title: 'x', assignees: ['bob'] })
    await app.patch(ann, repo, { has_pull_requests: false })
    assertError(await app.post(ann, issues, { title: 'x', assignees: ['bob'] }), 422)
    // Who has lost access stays until somebody takes them away.
    const kept = await app.patch(ann, `${issues}/2`, { assignees: ['bob', 'cat'] })
    assert.deepEqual([kept.status, kept.body.assignees.length], [201, 2])
  })

  test('gives parallel issues the numbers one after the other, and never again', async (t) => {
    const { app, ann, bob, cat } = await withTracker(t)
    const { id } = (await app.post(ann, `${repo}/milestones`, { title: 'v1' })).body
    const callers = [ann, bob, cat]

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        app.post(callers[at % 3], issues, { title: `${at}`, milestone: id, closed: at % 2 === 0 }),
      ),
    )

    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [201])
    const numbers = answers.map(({ body }) => body.number as number).sort((a, b) => a - b)
    assert.deepEqual(
      numbers,
      Array.from({ length: 20 }, (_, at) => at + 1),
    )
    assert.equal((await app.get(ann, repo)).body.open_issues_count, 10)
    const { body } = await app.get(ann, `${repo}/milestones/${id}`)
    assert.equal(body.open_issues + body.closed_issues, 13)
    assertStatus(await app.delete(ann, `${issues}/20`), 204)
    assert.equal((await app.post(ann, issues, { title: 'next' })).body.number, 21)
  })
})

suite('PATCH /repos/{owner}/{repo}/issues/{index}', () => {
  test('changes what is given, moves the counts, and tells the version of the text', async (t) => {
    const { app, ann, open } = await withTracker(t)
    const v1 = (await app.post(ann, `${repo}/milestones`, { title: 'v1' })).body
    const v2 = (await app.post(ann, `${repo}/milestones`, { title: 'v2' })).body
    await open(ann, { title: 'old', body: 'one', milestone: v1.id })
    const patch = async (edit: object) => {
      const answer = await app.patch(ann, `${issues}/1`, edit)
      assertStatus(answer, 201)
      return answer.body
    }
    const counts = async (id: number) => {
      const { body } = await app.get(ann, `${repo}/milestones/${id}`)
      return [body.open_issues, body.closed_issues]
    }

    const edited = await patch({
      title: '',
      body: 'two',
      ref: 'main',
      state: 'closed',
      milestone: v2.id,
      assignees: ['cat'],
      due_date: '2031-05-06T01:02:03+09:00',
      content_version: 0,
    })

    assert.partialDeepStrictEqual(edited, {
      title: 'old',
      body: 'two',
      ref: 'main',
      state: 'closed',
      content_version: 1,
      due_date: '2031-05-06T14:59:59Z',
      milestone: { id: v2.id, open_issues: 0, closed_issues: 1 },
      assignees: [{ login: 'cat' }],
    })
    assert.notEqual(edited.closed_at, null)
    assert.deepEqual(
      [await counts(v1.id), await counts(v2.id)],
      [
        [0, 0],
        [0, 1],
      ],
    )
    assert.equal((await app.get(ann, repo)).body.open_issues_count, 0)
    const again = await patch({ body: 'two', assignee: '', state: 'closed', unset_due_date: true })
    assert.partialDeepStrictEqual(again, { content_version: 2, assignees: null, due_date: null })
    assert.partialDeepStrictEqual(await patch({ state: 'open', milestone: 0, assignee: 'ann' }), {
      content_version: 2,
      state: 'open',
      closed_at: null,
      milestone: null,
      assignee: { login: 'ann' },
    })
    assert.deepEqual(await counts(v2.id), [0, 0])
    assert.equal((await app.get(ann, repo)).body.open_issues_count, 1)
  })

  test('is for its author and for writers; an author says nothing but the text and the state', async (t) => {
    const { app, ann, bob, cat, open } = await withTracker(t)
    const { id } = (await app.post(ann, `${repo}/milestones`, { title: 'v1' })).body
    await open(bob, { title: 'of bob' })
    await open(ann, { title: 'of ann' })

    const refused = await app.patch(bob, `${issues}/2`, { title: 'x' })
    const own = await app.patch(bob, `${issues}/1`, {
      title: 'mine',
      state: 'closed',
      milestone: id,
      assignees: ['nobody'],
      unset_due_date: false,
    })

    assert.deepEqual([refused.status, refused.text], [403, ''])
    assert.equal(own.status, 201)
    assert.partialDeepStrictEqual(own.body, {
      title: 'mine',
      state: 'closed',
      milestone: null,
      assignees: null,
      due_date: null,
    })
    assert.equal((await app.patch(cat, `${issues}/1`, { title: ' ' })).body.title, 'mine')
    assertError(await app.patch(undefined, `${issues}/1`, {}), 401)
    assertError(await app.patch(ann, `${issues}/9`, { title: 'x' }), 404)
    assertError(await app.patch(ann, `${issues}/9`, { title: 5 }), 422)
    await app.put(ann, '/user/blocks/bob')
    assertError(await app.patch(bob, `${issues}/1`, { title: 'x' }), 403, 'user is blocked')
  })

  test('applies all of an edit or none of it', async (t) => {
    const { app, ann, open } = await withTracker(t)
    const before = await open(ann, { title: 'old', body: 'one' })
    const other = (await app.post(ann, '/user/repos', { name: 'other' })).body
    const foreign = (await app.post(ann, `/repos/${other.full_name}/milestones`, { title: 'v1' }))
      .body
    const refused: [object, number, string | RegExp][] = [
      [{ state: 'other' }, 412, 'unknown state: other'],
      [{ content_version: 7 }, 409, 'the issue is already changed'],
      [{ milestone: 999_999 }, 422, /^milestone does not exist/],
      [{ milestone: foreign.id }, 422, /^milestone does not exist/],
      [{ assignees: ['nobody'] }, 422, /nobody/],
      [{ unset_due_date: false }, 400, 'The due_date cannot be empty'],
      [{ projects: [1] }, 400, /^project/],
    ]

    for (const [edit, status, message] of refused) {
      const whole = { title: 'new', body: 'two', ...edit }
      assertError(await app.patch(ann, `${issues}/1`, whole), status, message)
    }

    app.passTime(60)
    for (const nothing of [{}, { title: '', state: 'open' }, { projects: [], body: null }])
      assert.deepEqual((await app.patch(ann, `${issues}/1`, nothing)).body, before)
    assert.deepEqual((await app.get(ann, `${issues}/1`)).body, before)
  })

  test('counts right when many edit at once', async (t) => {
    const { app, ann, cat, open } = await withTracker(t)
    const v1 = (await app.post(ann, `${repo}/milestones`, { title: 'v1' })).body
    const v2 = (await app.post(ann, `${repo}/milestones`, { title: 'v2' })).body
    for (const title of ['a', 'b']) await open(ann, { title, milestone: v1.id })
    const edits = [
      { state: 'closed', milestone: v2.id },
      { state: 'open', milestone: v1.id },
      { milestone: v2.id },
      { state: 'closed' },
    ]

    const answers = await Promise.all([
      ...edits.flatMap((edit) => [
        app.patch(ann, `${issues}/1`, edit),
        app.patch(cat, `${issues}/2`, edit),
      ]),
      app.post(ann, issues, { title: 'c', milestone: v2.id }),
      app.delete(ann, `${issues}/2`),
    ])

    const left = (await app.get(ann, `${issues}?state=all`)).body as {
      state: string
      milestone: { id: number }
    }[]
    assert.ok(
      answers.every(({ status }) => status < 500),
      JSON.stringify(answers.map(({ text }) => text)),
    )
    for (const { id } of [v1, v2]) {
      const { body } = await app.get(ann, `${repo}/milestones/${id}`)
      const of = (state: string) =>
        left.filter((issue) => issue.milestone.id === id && issue.state === state).length
      assert.deepEqual([body.open_issues, body.closed_issues], [of('open'), of('closed')])
    }
    const open1 = left.filter(({ state }) => state === 'open').length
    assert.equal((await app.get(ann, repo)).body.open_issues_count, open1)
  })
})

suite('DELETE /repos/{owner}/{repo}/issues/{index}', () => {
  test('takes the issue with all that hangs on it, for administrators', async (t) => {
    const { app, ann, cat, open } = await withTracker(t)
    const { id } = (await app.post(ann, `${repo}/milestones`, { title: 'v1' })).body
    await open(ann, { title: 'x', milestone: id })
    const comment = (await app.post(ann, `${issues}/1/comments`, { body: 'c' })).body
    const administers = /^user should be an owner or a collaborator with admin write/

    assertError(await app.delete(undefined, `${issues}/1`), 401)
    assertError(await app.delete(cat, `${issues}/1`), 403, administers)
    assertError(await app.delete(ann, `${issues}/9`), 404)
    assertError(await app.delete(cat, `${issues}/9`), 403, administers)
    await app.patch(ann, repo, { archived: true })
    assertStatus(await app.patch(ann, `${issues}/1`, { title: 'y' }), 201)
    assertStatus(await app.delete(ann, `${issues}/1`), 204)

    assertError(await app.get(ann, `${issues}/1`), 404)
    assertError(await app.get(ann, `${issues}/comments/${comment.id}`), 404)
    assert.equal((await app.get(ann, `${repo}/milestones/${id}`)).body.open_issues, 0)
    assert.equal((await app.get(ann, repo)).body.open_issues_count, 0)
    const feed = await app.get(ann, `${repo}/activities/feeds`)
    assert.deepEqual(column(feed, 'op_type'), ['create_repo'])
  })
})

suite('an issue whose author is gone', () => {
  test('is shown as of nobody', async (t) => {
    const { app, ann, bob, open } = await withTracker(t)
    const root = await app.addAdmin()
    await open(bob, { title: 'x' })
    await app.post(bob, `${issues}/1/comments`, { body: 'c' })

    assertStatus(await app.delete(root, '/admin/users/bob'), 204)

    const { body } = await app.get(ann, `${issues}/1`)
    assert.deepEqual([body.user.id, body.user.login, body.comments], [-1, 'Ghost', 1])
    assert.equal((await app.get(ann, `${issues}/1/comments`)).body[0].user.id, -1)
  })
})
