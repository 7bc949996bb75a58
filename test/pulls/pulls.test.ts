import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startGitHost } from '../git/support.ts'
import { archive, commit, folderOf, makePrivate, statuses } from '../commits/setup.ts'
import { assertError, assertStatus } from '../support/expect.ts'
import { addBranch, addCollaborator, getPull, numbers, openPull, startWithTopic } from './setup.ts'

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

suite('GET /repos/{owner}/{repo}/pulls', () => {
  test('lists, filters, sorts and pages', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    await addBranch(setup, 'two', { 'b.txt': 'b' })
    await addBranch(setup, 'three', { 'c.txt': 'c' })
    const label = await app.post(ann, `${path}/labels`, { name: 'bug', color: '#f00' })
    const milestone = await app.post(ann, `${path}/milestones`, { title: 'one' })
    await openPull(setup, { due_date: '2030-01-01T00:00:00Z' })
    app.passTime(10)
    await openPull(setup, { head: 'two', base: 'topic' }, bob)
    app.passTime(10)
    const third = { head: 'three', labels: [label.body.id], milestone: milestone.body.id }
    await openPull(setup, third)
    app.passTime(10)
    await app.post(ann, `${path}/issues/1/comments`, { body: 'hm' })
    assertStatus(await app.patch(ann, `${path}/pulls/2`, { state: 'closed' }), 201)
    const cases: [string, number[]][] = [
      ['', [3, 2, 1]],
      ['?state=all', [3, 2, 1]],
      ['?state=other', [3, 2, 1]],
      ['?state=open', [3, 1]],
      ['?state=closed', [2]],
      ['?sort=oldest', [1, 2, 3]],
      ['?sort=recentupdate', [2, 1, 3]],
      ['?sort=leastupdate', [3, 1, 2]],
      ['?sort=recentclose', [2, 3, 1]],
      ['?sort=mostcomment', [1, 3, 2]],
      ['?sort=leastcomment', [3, 2, 1]],
      ['?sort=priority', [3, 2, 1]],
      ['?sort=constructor', [3, 2, 1]],
      [`?labels=${label.body.id}`, [3]],
      [`?labels=${label.body.id}&labels=99`, []],
      [`?milestone=${milestone.body.id}`, [3]],
      ['?poster=bob', [2]],
      ['?poster=BOB&page=0&limit=0&milestone=x&labels=x', [2]],
      ['?base_branch=topic', [2]],
      ['?limit=1&page=2', [2]],
      ['?page=9', []],
    ]

    for (const [query, expected] of cases) {
      const answer = await app.get(undefined, `${path}/pulls${query}`)
      assertStatus(answer, 200)
      assert.deepEqual(numbers(answer.body), expected, query)
    }

    const page = await app.get(undefined, `${path}/pulls?limit=1&page=2`)
    assert.equal(page.headers['x-total-count'], '3')
    assert.match(page.headers['link'] ?? '', /page=3>; rel="next"/)
    assertError(await app.get(undefined, `${path}/pulls?poster=nobody`), 400)
    assertError(await app.get(undefined, '/repos/ann/none/pulls'), 404)
  })

  test('shows neither pull requests nor code to those who may not read them', async (t) => {
    const setup = await startWithTopic(t)
    await openPull(setup)
    await makePrivate(setup)
    const { app, ann, bob, path } = setup

    assertError(await app.get(bob, `${path}/pulls`), 404)
    assertError(await app.get(bob, `${path}/pulls/1`), 404)
    assertStatus(await app.patch(ann, path, { private: false, has_code: false }), 200)
    assertError(await app.get(bob, `${path}/pulls`), 403)
  })
})

suite('one pull request', () => {
  test('is found by number or by branches, as text, with files and commits', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await commit(setup, { 'b/ü.txt': 'b\n' }, { branch: 'topic', message: 'second' })
    await openPull(setup)
    await app.post(ann, `${path}/issues`, { title: 'no pull request' })

    const byBranches = await app.get(undefined, `${path}/pulls/main/topic`)
    const diff = await app.get(undefined, `${path}/pulls/1.diff?binary=true`)
    const patch = await app.get(undefined, `${path}/pulls/1.patch`)
    const files = await app.get(undefined, `${path}/pulls/1/files`)
    const rest = await app.get(undefined, `${path}/pulls/1/files?skip-to=b/ü.txt&limit=1`)
    const commits = await app.get(undefined, `${path}/pulls/1/commits?limit=1`)

    assert.equal(byBranches.body.number, 1)
    assert.match(diff.text, /^diff --git a\/a\.txt b\/a\.txt/)
    assert.match(diff.headers['content-type'] ?? '', /^text\/plain/)
    assert.match(patch.text, /^From [0-9a-f]{40} .*\n.*\n.*\nSubject: \[PATCH 1\/2\] work on topic/)
    const { head } = byBranches.body
    assert.deepEqual(files.body[0], {
      filename: 'a.txt',
      status: 'added',
      additions: 1,
      deletions: 0,
      changes: 1,
      html_url: `http://codestead.test/ann/one/src/commit/${head.sha}/a.txt`,
      contents_url: `http://codestead.test/api/v1/repos/ann/one/contents/a.txt?ref=${head.sha}`,
      raw_url: `http://codestead.test/ann/one/raw/commit/${head.sha}/a.txt`,
    })
    assert.equal(files.headers['x-total-count'], '2')
    assert.equal(rest.body[0].filename, 'b/ü.txt')
    assert.equal(commits.body[0].commit.message.trim(), 'second')
    assert.equal(commits.headers['x-total-count'], '2')
    assert.equal(commits.headers['x-hasmore'], 'true')
    for (const end of ['2', '9', 'x', '0', '2.diff', '9/files', '9/commits', 'main/none', 'x/y'])
      assertError(await app.get(ann, `${path}/pulls/${end}`), 404)
  })

  test('names renamed files by both names', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    const readme = await app.get(ann, `${path}/contents/README.md`)
    const move = { from_path: 'README.md', sha: readme.body.sha, content: readme.body.content }
    const wanted = { ...move, branch: 'topic', message: 'move' }
    assertStatus(await app.put(ann, `${path}/contents/READ.md`, wanted), 200)
    await openPull(setup)

    const { body } = await app.get(ann, `${path}/pulls/1/files`)

    assert.partialDeepStrictEqual(body[0], {
      filename: 'READ.md',
      previous_filename: 'README.md',
      status: 'renamed',
      changes: 0,
    })
  })

  test('follows its branches, and closes when one of them goes', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await addBranch(setup, 'second', { 'b.txt': 'b' })
    await openPull(setup)
    await openPull(setup, { head: 'second', base: 'topic' })
    const before = await getPull(setup, 1)

    const head = await commit(setup, { 'a.txt': 'more\n' }, { branch: 'topic' })
    const base = await commit(setup, { 'a.txt': 'other\n' }, { branch: 'main' })
    const after = await getPull(setup, 1)
    const timeline = await app.get(ann, `${path}/issues/1/timeline`)
    await app.patch(ann, `${path}/branches/topic`, { name: 'renamed' })
    const renamed = [await getPull(setup, 1), await getPull(setup, 2)]
    assertStatus(await app.delete(ann, `${path}/branches/renamed`), 204)
    const gone = [await getPull(setup, 1), await getPull(setup, 2)]

    assert.equal(before.mergeable, true)
    assert.partialDeepStrictEqual(after, {
      mergeable: false,
      head: { sha: head },
      base: { sha: base },
      merge_base: before.merge_base,
    })
    assert.equal(timeline.body.at(-1).type, 'pull_push')
    assert.deepEqual(
      renamed.map((pull) => [pull.state, pull.base.ref, pull.head.ref]),
      [
        ['open', 'main', 'renamed'],
        ['open', 'renamed', 'second'],
      ],
    )
    assert.deepEqual(
      gone.map((pull) => [pull.state, pull.head.ref, pull.head.sha]),
      [
        ['closed', 'refs/pull/1/head', head],
        ['closed', 'second', gone[1].head.sha],
      ],
    )
    assert.equal((await app.get(ann, path)).body.open_pr_counter, 0)
  })

  test('is pinned among pull requests', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await openPull(setup)
    assertStatus(await app.post(ann, `${path}/issues/1/pin`), 204)

    const { body } = await app.get(undefined, `${path}/pulls/pinned`)

    assert.deepEqual(numbers(body), [1])
  })
})

suite('PATCH /repos/{owner}/{repo}/pulls/{index}', () => {
  test('changes all that is given, and nothing else', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await addBranch(setup, 'release', { 'r.txt': 'r' })
    const label = await app.post(ann, `${path}/labels`, { name: 'bug', color: '#f00' })
    const milestone = await app.post(ann, `${path}/milestones`, { title: 'one' })
    const before = await openPull(setup)

    const changed = await app.patch(ann, `${path}/pulls/1`, {
      title: 'WIP: new',
      body: 'text',
      base: 'release',
      assignees: ['bob'],
      milestone: milestone.body.id,
      labels: [label.body.id],
      due_date: '2030-01-02T03:04:05Z',
      allow_maintainer_edit: false,
      content_version: 0,
    })
    // What a client sends of which nobody has set a field.
    const untouched = { title: '', base: '', assignee: '', assignees: null, milestone: 0 }
    const kept = await app.patch(ann, `${path}/pulls/1`, { ...untouched, labels: null })
    const cleared = await app.patch(ann, `${path}/pulls/1`, {
      labels: [],
      assignees: [],
      unset_due_date: true,
    })
    const timeline = await app.get(ann, `${path}/issues/1/timeline`)

    assertStatus(changed, 201)
    assert.partialDeepStrictEqual(changed.body, {
      title: 'WIP: new',
      draft: true,
      mergeable: false,
      body: 'text',
      base: { ref: 'release' },
      assignees: [{ login: 'bob' }],
      milestone: { title: 'one' },
      labels: [{ name: 'bug' }],
      due_date: '2030-01-02T23:59:59Z',
      allow_maintainer_edit: false,
      content_version: 1,
    })
    assert.notEqual(changed.body.base.sha, before.base.sha)
    for (const key of ['title', 'body', 'base', 'assignees', 'milestone', 'labels', 'due_date']) {
      assert.deepEqual(kept.body[key], changed.body[key], key)
    }
    assert.partialDeepStrictEqual(cleared.body, {
      title: 'WIP: new',
      milestone: { title: 'one' },
      due_date: null,
      base: { ref: 'release' },
    })
    assert.deepEqual([cleared.body.labels, cleared.body.assignees], [[], []])
    const kinds = timeline.body.map(({ type }: { type: string }) => type)
    assert.ok(kinds.includes('change_target_branch'))
  })

  test('refuses what does not fit, and changes nothing then', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    await addBranch(setup, 'release', { 'r.txt': 'r' })
    await openPull(setup)
    await openPull(setup, { base: 'release' }, bob)
    const one = `${path}/pulls/1`

    assertError(await app.patch(ann, one, { title: 'x', base: 'none' }), 404, /new base 'none'/)
    assertError(await app.patch(ann, one, { title: 'x', base: 'release' }), 409)
    assertError(await app.patch(ann, one, { title: 'x', base: 'topic' }), 422)
    assertError(await app.patch(ann, one, { title: 'x', content_version: 9 }), 409)
    assertError(await app.patch(ann, one, { title: 'x', state: 'merged' }), 412)
    assertError(await app.patch(ann, one, { title: 'x', assignees: ['nobody'] }), 422)
    assertError(await app.patch(ann, one, { title: 'x', milestone: 99 }), 422)
    assertError(await app.patch(ann, one, { title: 'x', unset_due_date: false }), 400)
    assertError(await app.patch(ann, `${path}/pulls/9`, { title: 'x' }), 404)
    assertError(await app.patch(undefined, one, { title: 'x' }), 401)
    assert.equal((await app.patch(bob, one, { title: 'x' })).status, 403)
    const own = await app.patch(bob, `${path}/pulls/2`, { title: 'mine', labels: [1] })
    assert.partialDeepStrictEqual(own.body, { title: 'mine', labels: [] })
    assert.equal((await getPull(setup, 1)).title, 'the work')
  })

  test('closes and reopens, and sees then what happened to the branches meanwhile', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await openPull(setup)

    const closed = await app.patch(ann, `${path}/pulls/1`, { state: 'closed' })
    const base = await commit(setup, { 'm.txt': 'm' }, { branch: 'main' })
    const head = await commit(setup, { 'a.txt': 'aa' }, { branch: 'topic' })
    const second = await openPull(setup)
    const refused = await app.patch(ann, `${path}/pulls/1`, { state: 'open' })
    await app.patch(ann, `${path}/issues/${second.number}`, { state: 'closed' })
    const reopened = await app.patch(ann, `${path}/issues/1`, { state: 'open' })
    const pull = await getPull(setup, 1)

    assert.partialDeepStrictEqual(closed.body, { state: 'closed' })
    assert.notEqual(closed.body.closed_at, null)
    assertError(refused, 409)
    assertStatus(reopened, 201)
    assert.partialDeepStrictEqual(pull, { state: 'open', head: { sha: head }, base: { sha: base } })
    assert.equal((await app.get(ann, path)).body.open_pr_counter, 1)
    const feed = await app.get(ann, `${path}/activities/feeds`)
    const kinds = feed.body.map(({ op_type }: { op_type: string }) => op_type)
    assert.ok(kinds.includes('close_pull_request') && kinds.includes('reopen_pull_request'))
  })

  test('lets a writer of pull requests edit what others opened', async (t) => {
    const setup = await startWithTopic(t)
    const { app, bob, path } = setup
    await openPull(setup)
    await addCollaborator(setup, bob, 'write')

    const { body } = await app.patch(bob, `${path}/pulls/1`, { title: 'better' })

    assert.equal(body.title, 'better')
  })
})

suite('around a pull request', () => {
  test('its difference is at the address that its record hands out, for who may read it', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann } = setup
    await openPull(setup)

    const diff = await app.get(undefined, '^/ann/one/pulls/1.diff')
    const patch = await app.get(undefined, '^/ann/one/pulls/1.patch')
    await makePrivate(setup)
    const hidden = await app.get(undefined, '^/ann/one/pulls/1.diff')
    const own = await app.get(ann, '^/ann/one/pulls/1.diff')

    assert.match(diff.text, /^diff --git/)
    assert.match(patch.text, /^From /)
    assert.deepEqual([hidden.status, own.status], [404, 200])
  })

  test('a deleted one leaves no reference behind', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await openPull(setup)

    assertStatus(await app.delete(ann, `${path}/issues/1`), 204)

    const folder = await folderOf(app, 'one')
    assert.equal(await app.ctx.git.text(folder, ['for-each-ref', 'refs/pull']), '')
    assert.equal((await app.get(ann, path)).body.open_pr_counter, 0)
  })

  test('a push that was not recorded is seen by the job that mends', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    const opened = await openPull(setup)
    const folder = await folderOf(app, 'one')
    const moved = await addBranch(setup, 'elsewhere', { 'x.txt': 'x' })
    await app.ctx.git.run(folder, ['update-ref', '-d', 'refs/pull/1/head'])
    await app.ctx.git.run(folder, ['update-ref', 'refs/heads/topic', moved])
    await app.ctx.git.run(folder, ['update-ref', 'refs/heads/main', opened.head.sha])
    const { body } = await app.get(ann, path)

    await app.ctx.jobs.enqueue(app.ctx.db, 'measure_repository', { id: body.id })
    await app.ctx.jobs.runDue()

    const pull = await getPull(setup, 1)
    assert.deepEqual([pull.head.sha, pull.base.sha], [moved, opened.head.sha])
    assert.equal(await app.ctx.git.text(folder, ['rev-parse', 'refs/pull/1/head']), moved)
  })

  test('those who watch are told, and that it is merged', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    await openPull(setup, {}, bob)
    await app.ctx.jobs.runDue()
    assertStatus(await app.post(ann, `${path}/pulls/1/merge`, { do: 'merge' }), 200)

    const { body } = await app.get(ann, '/notifications?all=true')

    assert.partialDeepStrictEqual(body[0].subject, {
      type: 'Pull',
      state: 'merged',
      html_url: 'http://codestead.test/ann/one/pulls/1',
    })
  })
})

suite('git and pull requests', () => {
  test('a client fetches the head by its number, pushes to its branch, and to nothing else', async (t) => {
    const host = await startGitHost(t)
    const { app, client } = host
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const work = await client.makeRepository()
    await client.git(['remote', 'add', 'origin', host.urlFor('ann', 'ann/one.git')], work)
    await client.git(['push', '--quiet', 'origin', 'main'], work)
    await client.git(['checkout', '--quiet', '-b', 'topic'], work)
    await client.commit(work, 'second')
    await client.git(['push', '--quiet', 'origin', 'topic'], work)
    const path = '/repos/ann/one'
    const wanted = { title: 'x', head: 'topic', base: 'main' }
    assertStatus(await app.post(ann, `${path}/pulls`, wanted), 201)

    const third = await client.commit(work, 'third')
    await client.git(['push', '--quiet', 'origin', 'topic'], work)
    const pull = await app.get(ann, `${path}/pulls/1`)
    await client.git(['fetch', '--quiet', host.url('ann/one'), 'refs/pull/1/head'], work)
    const fetched = await client.git(['rev-parse', 'FETCH_HEAD'], work)
    const refused = await client.run(['push', 'origin', '+main:refs/pull/1/head'], work)
    assertStatus(await app.post(ann, `${path}/pulls/1/merge`, { do: 'rebase-merge' }), 200)

    assert.equal(pull.body.head.sha, third)
    assert.equal(fetched, third)
    assert.match(refused.notes, /reserved ref/)
    await client.git(['pull', '--quiet', 'origin', 'main'], work)
    await host.assertSound('ann/one')
  })
})
