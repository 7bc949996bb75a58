import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startGitHost } from '../../platform/git/support.ts'
import { commit, folderOf, makePrivate } from '../../code/commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { addBranch, getPull, numbers, openPull, startWithTopic } from './setup.ts'

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
