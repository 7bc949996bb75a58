import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit, type Setup } from '../../code/commits/setup.ts'
import {
  addBranch,
  addCollaborator,
  getPull,
  numbers,
  openPull,
  startWithTopic,
} from '../pulls/setup.ts'
import type { TestAnswer, TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { doMeanwhile } from '../../support/meanwhile.ts'

async function review(
  { app, path }: Setup,
  who: TestCaller,
  body: Readonly<Record<string, unknown>>,
): Promise<TestAnswer['body']> {
  const answer = await app.post(who, `${path}/pulls/1/reviews`, body)
  assertStatus(answer, 200)
  return answer.body
}

suite('reviews of a pull request', () => {
  test('are about the head that there is when they are given, though it moves meanwhile', async (t) => {
    const setup = await startWithTopic(t)
    const { app, bob } = setup
    await addCollaborator(setup, bob, 'write')
    await openPull(setup)
    const push = (name: string) => commit(setup, { [name]: 'x\n' }, { branch: 'topic' })
    const approve = (more: object) => review(setup, bob, { event: 'APPROVED', body: 'ok', ...more })
    const { commit_id: first } = await approve({})

    let second = ''
    const given = await doMeanwhile(
      t,
      app,
      () => approve({}),
      async () => {
        second = await push('b.txt')
      },
    )
    const named = await doMeanwhile(
      t,
      app,
      () => approve({ commit_id: second }),
      () => push('c.txt'),
    )
    const begun = await review(setup, bob, { event: 'PENDING', body: 'later' })
    const handIn = () =>
      app.post(bob, `${setup.path}/pulls/1/reviews/${begun.id}`, { event: 'APPROVED' })
    const handedIn = await doMeanwhile(t, app, handIn, () => push('d.txt'))

    assert.notEqual(first, second)
    assert.partialDeepStrictEqual(given, { commit_id: second, stale: false })
    assert.partialDeepStrictEqual(named, { commit_id: second, stale: true })
    assert.partialDeepStrictEqual(handedIn.body, { commit_id: begun.commit_id, stale: true })
  })

  test('are given, listed, told of and counted', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    await addCollaborator(setup, bob, 'write')
    const pull = await openPull(setup, { reviewers: ['bob'] })
    const comments = [{ path: 'a.txt', body: 'why?', new_position: 1 }]

    const approved = await review(setup, bob, { event: 'APPROVED', body: 'fine\nreally', comments })
    const list = await app.get(bob, `${path}/pulls/1/reviews`)
    const one = await app.get(bob, `${path}/pulls/1/reviews/${approved.id}`)
    const lines = await app.get(undefined, `${path}/pulls/1/reviews/${approved.id}/comments`)
    const feed = await app.get(ann, `${path}/activities/feeds`)
    const timeline = await app.get(ann, `${path}/issues/1/timeline`)
    const reviewed = await app.get(bob, '/repos/issues/search?reviewed=true')

    assert.deepEqual(
      pull.requested_reviewers.map(({ login }: { login: string }) => login),
      ['bob'],
    )
    assert.partialDeepStrictEqual(approved, {
      user: { login: 'bob' },
      team: null,
      state: 'APPROVED',
      body: 'fine\nreally',
      commit_id: pull.head.sha,
      stale: false,
      official: true,
      dismissed: false,
      comments_count: 1,
      pull_request_url: 'http://codestead.test/ann/one/pulls/1',
    })
    assert.deepEqual(list.body, [approved])
    assert.equal(list.headers['x-total-count'], '1')
    assert.deepEqual(one.body, approved)
    assert.partialDeepStrictEqual(lines.body[0], {
      body: 'why?',
      user: { login: 'bob' },
      resolver: null,
      pull_request_review_id: approved.id,
      path: 'a.txt',
      commit_id: pull.head.sha,
      original_commit_id: pull.head.sha,
      diff_hunk: '@@ -0,0 +1,1 @@\n+a',
      position: 1,
      original_position: 0,
    })
    const [entry, line] = feed.body
    assert.partialDeepStrictEqual(entry, {
      op_type: 'approve_pull_request',
      content: '1|fine',
      comment: { body: 'fine\nreally' },
    })
    assert.partialDeepStrictEqual(line, {
      op_type: 'comment_pull',
      content: '1|why?',
      comment_id: lines.body[0].id,
      comment: { body: 'why?', issue_url: '', pull_request_url: approved.pull_request_url },
    })
    const kinds = timeline.body.map(({ type }: { type: string }) => type)
    assert.deepEqual(kinds, ['review_request', 'review'])
    assert.deepEqual(numbers(reviewed.body), [1])
    const now = await getPull(setup, 1)
    assert.deepEqual([now.requested_reviewers, now.review_comments], [[], 1])
  })

  test('wait until they are handed in, seen by their author and administrators of the server', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    await openPull(setup)
    const cid = await app.addCaller('cid')
    const root = await app.addAdmin()

    const first = await review(setup, bob, {
      body: 'begun',
      comments: [{ path: 'a.txt', body: 'one' }],
    })
    const second = await review(setup, bob, {
      event: 'PENDING',
      body: 'more',
      comments: [{ path: 'gone.txt', body: 'two', old_position: 3 }],
    })
    const one = `${path}/pulls/1/reviews/${first.id}`
    const callers = [ann, bob, cid, root, undefined]
    const seen = await Promise.all(callers.map((who) => app.get(who, one)))
    const listed = await Promise.all(callers.map((who) => app.get(who, `${path}/pulls/1/reviews`)))
    const hidden = await app.get(cid, `${one}/comments`)
    const pending = await app.post(bob, one, { event: 'PENDING' })
    const silent = await app.post(bob, one, { event: 'REQUEST_CHANGES' })
    const foreign = await app.post(ann, one, { event: 'COMMENT', body: 'x' })
    const submitted = await app.post(bob, one, { event: 'COMMENT', body: 'done' })
    const again = await app.post(bob, one, { event: 'COMMENT', body: 'done' })

    assert.equal(second.id, first.id)
    assert.partialDeepStrictEqual(second, { state: 'PENDING', comments_count: 2 })
    assert.deepEqual(
      seen.map(({ status }) => status),
      [404, 200, 404, 200, 404],
    )
    assert.deepEqual(
      listed.map(({ body }) => body.length),
      [0, 1, 0, 1, 0],
    )
    assertError(hidden, 404)
    assertError(pending, 422, 'review stay pending')
    assertError(silent, 422, 'review event REQUEST_CHANGES requires a body')
    assertError(foreign, 404)
    assert.partialDeepStrictEqual(submitted.body, { state: 'COMMENT', body: 'done' })
    assertError(again, 422, 'only a pending review can be submitted')
    const lines = await app.get(cid, `${one}/comments`)
    assert.partialDeepStrictEqual(lines.body[1], { original_position: 3, position: 0 })
  })

  test('are refused where they make no sense', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    await openPull(setup)
    const reviews = `${path}/pulls/1/reviews`
    const cases: [TestCaller | undefined, object, number, RegExp][] = [
      [ann, { event: 'APPROVED' }, 422, /approve your own pull/],
      [ann, { event: 'REQUEST_CHANGES', body: 'x' }, 422, /reject your own pull/],
      [bob, { event: 'REQUEST_CHANGES' }, 422, /requires a body/],
      [bob, { event: 'COMMENT', body: ' ' }, 422, /requires a body or a comment/],
      [bob, {}, 422, /^review event  requires a body$/],
      [
        bob,
        { event: 'PENDING', comments: [{ path: 'a.txt', body: 'x' }] },
        422,
        /PENDING requires a body/,
      ],
      [bob, { body: 'x', comments: [{ body: 'x' }] }, 422, /Path/],
      [undefined, { event: 'APPROVED' }, 401, /token/],
    ]

    for (const [who, body, status, message] of cases) {
      assertError(await app.post(who, reviews, body), status, message)
    }

    assertError(await app.post(bob, `${path}/pulls/9/reviews`, { event: 'APPROVED' }), 404)
    assertError(await app.get(bob, `${reviews}/99`), 404)
    assertStatus(await app.put(ann, `${path}/issues/1/lock`, {}), 204)
    assertError(await app.post(bob, reviews, { event: 'APPROVED' }), 403, /locked/)
    assertStatus(await app.put(ann, '/user/blocks/bob'), 204)
    assertStatus(await app.delete(ann, `${path}/issues/1/lock`), 204)
    assertError(await app.post(bob, reviews, { event: 'APPROVED' }), 403, 'user is blocked')
    assertStatus(await app.delete(ann, '/user/blocks/bob'), 204)
    await review(setup, bob, { event: 'APPROVED' })
    assertStatus(await app.patch(ann, `${path}/pulls/1`, { state: 'closed' }), 201)
    const over = "can't submit review for a closed or merged PR"
    for (const body of [{ event: 'APPROVED' }, { event: 'REQUEST_CHANGES', body: 'x' }]) {
      assertError(await app.post(bob, reviews, body), 422, over)
    }
    await review(setup, bob, { event: 'COMMENT', body: 'x' })
    const requested = `${path}/pulls/1/requested_reviewers`
    assertError(await app.post(ann, requested, { reviewers: ['bob'] }), 403, /closed/)
    await app.addPerson('cid')
    assertStatus(await app.post(ann, requested, { reviewers: ['cid'] }), 201)
  })

  test('are deleted by their author or an administrator of the server', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    const root = await app.addAdmin()
    await openPull(setup)
    const comments = [{ path: 'a.txt', body: 'x', new_position: 1 }]
    const first = await review(setup, bob, { event: 'COMMENT', comments })
    const second = await review(setup, bob, { event: 'APPROVED' })
    const one = (id: number) => `${path}/pulls/1/reviews/${id}`

    assertError(await app.delete(ann, one(first.id)), 403)
    assertError(await app.delete(undefined, one(first.id)), 401)
    assertStatus(await app.delete(bob, one(first.id)), 204)
    assertStatus(await app.delete(root, one(second.id)), 204)

    assertError(await app.get(bob, one(first.id)), 404)
    const left = await app.ctx.db.selectFrom('comment').select('kind').execute()
    assert.ok(left.every(({ kind }) => kind !== 'code'))
  })

  test('are dismissed, and count again, as administrators of the repository say', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    await openPull(setup)
    const first = await review(setup, bob, { event: 'REQUEST_CHANGES', body: 'no' })
    const second = await review(setup, bob, { event: 'APPROVED' })
    const third = await review(setup, bob, { event: 'COMMENT', body: 'hm' })
    const one = (id: number) => `${path}/pulls/1/reviews/${id}`

    const dismissed = await app.post(ann, `${one(second.id)}/dismissals`, {
      message: 'too early',
      priors: true,
    })
    const prior = await app.get(ann, one(first.id))
    const restored = await app.post(ann, `${one(second.id)}/undismissals`)

    assert.partialDeepStrictEqual(dismissed.body, { dismissed: true, state: 'APPROVED' })
    assert.equal(prior.body.dismissed, true)
    assert.equal(restored.body.dismissed, false)
    assertError(await app.post(bob, `${one(second.id)}/dismissals`, {}), 403)
    assertError(await app.post(ann, `${one(third.id)}/dismissals`, {}), 403, /not need to dismiss/)
    assertError(await app.post(ann, `${one(99)}/undismissals`), 404)
    assertError(await app.post(undefined, `${one(second.id)}/undismissals`), 401)
    await app.patch(ann, `${path}/pulls/1`, { state: 'closed' })
    assertError(await app.post(ann, `${one(second.id)}/dismissals`, {}), 403, /closed/)
  })
})

suite('comments on code', () => {
  test('are answered and settled', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    const cid = await app.addCaller('cid')
    await openPull(setup)
    const comments = [{ path: 'a.txt', body: 'why?', new_position: 1 }]
    const given = await review(setup, bob, { event: 'COMMENT', comments })
    const lines = await app.get(ann, `${path}/pulls/1/reviews/${given.id}/comments`)
    const { id } = lines.body[0]
    const plain = await app.post(ann, `${path}/issues/1/comments`, { body: 'plain' })
    const one = `${path}/pulls/comments/${id}`

    const reply = await app.post(ann, `${path}/pulls/1/comments/${id}/replies`, { body: 'so' })
    assertStatus(await app.post(ann, `${one}/resolve`), 204)
    const settled = await app.get(ann, `${path}/pulls/1/reviews/${given.id}/comments`)
    assertStatus(await app.post(ann, `${one}/unresolve`), 204)

    assertStatus(reply, 201)
    assert.partialDeepStrictEqual(reply.body, { body: 'so', path: 'a.txt', position: 1 })
    assert.deepEqual(
      settled.body.map((said: TestAnswer['body']) => [said.user.login, said.body, said.diff_hunk]),
      [
        ['bob', 'why?', lines.body[0].diff_hunk],
        ['ann', 'so', lines.body[0].diff_hunk],
      ],
    )
    assert.equal(reply.body.pull_request_review_id, given.id)
    await app.ctx.jobs.runDue()
    assert.equal((await app.get(bob, '/notifications/new')).body.new, 1)
    const feed = (await app.get(ann, `${path}/activities/feeds`)).body
    assert.partialDeepStrictEqual(feed[0], { op_type: 'comment_pull', comment: { body: 'so' } })
    assert.equal(settled.body[0].resolver.login, 'ann')
    assertError(await app.post(cid, `${one}/resolve`), 403)
    assertError(await app.post(undefined, `${one}/resolve`), 401)
    assertError(await app.post(ann, `${path}/pulls/comments/999/resolve`), 404)
    assertError(await app.post(ann, `${path}/pulls/comments/${plain.body.id}/resolve`), 400)
    const empty = `${path}/pulls/1/comments/${id}/replies`
    assertError(await app.post(ann, empty, { body: '' }), 422, '[Body]: Required')
    await app.put(ann, `${path}/issues/1/lock`, {})
    assertError(await app.post(cid, empty, { body: 'x' }), 403, /locked/)
  })

  test('of a review that is not handed in yet are answered by who writes it, unheard', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    await openPull(setup)
    const comments = [{ path: 'a.txt', body: 'why?', new_position: 1 }]
    const begun = await review(setup, bob, { body: 'wait', comments })
    const lines = await app.get(bob, `${path}/pulls/1/reviews/${begun.id}/comments`)
    const answer = `${path}/pulls/1/comments/${lines.body[0].id}/replies`
    const before = (await app.get(ann, `${path}/activities/feeds`)).body.length

    assertStatus(await app.post(bob, answer, { body: 'so' }), 201)

    assertError(await app.post(ann, answer, { body: 'x' }), 404)
    assert.equal((await app.get(ann, `${path}/activities/feeds`)).body.length, before)
    await app.ctx.jobs.runDue()
    assert.deepEqual((await app.get(ann, '/notifications')).body, [])
  })
})

suite('reviews and the protection of the base branch', () => {
  test('enough approvals of those who count, on the newest commit, let a pull be merged', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    const cid = await app.addCaller('cid')
    await addCollaborator(setup, bob, 'write')
    await openPull(setup)
    const rule = { rule_name: 'main', required_approvals: 1, block_on_rejected_reviews: true }
    const stale = { dismiss_stale_approvals: true, block_on_official_review_requests: true }
    assertStatus(await app.post(ann, `${path}/branch_protections`, { ...rule, ...stale }), 201)
    const merge = async () => app.post(ann, `${path}/pulls/1/merge`, { do: 'merge' })

    assertError(await merge(), 405, 'Does not have enough approvals')
    await review(setup, cid, { event: 'APPROVED' })
    assertError(await merge(), 405, 'Does not have enough approvals')
    const early = await review(setup, bob, { event: 'APPROVED' })
    await commit(setup, { 'a.txt': 'b\n' }, { branch: 'topic' })
    const old = await app.get(ann, `${path}/pulls/1/reviews/${early.id}`)
    assert.partialDeepStrictEqual(old.body, { stale: true, dismissed: true })
    assertError(await merge(), 405, 'Does not have enough approvals')
    await review(setup, bob, { event: 'APPROVED' })
    const dan = await app.addCaller('dan')
    await addCollaborator(setup, dan, 'write')
    const rejected = await review(setup, dan, { event: 'REQUEST_CHANGES', body: 'no' })
    assertError(await merge(), 405, 'There are requested changes')
    await app.post(ann, `${path}/pulls/1/reviews/${rejected.id}/dismissals`, {})
    await app.post(ann, `${path}/pulls/1/requested_reviewers`, { reviewers: ['dan'] })
    assertError(await merge(), 405, 'There are official review requests')
    await review(setup, dan, { event: 'COMMENT', body: 'well' })
    assertStatus(await merge(), 200)
  })

  test('only those on the list count, where there is one, and a waiting merge is done', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    const cid = await app.addCaller('cid')
    await addCollaborator(setup, bob, 'write')
    await addCollaborator(setup, cid, 'read')
    await openPull(setup)
    const list = { enable_approvals_whitelist: true, approvals_whitelist_username: ['cid'] }
    const rule = { rule_name: 'main', required_approvals: 1, ...list }
    assertStatus(await app.post(ann, `${path}/branch_protections`, rule), 201)
    const later = { do: 'merge', merge_when_checks_succeed: true }

    const uncounted = await review(setup, bob, { event: 'APPROVED' })
    assertStatus(await app.post(ann, `${path}/pulls/1/merge`, later), 201)
    const counted = await review(setup, cid, { event: 'APPROVED' })
    await app.ctx.jobs.runDue()

    assert.deepEqual([uncounted.official, counted.official], [false, true])
    assert.equal((await getPull(setup, 1)).merged, true)
  })

  test('an approval is of a head and a base: it ends when the base becomes another', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    await addCollaborator(setup, bob, 'write')
    const dan = await app.addCaller('dan')
    await addCollaborator(setup, dan, 'write')
    await addBranch(setup, 'free', { 'f.txt': 'f' })
    const rule = { rule_name: 'main', required_approvals: 1, block_on_rejected_reviews: true }
    assertStatus(await app.post(ann, `${path}/branch_protections`, rule), 201)
    await openPull(setup, { base: 'free' }, bob)
    const merge = async () => app.post(bob, `${path}/pulls/1/merge`, { do: 'merge' })
    const approved = await review(setup, ann, { event: 'APPROVED' })
    const rejected = await review(setup, dan, { event: 'REQUEST_CHANGES', body: 'no' })

    assertStatus(await app.patch(bob, `${path}/pulls/1`, { base: 'main' }), 201)

    assertError(await merge(), 405, 'Does not have enough approvals')
    const shown = async ({ id }: { id: number }) =>
      (await app.get(ann, `${path}/pulls/1/reviews/${id}`)).body
    assert.partialDeepStrictEqual(await shown(approved), { stale: true, dismissed: true })
    assert.partialDeepStrictEqual(await shown(rejected), { stale: true, dismissed: false })
    await review(setup, ann, { event: 'APPROVED' })
    assertError(await merge(), 405, 'There are requested changes')
    await review(setup, dan, { event: 'APPROVED' })
    assertStatus(await merge(), 200)
  })

  test('an approval does not count any more of who has lost access since', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    const root = await app.addAdmin()
    const cid = await app.addCaller('cid')
    await addCollaborator(setup, bob, 'write')
    await addCollaborator(setup, cid, 'write')
    await openPull(setup)
    const rule = { rule_name: 'main', required_approvals: 1 }
    assertStatus(await app.post(ann, `${path}/branch_protections`, rule), 201)
    const merge = async () => app.post(ann, `${path}/pulls/1/merge`, { do: 'merge' })
    await review(setup, cid, { event: 'APPROVED' })

    await addCollaborator(setup, cid, 'read')
    assertError(await merge(), 405, 'Does not have enough approvals')
    await app.delete(ann, `${path}/collaborators/cid`)
    assertError(await merge(), 405, 'Does not have enough approvals')
    await addCollaborator(setup, cid, 'write')
    await app.patch(root, '/admin/users/cid', { prohibit_login: true })
    assertError(await merge(), 405, 'Does not have enough approvals')
    await app.patch(root, '/admin/users/cid', { prohibit_login: false })
    assertStatus(await merge(), 200)
  })
})
