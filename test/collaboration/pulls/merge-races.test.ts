import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { folderOf } from '../../code/commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { doMeanwhile } from '../../support/meanwhile.ts'
import { addCollaborator, getPull, openPull, startWithTopic } from './setup.ts'

/** A pull request to main that bob has approved, and a branch `release` that wants more. */
async function start(t: TestContext) {
  const setup = await startWithTopic(t)
  const { app, ann, bob, path } = setup
  await addCollaborator(setup, bob, 'write')
  assertStatus(await app.post(ann, `${path}/branches`, { new_branch_name: 'release' }), 201)
  const rules = [
    { rule_name: 'main', required_approvals: 1, block_on_rejected_reviews: true },
    { rule_name: 'release', required_approvals: 2 },
  ]
  for (const rule of rules)
    assertStatus(await app.post(ann, `${path}/branch_protections`, rule), 201)
  await openPull(setup)
  const review = (event: string) => app.post(bob, `${path}/pulls/1/reviews`, { event, body: 'x' })
  assertStatus(await review('APPROVED'), 200)
  const merge = () => app.post(ann, `${path}/pulls/1/merge`, { do: 'merge' })
  const tipOf = async (branch: string) =>
    app.ctx.git.text(await folderOf(app, 'one'), ['rev-parse', `refs/heads/${branch}`])
  return { ...setup, review, merge, tipOf, tip: await tipOf('main') }
}

suite('a merge that is in progress', () => {
  for (const number of [1, 2]) {
    test(`asks anew when the base becomes another, before transaction ${number}`, async (t) => {
      const { app, ann, path, merge, tipOf, tip, ...setup } = await start(t)
      const retarget = async () =>
        assertStatus(await app.patch(ann, `${path}/pulls/1`, { base: 'release' }), 201)

      const merged = await doMeanwhile(t, app, merge, retarget, number)

      assertError(merged, 405, 'Does not have enough approvals')
      assert.deepEqual([await tipOf('main'), await tipOf('release')], [tip, tip])
      const pull = await getPull({ app, ann, path, bob: setup.bob }, 1)
      assert.deepEqual([pull.merged, pull.base.ref, pull.state], [false, 'release', 'open'])
    })

    test(`asks anew when it is rejected, before transaction ${number}`, async (t) => {
      const { app, review, merge, tipOf, tip } = await start(t)
      const reject = async () => assertStatus(await review('REQUEST_CHANGES'), 200)

      const merged = await doMeanwhile(t, app, merge, reject, number)

      assertError(merged, 405, 'Does not have enough approvals')
      assert.equal(await tipOf('main'), tip)
    })

    test(`asks anew when the rule becomes stricter, before transaction ${number}`, async (t) => {
      const { app, ann, path, merge, tipOf, tip } = await start(t)
      const rule = { required_approvals: 2 }
      const tighten = async () =>
        assertStatus(await app.patch(ann, `${path}/branch_protections/main`, rule), 200)

      const merged = await doMeanwhile(t, app, merge, tighten, number)

      assertError(merged, 405, 'Does not have enough approvals')
      assert.equal(await tipOf('main'), tip)
    })
  }

  test('goes on where only something else changes', async (t) => {
    const setup = await start(t)
    const { app, ann, path, merge } = setup
    const change = async () => {
      assertStatus(await app.post(ann, `${path}/issues/1/comments`, { body: 'x' }), 201)
    }

    assertStatus(await doMeanwhile(t, app, merge, change, 2), 200)

    assert.equal((await getPull(setup, 1)).merged, true)
  })
})
