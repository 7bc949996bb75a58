import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startWithRepository, type Setup } from '../../code/commits/setup.ts'
import { openPull, startWithTopic } from '../../collaboration/pulls/setup.ts'
import { assertStatus } from '../../support/expect.ts'

interface Entry {
  readonly op_type: string
  readonly content: string
  readonly ref_name: string
  readonly comment_id: number
  readonly comment: { readonly body: string } | null
}

async function feedOf({ app, ann, path }: Setup): Promise<readonly Entry[]> {
  const answer = await app.get(ann, `${path}/activities/feeds?limit=50`)
  assertStatus(answer, 200)
  return answer.body
}

/** Oldest first; what git did is told elsewhere. */
function linesOf(feed: readonly Entry[]): readonly string[] {
  return feed
    .filter(({ ref_name: ref }) => ref === '')
    .map(({ op_type: kind, content }) => `${kind} ${content}`)
    .toReversed()
}

suite('the feed of a repository', () => {
  test('tells of issues and pull requests what the contract says, each thing once', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    const [issue, pull] = [`${path}/issues/1`, `${path}/pulls/2`]
    const say = (event: string, body: string, comments: readonly object[] = []) =>
      app.post(bob, `${pull}/reviews`, { event, body, comments })
    const onLine = (body: string) => ({ path: 'a.txt', body, new_position: 1 })
    await app.post(bob, `${path}/issues`, { title: 'broken | badly' })
    const said = await app.post(bob, `${issue}/comments`, { body: 'two\nlines' })
    for (const state of ['closed', 'open']) await app.patch(ann, issue, { state })
    await openPull(setup)
    await app.post(bob, `${path}/issues/2/comments`, { body: 'x'.repeat(201) })
    const rejected = await say('REQUEST_CHANGES', 'no\nnever', [onLine('why?')])
    await say('COMMENT', '', [onLine('one'), onLine('two')])
    const pending = await say('PENDING', 'soon', [onLine('later')])
    await app.post(bob, `${pull}/reviews/${pending.body.id}`, { event: 'COMMENT', body: 'hm' })
    await app.post(ann, `${pull}/reviews/${rejected.body.id}/dismissals`, { message: 'no' })
    await say('APPROVED', '')
    for (const state of ['closed', 'open']) await app.patch(ann, pull, { state })
    for (const title of ['WIP: it', 'it']) await app.patch(ann, pull, { title })
    assertStatus(await app.post(ann, `${pull}/merge`, { do: 'merge' }), 200)

    const feed = await feedOf(setup)

    assert.deepEqual(linesOf(feed), [
      'create_repo ',
      'create_issue 1|broken | badly',
      'comment_issue 1|two\nlines',
      'close_issue 1|',
      'reopen_issue 1|',
      'create_pull_request 2|the work',
      `comment_pull 2|${'x'.repeat(197)}…`,
      'comment_pull 2|why?',
      'reject_pull_request 2|no',
      'comment_pull 2|one',
      'comment_pull 2|two',
      'comment_pull 2|later',
      'comment_pull 2|hm',
      'approve_pull_request 2|',
      'close_pull_request 2|',
      'reopen_pull_request 2|',
      'merge_pull_request 2|it',
    ])
    const silent = ['create_repo', 'create_issue', 'create_pull_request', 'merge_pull_request']
    for (const { op_type: kind, comment, comment_id: id, ref_name: ref } of feed) {
      const isSilent = ref !== '' || silent.includes(kind)
      assert.deepEqual([comment === null, id === 0], [isSilent, isSilent], kind)
    }
    assert.equal(
      feed.find(({ comment_id: id }) => id === said.body.id)?.comment?.body,
      'two\nlines',
    )
  })

  test('tells of a merge that waited that it was automatic', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    const { head } = await openPull(setup)
    const rule = { rule_name: 'main', enable_status_check: true, status_check_contexts: ['ci'] }
    assertStatus(await app.post(ann, `${path}/branch_protections`, rule), 201)
    const later = { do: 'squash', merge_when_checks_succeed: true }
    assertStatus(await app.post(ann, `${path}/pulls/1/merge`, later), 201)
    await app.post(ann, `${path}/statuses/${head.sha}`, { context: 'ci', state: 'success' })
    await app.ctx.jobs.runDue()

    assert.equal(linesOf(await feedOf(setup)).at(-1), 'auto_merge_pull_request 1|the work')
  })

  test('tells of names and owners, and of nothing else that is edited', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    for (const change of [
      { description: 'x', website: 'https://example.org', template: true },
      { has_wiki: false, has_issues: true, default_merge_style: 'squash' },
      { private: true },
      { private: false },
      { archived: true },
      { archived: false },
      { name: 'ONE' },
    ])
      assertStatus(await app.patch(ann, path, change), 200)
    await app.put(bob, '/user/starred/ann/one')
    await app.put(bob, `${path}/subscription`)
    await app.put(ann, `${path}/topics`, { topics: ['x'] })
    await app.patch(ann, path, { name: 'two' })
    await app.post(ann, '/orgs', { username: 'acme' })
    assertStatus(await app.post(ann, '/repos/ann/two/transfer', { new_owner: 'acme' }), 202)

    const moved = { ...setup, path: '/repos/acme/two' }

    assert.deepEqual(linesOf(await feedOf(moved)), [
      'create_repo ',
      'rename_repo ONE',
      'transfer_repo ann/two',
    ])
  })
})
