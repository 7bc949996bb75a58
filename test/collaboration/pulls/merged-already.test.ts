import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { suite, test, type TestContext } from 'node:test'
import type { Setup } from '../../code/commits/setup.ts'
import { GitClient, GitHost } from '../../platform/git/support.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { addBranch, getPull, openPull, startWithTopic } from './setup.ts'

interface Workplace extends Setup {
  /** Runs git in a clone of the repository that Ann pushes from. */
  readonly git: (...parameters: readonly string[]) => Promise<string>
}

/** The branches `topic` and `other`, each with a pull request, numbers 1 and 2. */
async function startWithTwo(t: TestContext, settings: object = {}): Promise<Workplace> {
  const setup = await startWithTopic(t)
  const { app, ann, path } = setup
  await addBranch(setup, 'other', { 'b.txt': 'b\n' })
  assertStatus(await app.patch(ann, path, settings), 200)
  await openPull(setup)
  await openPull(setup, { head: 'other' })
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.server.address() as AddressInfo
  const client = new GitClient(t)
  const host = new GitHost(app, client, `127.0.0.1:${port}`)
  await client.git(['clone', '--quiet', host.urlFor('ann', 'ann/one.git'), 'work'])
  return { ...setup, git: (...words) => client.git(words, `${client.home}/work`) }
}

async function tipOf({ app, path }: Setup, branch = 'main'): Promise<string> {
  return (await app.get(undefined, `${path}/branches/${branch}`)).body.commit.id
}

async function push(place: Workplace, refspec: string): Promise<void> {
  await place.git('push', '--quiet', 'origin', refspec)
  await place.app.ctx.jobs.runDue()
}

/** Lets a status of this name be needed for whatever comes into main. */
async function require({ app, ann, path }: Setup, context: string): Promise<void> {
  const rule = { enable_status_check: true, status_check_contexts: [context], enable_push: true }
  const answer = await app.post(ann, `${path}/branch_protections`, { rule_name: 'main', ...rule })
  assertStatus(answer, 201)
}

async function succeed({ app, ann, path }: Setup, context: string, id: string): Promise<void> {
  const answer = await app.post(ann, `${path}/statuses/${id}`, { context, state: 'success' })
  assertStatus(answer, 201)
  await app.ctx.jobs.runDue()
}

const later = { do: 'merge', merge_when_checks_succeed: true }

suite('A pull request whose commits are in the base branch', () => {
  test('is not merged again, whichever way is asked for', async (t) => {
    const place = await startWithTwo(t, {
      has_pull_requests: true,
      allow_fast_forward_only_merge: true,
    })
    const { app, ann, path } = place
    await push(place, 'origin/topic:refs/heads/main')
    const landed = await tipOf(place)

    for (const style of ['merge', 'rebase', 'rebase-merge', 'squash', 'fast-forward-only']) {
      const answer = await app.post(ann, `${path}/pulls/1/merge`, { do: style })
      assertError(answer, 405, 'Please try again later')
    }
    assertError(await app.post(ann, `${path}/pulls/1/merge`, later), 405)

    assert.equal(await tipOf(place), landed)
    const pull = await getPull(place, 1)
    assert.partialDeepStrictEqual(pull, { state: 'open', merged: false, mergeable: true })
  })

  test('gets no commit from a merge that was scheduled before', async (t) => {
    const place = await startWithTwo(t)
    const { app, ann, path } = place
    await require(place, 'queue')
    assertStatus(await app.post(ann, `${path}/pulls/1/merge`, later), 201)
    await push(place, 'origin/topic:refs/heads/main')
    const landed = await tipOf(place)

    await succeed(place, 'queue', (await getPull(place, 1)).head.sha)

    assert.equal(await tipOf(place), landed)
    assert.equal((await getPull(place, 1)).merged, false)
  })

  test('is merged by the commit that brought it, where merges by hand are noticed', async (t) => {
    const place = await startWithTwo(t, { has_pull_requests: true, autodetect_manual_merge: true })
    const { git } = place
    await git('switch', '--quiet', 'main')
    await git('merge', '--quiet', '--no-ff', '-m', 'one by hand', 'origin/topic')
    const merge = await git('rev-parse', 'HEAD')
    await git('commit', '--quiet', '--allow-empty', '-m', 'and more')

    await push(place, 'main')

    const [first, second] = [await getPull(place, 1), await getPull(place, 2)]
    assert.partialDeepStrictEqual(first, { merged: true, merge_commit_sha: merge })
    assert.equal(first.changed_files, 1)
    assert.equal(second.merged, false)
  })

  test('is merged by its own last commit where the branch was moved on to it', async (t) => {
    const place = await startWithTwo(t, { has_pull_requests: true, autodetect_manual_merge: true })
    const { git, app, ann, path } = place
    await git('switch', '--quiet', '--detach', 'origin/topic')
    await git('commit', '--quiet', '--allow-empty', '-m', 'and more')

    await git('push', '--quiet', 'origin', 'HEAD:refs/heads/main')
    const answer = await app.post(ann, `${path}/pulls/1/merge`, { do: 'merge' })

    assertError(answer, 405, 'The pull request is already merged')
    const pull = await getPull(place, 1)
    assert.partialDeepStrictEqual(pull, { merged: true, merge_commit_sha: pull.head.sha })
    assert.equal(pull.changed_files, 1)
  })
})

suite('A merge queue that lands what it has tested by fast-forward', () => {
  /**
   * As gitea-mq does it: a branch for the batch, a status on it, a push of it, a status on each
   * head.
   */
  async function land(place: Workplace, batch: string): Promise<void> {
    await push(place, `${batch}:refs/heads/gitea-mq/batch/1`)
    await succeed(place, 'ci', batch)
    await push(place, `${batch}:refs/heads/main`)
    for (const number of [1, 2]) {
      await succeed(place, 'gitea-mq', (await getPull(place, number)).head.sha)
    }
    await push(place, ':refs/heads/gitea-mq/batch/1')
  }

  async function schedule(place: Workplace): Promise<void> {
    const { app, ann, path } = place
    await require(place, 'gitea-mq')
    for (const number of [1, 2]) {
      assertStatus(await app.post(ann, `${path}/pulls/${number}/merge`, later), 201)
    }
    await place.git('switch', '--quiet', 'main')
  }

  test('finds the one commit that it tested at the tip, and both merged by it', async (t) => {
    const place = await startWithTwo(t, { has_pull_requests: true, autodetect_manual_merge: true })
    const { git } = place
    await schedule(place)
    await git('merge', '--quiet', '--no-ff', '-m', 'the batch', 'origin/topic', 'origin/other')
    const batch = await git('rev-parse', 'HEAD')

    await land(place, batch)

    assert.equal(await tipOf(place), batch)
    for (const number of [1, 2]) {
      const pull = await getPull(place, number)
      const changed = { additions: 1, deletions: 0, changed_files: 1 }
      assert.partialDeepStrictEqual(pull, { merged: true, merge_commit_sha: batch, ...changed })
    }
  })

  test('finds a stack of merges at the tip, and each merged by its own', async (t) => {
    const place = await startWithTwo(t, { has_pull_requests: true, autodetect_manual_merge: true })
    const { git } = place
    await schedule(place)
    const merges: string[] = []
    for (const branch of ['origin/topic', 'origin/other']) {
      await git('merge', '--quiet', '--no-ff', '-m', `Merge ${branch}`, branch)
      merges.push(await git('rev-parse', 'HEAD'))
    }

    await land(place, merges[1] ?? '')

    assert.equal(await tipOf(place), merges[1])
    for (const number of [1, 2]) {
      const pull = await getPull(place, number)
      const expected = { merged: true, merge_commit_sha: merges[number - 1] }
      assert.partialDeepStrictEqual(pull, expected)
    }
  })

  test('finds it also where merges by hand are not noticed', async (t) => {
    const place = await startWithTwo(t)
    await schedule(place)
    await place.git('merge', '--quiet', '-m', 'the batch', 'origin/topic', 'origin/other')
    const batch = await place.git('rev-parse', 'HEAD')

    await land(place, batch)

    assert.equal(await tipOf(place), batch)
    assert.equal((await getPull(place, 1)).merged, false)
  })
})
