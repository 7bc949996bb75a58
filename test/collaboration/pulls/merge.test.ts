import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  archive,
  commit,
  folderOf,
  startWithRepository,
  statuses,
} from '../../code/commits/setup.ts'
import type { Setup } from '../../code/commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { doMeanwhile } from '../../support/meanwhile.ts'
import { addBranch, addCollaborator, getPull, openPull, startWithTopic } from './setup.ts'

/** Subjects of the newest commits of a branch, the newest first. */
async function subjects({ app }: Setup, branch: string): Promise<readonly string[]> {
  const folder = await folderOf(app, 'one')
  const format = ['log', '--format=%s', '-5', `refs/heads/${branch}`, '--']
  return (await app.ctx.git.text(folder, format)).split('\n')
}

async function files({ app }: Setup, branch: string): Promise<readonly string[]> {
  const folder = await folderOf(app, 'one')
  const text = await app.ctx.git.text(folder, ['ls-tree', '--name-only', `refs/heads/${branch}`])
  return text.split('\n')
}

suite('POST /repos/{owner}/{repo}/pulls/{index}/merge', () => {
  test('merges with a commit of two parents, and all sides know at once', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    const label = await app.post(ann, `${path}/milestones`, { title: 'one' })
    const opened = await openPull(setup, { milestone: label.body.id })
    const base = await commit(setup, { 'm.txt': 'm\n' }, { branch: 'main', message: 'on main' })

    const before = await app.get(ann, `${path}/pulls/1/merge`)
    const merged = await app.post(ann, `${path}/pulls/1/merge`, {
      Do: 'merge',
      MergeTitleField: 'all of it',
      MergeMessageField: 'because',
      head_commit_id: opened.head.sha,
    })
    const pull = await getPull(setup, 1)
    const after = await app.get(ann, `${path}/pulls/1/merge`)

    assertError(before, 404)
    assert.deepEqual([merged.status, merged.text], [200, ''])
    assert.equal(after.status, 204)
    assert.partialDeepStrictEqual(pull, {
      state: 'closed',
      merged: true,
      merged_by: { login: 'ann' },
      base: { sha: pull.merge_commit_sha },
      milestone: { open_issues: 0, closed_issues: 1 },
    })
    assert.notEqual(pull.merged_at, null)
    const by = await app.get(ann, `${path}/commits/${pull.merge_commit_sha}/pull`)
    assert.equal(by.body.number, 1)
    assertError(await app.get(ann, `${path}/commits/${base}/pull`), 404)
    const made = await app.get(ann, `${path}/git/commits/${pull.merge_commit_sha}`)
    assert.equal(made.body.commit.message.trim(), 'all of it\n\nbecause')
    assert.deepEqual(
      made.body.parents.map(({ sha }: { sha: string }) => sha),
      [base, opened.head.sha],
    )
    assert.deepEqual(await files(setup, 'main'), ['README.md', 'a.txt', 'm.txt'])
    const issue = await app.get(ann, `${path}/issues/1`)
    assert.partialDeepStrictEqual(issue.body.pull_request, { merged: true })
    const feed = await app.get(ann, `${path}/activities/feeds`)
    const isMerge = (one: { op_type: string }) => one.op_type === 'merge_pull_request'
    assert.partialDeepStrictEqual(feed.body.find(isMerge), {
      content: '1|the work',
      comment_id: 0,
      comment: null,
    })
    assert.equal((await app.get(ann, path)).body.open_pr_counter, 0)
    assertError(await app.patch(ann, `${path}/pulls/1`, { state: 'open' }), 412)
    assertError(await app.patch(ann, `${path}/issues/1`, { state: 'open' }), 412)
    assertError(await app.post(ann, `${path}/pulls/1/merge`, { Do: 'merge' }), 405)
  })

  test('rebases, squashes and forwards, as it is told', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    for (const name of ['a', 'b', 'c', 'd']) {
      await addBranch(setup, name, { [`${name}.txt`]: name })
      await commit(
        setup,
        { [`${name}2.txt`]: name },
        { branch: name, message: `second of ${name}` },
      )
      await openPull(setup, { head: name, title: `pull ${name}` }, name === 'c' ? bob : ann)
    }
    const merge = async (number: number, style: string) =>
      assertStatus(await app.post(ann, `${path}/pulls/${number}/merge`, { do: style }), 200)

    await merge(1, 'fast-forward-only')
    const forwarded = await getPull(setup, 1)
    const diverged = await app.post(ann, `${path}/pulls/4/merge`, { do: 'fast-forward-only' })
    await merge(2, 'rebase')
    const rebased = await subjects(setup, 'main')
    await merge(3, 'squash')
    const squashed = await subjects(setup, 'main')
    const squash = await app.get(ann, `${path}/git/commits/main`)
    await merge(4, 'rebase-merge')
    const last = await subjects(setup, 'main')

    assert.equal(forwarded.merge_commit_sha, forwarded.head.sha)
    assertError(diverged, 409)
    assert.deepEqual(rebased, [
      'second of b',
      'work on b',
      'second of a',
      'work on a',
      'Initial commit',
    ])
    assert.deepEqual(squashed.slice(0, 2), ['pull c (#3)', 'second of b'])
    assert.deepEqual(
      [squash.body.author.login, squash.body.committer.login, squash.body.parents.length],
      ['bob', 'ann', 1],
    )
    assert.deepEqual(last.slice(0, 1), ["Merge pull request 'pull d' (#4) from d into main"])
    assert.deepEqual((await files(setup, 'main')).length, 9)
  })

  test('refuses what may not be merged, and what cannot', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    await openPull(setup)
    const merge = `${path}/pulls/1/merge`
    const main = (await getPull(setup, 1)).base.sha
    const draft = async (title: string) => app.patch(ann, `${path}/pulls/1`, { title })

    assertError(await app.post(undefined, merge, { do: 'merge' }), 401)
    assertError(await app.post(ann, merge, {}), 422, '[Do]: Required')
    assertError(await app.post(ann, merge, { do: 'octopus' }), 422, '[Do]: In')
    assertError(await app.post(ann, `${path}/pulls/9/merge`, { do: 'merge' }), 404)
    assertError(await app.post(bob, merge, { do: 'merge' }), 405, 'User not allowed to merge PR')
    assertError(await app.post(ann, merge, { do: 'merge', head_commit_id: main }), 409)
    await draft('WIP: the work')
    assertError(await app.post(ann, merge, { do: 'merge' }), 405, /^Work in progress/)
    await draft('the work')
    await app.patch(ann, path, { allow_squash_merge: false })
    assertError(await app.post(ann, merge, { do: 'squash' }), 405, 'Invalid merge style')
    const by = { do: 'manually-merged', merge_commit_id: main }
    assertError(await app.post(ann, merge, by), 405, 'Invalid merge style')
    const issue = await app.post(ann, `${path}/issues`, { title: 'first' })
    const first = { owner: 'ann', repo: 'one', index: issue.body.number }
    assertStatus(await app.post(ann, `${path}/issues/1/dependencies`, first), 201)
    assertError(await app.post(ann, merge, { do: 'merge' }), 405, /open dependencies/)
    await app.delete(ann, `${path}/issues/1/dependencies`, first)
    await commit(setup, { 'a.txt': 'not that\n' }, { branch: 'main' })
    assertError(await app.post(ann, merge, { do: 'merge' }), 405, 'Please try again later')
    await app.patch(ann, `${path}/pulls/1`, { state: 'closed' })
    assertError(await app.post(ann, merge, { do: 'merge' }), 404)
    await archive(setup)
    assertError(await app.post(ann, merge, { do: 'merge' }), 423)
    assert.equal((await getPull(setup, 1)).merged, false)
  })

  test('believes in a merge that was done by hand, if it is in the base branch', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    const opened = await openPull(setup)
    await app.patch(ann, path, { has_pull_requests: true, allow_manual_merge: true })
    const by = (merge_commit_id: string) => ({ do: 'manually-merged', merge_commit_id })
    const merge = `${path}/pulls/1/merge`

    assertError(await app.post(ann, merge, by('x')), 409, 'Wrong commit ID')
    assertError(await app.post(ann, merge, by(opened.head.sha)), 409, 'Wrong commit ID')
    assertStatus(await app.post(ann, merge, by(opened.base.sha)), 200)

    const pull = await getPull(setup, 1)
    assert.partialDeepStrictEqual(pull, { merged: true, merge_commit_sha: opened.base.sha })
  })

  test('succeeds once of many at once', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await addBranch(setup, 'other', { 'b.txt': 'b' })
    await openPull(setup)
    await openPull(setup, { head: 'other' })
    const merge = (number: number) =>
      app.post(ann, `${path}/pulls/${number}/merge`, { do: 'merge' })

    const answers = await Promise.all([1, 1, 1, 2].map(merge))

    assert.deepEqual(statuses(answers), [200, 200, 405, 405])
    assert.deepEqual(await files(setup, 'main'), ['README.md', 'a.txt', 'b.txt'])
  })

  test('tells a rebase that contradicts the base, although a merge would not', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await commit(setup, { 'README.md': 'changed\n' }, { branch: 'topic', message: 'change' })
    const readme = await app.get(ann, `${path}/raw/README.md`)
    await commit(setup, { 'README.md': readme.text }, { branch: 'topic', message: 'back' })
    await openPull(setup)
    await commit(setup, { 'README.md': 'other\n' }, { branch: 'main' })

    const rebased = await app.post(ann, `${path}/pulls/1/merge`, { do: 'rebase' })
    const merged = await app.post(ann, `${path}/pulls/1/merge`, { do: 'merge' })

    assertError(rebased, 409, /rebase/)
    assertStatus(merged, 200)
  })

  test('deletes the branch when asked to, or when the repository is set up so', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await addBranch(setup, 'second', { 'b.txt': 'b' })
    await addBranch(setup, 'third', { 'c.txt': 'c' })
    await openPull(setup)
    await openPull(setup, { head: 'second' })
    await openPull(setup, { head: 'third' })
    await openPull(setup, { head: 'third', base: 'second' })
    const merge = async (number: number, body: object = {}) =>
      assertStatus(
        await app.post(ann, `${path}/pulls/${number}/merge`, { do: 'merge', ...body }),
        200,
      )

    await merge(1, { delete_branch_after_merge: true })
    await app.patch(ann, path, { default_delete_branch_after_merge: true })
    await merge(4)
    await merge(3, { delete_branch_after_merge: false })
    await merge(2)
    const { body } = await app.get(ann, `${path}/branches`)

    assert.deepEqual(
      body.map(({ name }: { name: string }) => name),
      ['main', 'third'],
    )
    assert.equal((await getPull(setup, 1)).head.ref, 'refs/pull/1/head')
  })

  test('finishes what a server that ended had begun', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    const opened = await openPull(setup)
    const merge_commit_id = opened.head.sha as string
    const intent = { merge_commit_id, merged_by_id: ann.id }
    await app.ctx.db.updateTable('pull_request').set(intent).execute()
    const folder = await folderOf(app, 'one')
    await app.ctx.git.run(folder, ['update-ref', 'refs/heads/main', merge_commit_id])

    const answer = await app.post(ann, `${path}/pulls/1/merge`, { do: 'merge' })
    const pull = await getPull(setup, 1)

    assertError(answer, 405)
    assert.partialDeepStrictEqual(pull, { merged: true, merge_commit_sha: merge_commit_id })
  })

  test('finds a merge that was pushed, when it is told to look', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    const opened = await openPull(setup)
    await app.patch(ann, path, { autodetect_manual_merge: true })

    const move = { new_commit_id: opened.head.sha, old_commit_id: opened.base.sha }
    assertStatus(await app.put(ann, `${path}/branches/main`, move), 204)
    await app.ctx.jobs.runDue()
    const pull = await getPull(setup, 1)

    assert.partialDeepStrictEqual(pull, { merged: true, state: 'closed' })
  })
})

suite('a protected base branch', () => {
  test('asks for its merge list and its status checks', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    await addCollaborator(setup, bob, 'write')
    const opened = await openPull(setup)
    const merge = `${path}/pulls/1/merge`
    const rule = { rule_name: 'main', enable_merge_whitelist: true }
    const listed = { ...rule, merge_whitelist_usernames: ['ann'] }
    assertStatus(await app.post(ann, `${path}/branch_protections`, listed), 201)
    const protect = async (body: object) =>
      assertStatus(await app.patch(ann, `${path}/branch_protections/main`, body), 200)
    const report = async (context: string, state: string) =>
      assertStatus(
        await app.post(ann, `${path}/statuses/${opened.head.sha}`, { context, state }),
        201,
      )

    assertError(await app.post(bob, merge, { do: 'merge' }), 405, 'User not allowed to merge PR')
    await protect({ enable_merge_whitelist: false, enable_status_check: true })
    await protect({ status_check_contexts: ['ci/*'], block_admin_merge_override: true })
    assertError(await app.post(bob, merge, { do: 'merge' }), 405, /^Not all required status/)
    await report('ci/build', 'failure')
    assertError(await app.post(bob, merge, { do: 'merge' }), 405, /^Not all required status/)
    assertError(await app.post(ann, merge, { do: 'merge', force_merge: true }), 405)
    await protect({ block_admin_merge_override: false })
    assertError(await app.post(bob, merge, { do: 'merge', force_merge: true }), 405)
    await report('ci/build', 'success')
    assertStatus(await app.post(bob, merge, { do: 'merge' }), 200)
  })

  test('may want heads that are up to date, and files that stay as they are', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await openPull(setup)
    const merge = `${path}/pulls/1/merge`
    await commit(setup, { 'm.txt': 'm' }, { branch: 'main' })
    const rule = { rule_name: 'main', block_on_outdated_branch: true }
    assertStatus(await app.post(ann, `${path}/branch_protections`, rule), 201)
    const protect = (body: object) => app.patch(ann, `${path}/branch_protections/main`, body)

    assertError(await app.post(ann, merge, { do: 'merge' }), 405, /behind the base/)
    await protect({ block_on_outdated_branch: false, protected_file_patterns: '*.txt' })
    assertError(await app.post(ann, merge, { do: 'merge' }), 405, 'Changed protected files')
    await protect({ require_signed_commits: true })
    assertError(await app.post(ann, merge, { do: 'merge', force_merge: true }), 405, /verified/)
    await protect({ require_signed_commits: false })
    assertStatus(await app.post(ann, merge, { do: 'merge', force_merge: true }), 200)
  })

  test('lets no merge wait for checks that succeed while it is scheduled', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    const opened = await openPull(setup)
    const rule = { rule_name: 'main', enable_status_check: true, status_check_contexts: ['ci'] }
    assertStatus(await app.post(ann, `${path}/branch_protections`, rule), 201)
    const later = { do: 'squash', merge_when_checks_succeed: true }
    const succeed = () =>
      app.post(ann, `${path}/statuses/${opened.head.sha}`, { context: 'ci', state: 'success' })

    const merge = () => app.post(ann, `${path}/pulls/1/merge`, later)
    const scheduled = await doMeanwhile(t, app, merge, succeed)
    await app.ctx.jobs.runDue()

    assertStatus(scheduled, 201)
    assert.equal((await getPull(setup, 1)).merged, true)
  })

  test('lets a merge wait until its checks have succeeded', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    const opened = await openPull(setup)
    const merge = `${path}/pulls/1/merge`
    const rule = { rule_name: 'main', enable_status_check: true, status_check_contexts: ['ci'] }
    assertStatus(await app.post(ann, `${path}/branch_protections`, rule), 201)
    const later = { do: 'squash', merge_when_checks_succeed: true }

    const scheduled = await app.post(ann, merge, later)
    const again = await app.post(ann, merge, later)
    const stranger = await app.delete(bob, merge)
    const cancelled = await app.delete(ann, merge)
    const nothing = await app.delete(ann, merge)
    assertStatus(await app.post(ann, merge, later), 201)
    const status = { context: 'ci', state: 'success' }
    await app.post(ann, `${path}/statuses/${opened.head.sha}`, status)
    await app.ctx.jobs.runDue()

    assert.deepEqual([scheduled.status, scheduled.text], [201, ''])
    assertError(again, 409)
    assertError(stranger, 403)
    assertStatus(cancelled, 204)
    assertError(nothing, 404)
    assert.partialDeepStrictEqual(await getPull(setup, 1), { merged: true })
  })
})

suite('POST /repos/{owner}/{repo}/pulls/{index}/update', () => {
  test('brings the base into the head, also of a fork, by merge or rebase', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    assertStatus(await app.post(bob, `${path}/forks`, { name: 'mine' }), 202)
    const fork = { ...setup, ann: bob, path: '/repos/bob/mine' }
    await commit(fork, { 'f.txt': 'f' }, { new_branch: 'work', message: 'in the fork' })
    await openPull(setup)
    await openPull(setup, { head: 'bob:work' }, bob)
    const base = await commit(setup, { 'm.txt': 'm' }, { branch: 'main', message: 'on main' })

    const rebased = await app.post(ann, `${path}/pulls/1/update?style=rebase`)
    const merged = await app.post(ann, `${path}/pulls/2/update`)
    const again = await app.post(ann, `${path}/pulls/2/update`)
    const [one, two] = [await getPull(setup, 1), await getPull(setup, 2)]
    const branch = await app.get(bob, '/repos/bob/mine/branches/work')

    assert.deepEqual([rebased.status, merged.status, again.status], [200, 200, 200])
    assert.deepEqual([one.merge_base, two.merge_base], [base, base])
    assert.deepEqual((await subjects(setup, 'topic')).slice(0, 2), ['work on topic', 'on main'])
    assert.equal(branch.body.commit.message.trim(), "Merge branch 'main' into work")
    assert.equal(branch.body.commit.id, two.head.sha)
  })

  test('is refused to those who may not push there, and where nothing can be done', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    await openPull(setup)
    await commit(setup, { 'a.txt': 'other\n' }, { branch: 'main' })
    const update = `${path}/pulls/1/update`

    assertError(await app.post(undefined, update), 401)
    assertError(await app.post(ann, `${path}/pulls/9/update`), 404)
    assert.equal((await app.post(bob, update)).status, 403)
    assertError(await app.post(ann, update), 409)
    assertError(await app.post(ann, `${update}?style=rebase`), 409)
    await app.patch(ann, path, { allow_rebase_update: false })
    assert.equal((await app.post(ann, `${update}?style=rebase`)).status, 403)
    await app.patch(ann, `${path}/pulls/1`, { state: 'closed' })
    assertError(await app.post(ann, update), 422)
  })
})
