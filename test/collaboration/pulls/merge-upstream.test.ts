import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { LfsCalls, pointerTo } from '../../code/lfs/support.ts'
import { startApp, type TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

/** Ann's repository and Bob's fork of it, which both change. */
async function withFork(t: TestContext) {
  const app = await startApp(t, { lfs: { enabled: true } })
  const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
  await app.post(ann, '/user/repos', { name: 'r', auto_init: true })
  assertStatus(await app.post(bob, '/repos/ann/r/forks', {}), 202)
  const write = async (who: TestCaller, path: string, text: string, branch = 'main') => {
    const content = Buffer.from(text).toString('base64')
    const file = `/repos/${who === ann ? 'ann' : 'bob'}/r/contents/${path}`
    assertStatus(await app.post(who, file, { content, branch, message: path }), 201)
  }
  const merge = (body: object = {}) => app.post(bob, '/repos/bob/r/merge-upstream', body)
  const tipOf = async (owner: string, branch = 'main') =>
    (await app.get(bob, `/repos/${owner}/r/branches/${branch}`)).body.commit.id as string
  return { app, ann, bob, write, merge, tipOf }
}

suite('POST /repos/{owner}/{repo}/merge-upstream', () => {
  test('closes no issue of the fork by what was said about others', async (t) => {
    const { app, ann, bob, write, merge } = await withFork(t)
    await app.patch(bob, '/repos/bob/r', { has_issues: true })
    for (const [who, owner] of [
      [ann, 'ann'],
      [bob, 'bob'],
    ] as const) {
      assertStatus(await app.post(who, `/repos/${owner}/r/issues`, { title: 'x' }), 201)
    }
    await write(ann, 'fixes #1', '1')
    assertStatus(await merge(), 200)
    await app.ctx.jobs.runDue()

    const stateIn = async (owner: string) =>
      (await app.get(bob, `/repos/${owner}/r/issues/1`)).body.state as string
    assert.deepEqual([await stateIn('ann'), await stateIn('bob')], ['closed', 'open'])
  })

  test('moves a fork forward, and merges what has parted', async (t) => {
    const { app, ann, bob, write, merge, tipOf } = await withFork(t)
    assert.deepEqual((await merge({ branch: 'main' })).body, { merge_type: 'up-to-date' })

    await write(ann, 'one', '1')
    assert.deepEqual((await merge({ branch: 'main', ff_only: true })).body, {
      merge_type: 'fast-forward',
    })
    assert.equal(await tipOf('bob'), await tipOf('ann'))

    await write(ann, 'two', '2')
    await write(bob, 'own', '3')
    const [theirs, own] = [await tipOf('ann'), await tipOf('bob')]
    assertError(await merge({ ff_only: true }), 400, /fast-forward/)
    assert.equal(await tipOf('bob'), own)
    assert.deepEqual((await merge()).body, { merge_type: 'merge' })
    const made = (await app.get(bob, `/repos/bob/r/git/commits/${await tipOf('bob')}`)).body
    assert.deepEqual(
      made.parents.map(({ sha }: { sha: string }) => sha),
      [own, theirs],
    )
    assert.equal(made.commit.message.trim(), "Merge branch 'main' of ann/r into main")
    for (const file of ['one', 'two', 'own']) {
      assertStatus(await app.get(bob, `/repos/bob/r/contents/${file}`), 200)
    }
    const feed = (await app.get(bob, '/repos/bob/r/activities/feeds')).body
    assert.partialDeepStrictEqual(feed[0], { op_type: 'commit_repo', ref_name: 'refs/heads/main' })
    assert.deepEqual((await merge()).body, { merge_type: 'up-to-date' })
  })

  test('takes the branch of the same name, and for the default branch the other default branch', async (t) => {
    const { app, ann, bob, write, merge, tipOf } = await withFork(t)
    await app.post(ann, '/repos/ann/r/branches', { new_branch_name: 'dev' })
    await app.post(bob, '/repos/bob/r/branches', { new_branch_name: 'dev' })
    await write(ann, 'one', '1', 'dev')
    assert.deepEqual((await merge({ branch: 'dev' })).body, { merge_type: 'fast-forward' })
    assert.equal(await tipOf('bob', 'dev'), await tipOf('ann', 'dev'))

    await app.patch(ann, '/repos/ann/r', { default_branch: 'dev' })
    assert.deepEqual((await merge()).body, { merge_type: 'fast-forward' })
    assert.equal(await tipOf('bob'), await tipOf('ann', 'dev'))
    assertError(await merge({ branch: 'none' }), 404)
  })

  test('brings objects of Git LFS along, once, and none where the branch may not move', async (t) => {
    const { app, ann, bob, write, merge } = await withFork(t)
    const content = 'large'
    const pointer = pointerTo(content)
    assertStatus(await new LfsCalls(app, 'ann/r').put(ann, pointer, content), 200)
    await write(ann, 'one', '1')
    const sizes = async () =>
      (await app.ctx.db.selectFrom('repository').select('lfs_size').orderBy('id').execute()).map(
        ({ lfs_size }) => lfs_size,
      )
    await app.post(bob, '/repos/bob/r/branch_protections', { rule_name: 'main' })

    assertError(await merge(), 403)
    assert.deepEqual(await sizes(), [pointer.size, 0])
    await app.delete(bob, '/repos/bob/r/branch_protections/main')
    assertStatus(await merge(), 200)
    await write(ann, 'two', '2')
    assertStatus(await merge(), 200)

    assert.deepEqual(await sizes(), [pointer.size, pointer.size])
    const copy = new LfsCalls(app, 'bob/r')
    assert.equal((await copy.get(bob, `/objects/${pointer.oid}`)).text, content)
  })

  test('is refused where nothing can be merged, and changes nothing then', async (t) => {
    const { app, ann, bob, write, merge, tipOf } = await withFork(t)
    await write(ann, 'same', 'of ann')
    await write(bob, 'same', 'of bob')
    const own = await tipOf('bob')

    assertError(await merge(), 409, /conflict/)
    assertError(await app.post(ann, '/repos/ann/r/merge-upstream', {}), 400, /not a fork/)
    assertError(await app.post(ann, '/repos/bob/r/merge-upstream', {}), 403)
    assertError(await app.post(undefined, '/repos/bob/r/merge-upstream', {}), 401)
    await app.post(bob, '/repos/bob/r/branch_protections', { rule_name: 'main' })
    await app.delete(ann, '/repos/ann/r/contents/same', {
      sha: (await app.get(ann, '/repos/ann/r/contents/same')).body.sha,
    })
    assertError(await merge(), 403)
    await app.patch(bob, '/repos/bob/r', { archived: true })
    assertError(await merge(), 423)
    assert.equal(await tipOf('bob'), own)
  })
})
