import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { archive, commit, folderOf, statuses } from '../../code/commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { addBranch, getPull, openPull, startWithTopic } from './setup.ts'

suite('POST /repos/{owner}/{repo}/pulls', () => {
  test('opens a pull request, which is an issue too, and names its head for git', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup

    const pull = await openPull(setup, { body: 'please', due_date: '2030-01-02T03:04:05Z' })
    const issue = await app.get(undefined, `${path}/issues/1`)
    const repo = await app.get(undefined, path)
    const feed = await app.get(ann, `${path}/activities/feeds`)
    const folder = await folderOf(app, 'one')
    const head = await app.ctx.git.text(folder, ['rev-parse', 'refs/pull/1/head'])

    const url = 'http://codestead.test/ann/one/pulls/1'
    assert.partialDeepStrictEqual(pull, {
      url,
      html_url: url,
      diff_url: `${url}.diff`,
      patch_url: `${url}.patch`,
      number: 1,
      user: { login: 'ann' },
      title: 'the work',
      body: 'please',
      state: 'open',
      draft: false,
      mergeable: true,
      merged: false,
      merged_at: null,
      merge_commit_sha: null,
      allow_maintainer_edit: true,
      additions: 1,
      deletions: 0,
      changed_files: 1,
      base: { label: 'main', ref: 'main', repo: { full_name: 'ann/one' } },
      head: { label: 'topic', ref: 'topic', repo: { full_name: 'ann/one' } },
      due_date: '2030-01-02T03:04:05Z',
      content_version: 0,
    })
    assert.deepEqual([pull.assignees, pull.labels, pull.requested_reviewers], [[], [], []])
    assert.equal(pull.merge_base, pull.base.sha)
    assert.equal(head, pull.head.sha)
    assert.deepEqual(issue.body.pull_request, {
      merged: false,
      merged_at: null,
      draft: false,
      html_url: url,
    })
    assert.partialDeepStrictEqual(repo.body, { open_pr_counter: 1, open_issues_count: 0 })
    assert.partialDeepStrictEqual(feed.body[0], {
      op_type: 'create_pull_request',
      content: '1|the work',
    })
  })

  test('takes labels, milestone and assignees from those who write, not from others', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    await addBranch(setup, 'other', { 'b.txt': 'b' })
    const label = await app.post(ann, `${path}/labels`, { name: 'bug', color: '#f00' })
    const milestone = await app.post(ann, `${path}/milestones`, { title: 'one' })
    const triage = {
      labels: [label.body.id, 999],
      milestone: milestone.body.id,
      assignees: ['bob'],
      assignee: 'ann',
      allow_maintainer_edit: false,
    }

    const own = await openPull(setup, triage)
    const other = await openPull(setup, { ...triage, head: 'other', title: '[wip] x' }, bob)

    assert.partialDeepStrictEqual(own, {
      labels: [{ name: 'bug' }],
      milestone: { title: 'one' },
      assignee: { login: 'ann' },
      assignees: [{ login: 'ann' }, { login: 'bob' }],
      allow_maintainer_edit: false,
    })
    assert.partialDeepStrictEqual(other, { milestone: null, draft: true, mergeable: false })
    assert.deepEqual([other.labels, other.assignees], [[], []])
  })

  test('refuses what cannot be pulled', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    assertStatus(await app.post(ann, `${path}/tags`, { tag_name: 'v1' }), 201)
    const wanted = { title: 'x', head: 'topic', base: 'main' }
    const cases: [object, number, RegExp][] = [
      [{ title: '' }, 422, /^\[Title\]: Required$/],
      [{ head: '' }, 422, /^\[Head\]: Required$/],
      [{ base: '' }, 422, /^\[Base\]: Required$/],
      [{ title: '   ' }, 422, /Title/],
      [{ head: 'main' }, 422, /no changes between/],
      [{ head: 'ann:main' }, 422, /no changes between/],
      [{ head: 'v1' }, 422, /not a branch/],
      [{ base: 'v1' }, 422, /not a branch/],
      [{ head: 'nothing' }, 404, /not found/],
      [{ base: 'nothing' }, 404, /not found/],
      [{ head: 'bob:topic' }, 404, /not found/],
      [{ head: 'nobody/else:topic' }, 404, /not found/],
      [{ head: '--upload-pack=x' }, 404, /not found/],
      [{ milestone: 99 }, 404, /not found/],
      [{ milestone: 99, assignees: ['nobody'] }, 404, /not found/],
      [{ assignees: ['nobody'] }, 422, /nobody/],
      [{ reviewers: ['nobody'] }, 404, /nobody/],
      [{ reviewers: ['ann'] }, 422, /poster/],
    ]

    for (const [change, status, message] of cases) {
      const answer = await app.post(ann, `${path}/pulls`, { ...wanted, ...change })
      assertError(answer, status, message)
    }

    assertError(await app.post(undefined, `${path}/pulls`, wanted), 401)
    await app.put(ann, `/user/blocks/bob`)
    assertError(await app.post(bob, `${path}/pulls`, wanted), 403, 'user is blocked')
    await app.post(ann, '/user/repos', { name: 'empty' })
    assertError(await app.post(ann, '/repos/ann/empty/pulls', wanted), 404)
    await archive(setup)
    assertError(await app.post(ann, `${path}/pulls`, wanted), 423)
    assertStatus(await app.patch(ann, path, { archived: false, has_pull_requests: false }), 200)
    assertError(await app.post(ann, `${path}/pulls`, wanted), 404)
    assertError(await app.get(ann, `${path}/pulls`), 404)
  })

  test('lets one be open for a pair of branches, also of many at once', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    const wanted = { title: 'x', head: 'topic', base: 'main' }

    const answers = await Promise.all(
      Array.from({ length: 5 }, () => app.post(ann, `${path}/pulls`, wanted)),
    )
    const again = await app.post(ann, `${path}/pulls`, { ...wanted, head: 'ann/one:topic' })

    assert.deepEqual(statuses(answers), [201, 409, 409, 409, 409])
    assertError(again, 409, /^pull request already exists for these targets \[id: \d+, issue_id: /)
    const { body } = await app.get(ann, path)
    assert.equal(body.open_pr_counter, 1)
  })

  test('brings the head over from a fork, whatever the fork is called', async (t) => {
    const setup = await startWithTopic(t)
    const { app, bob, path } = setup
    assertStatus(await app.post(bob, `${path}/forks`, { name: 'mine' }), 202)
    const fork = { ...setup, ann: bob, path: '/repos/bob/mine' }
    const first = await commit(fork, { 'fork.txt': '1\n' }, { new_branch: 'work/it' })

    const pull = await openPull(setup, { head: 'bob:work/it' }, bob)
    const second = await commit(fork, { 'fork.txt': '2\n' }, { branch: 'work/it' })
    const moved = await getPull(setup, 1)
    const found = await app.get(undefined, `${path}/pulls/main/bob%2Fmine:work/it`)
    const folder = await folderOf(app, 'one')
    const head = await app.ctx.git.text(folder, ['rev-parse', 'refs/pull/1/head'])

    assert.partialDeepStrictEqual(pull.head, {
      label: 'work/it',
      sha: first,
      repo: { full_name: 'bob/mine' },
    })
    assert.equal(moved.head.sha, second)
    assert.equal(head, second)
    assert.equal(found.body.number, 1)
    assertStatus(await app.delete(bob, '/repos/bob/mine'), 204)
    const orphan = await getPull(setup, 1)
    assert.partialDeepStrictEqual(orphan, {
      state: 'closed',
      head: { ref: 'refs/pull/1/head', repo_id: -1, repo: null },
    })
    assert.equal((await app.get(undefined, path)).body.open_pr_counter, 0)
  })
})
