import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { getPull, numbers, openPull, startWithReaders, startWithTopic } from '../pulls/setup.ts'
import type { TestAnswer } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

suite('requested reviewers', () => {
  test('are asked, found by what waits for them, and asked no longer', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, bob, path } = setup
    const cid = await app.addCaller('cid')
    await openPull(setup)
    const requested = `${path}/pulls/1/requested_reviewers`

    const asked = await app.post(ann, requested, { reviewers: ['bob', 'cid'] })
    const again = await app.post(ann, requested, { reviewers: ['bob'] })
    const waiting = await app.get(bob, '/repos/issues/search?review_requested=true')
    const foreign = await app.delete(bob, requested, { reviewers: ['cid'] })
    const own = await app.delete(cid, requested, { reviewers: ['cid'] })
    const removed = await app.delete(ann, requested, { reviewers: ['bob'] })

    assertStatus(asked, 201)
    assert.deepEqual(
      asked.body.map((one: TestAnswer['body']) => [one.state, one.user.login, one.official]),
      [
        ['REQUEST_REVIEW', 'bob', false],
        ['REQUEST_REVIEW', 'cid', false],
      ],
    )
    assert.deepEqual([again.status, again.body], [201, []])
    assert.deepEqual(numbers(waiting.body), [1])
    assertError(foreign, 422)
    assertStatus(own, 204)
    assertStatus(removed, 204)
    assert.deepEqual((await getPull(setup, 1)).requested_reviewers, [])
    const { body } = await app.get(bob, '/repos/issues/search?review_requested=true')
    assert.deepEqual(body, [])
    assertError(await app.post(ann, requested, { reviewers: ['nobody'] }), 404)
    assertError(await app.post(ann, requested, { reviewers: ['ann'] }), 422, /poster/)
    assertError(await app.post(bob, requested, { reviewers: ['cid'] }), 422, /choose/)
    assertError(await app.post(undefined, requested, { reviewers: ['cid'] }), 401)
    await app.patch(ann, path, { private: true })
    assertError(await app.post(ann, requested, { reviewers: ['cid'] }), 422, /access/)
  })

  test('may be teams of the organization that owns the repository', async (t) => {
    const org = await startWithReaders(t)
    const { app, ann, bob } = org
    await openPull(org, { team_reviewers: ['readers'] })
    const requested = `${org.path}/pulls/1/requested_reviewers`

    const pull = await getPull(org, 1)
    const waiting = await app.get(bob, '/repos/issues/search?review_requested=true')
    const list = await app.get(ann, `${org.path}/pulls/1/reviews`)

    assert.equal(pull.requested_reviewers_teams[0].name, 'Readers')
    assert.deepEqual(numbers(waiting.body), [1])
    assert.partialDeepStrictEqual(list.body[0], { user: null, team: { name: 'Readers' } })
    assertError(await app.post(ann, requested, { team_reviewers: ['none'] }), 404)
    assertError(await app.post(ann, requested, { team_reviewers: ['others'] }), 422)
    assertStatus(await app.delete(ann, requested, { team_reviewers: ['Readers'] }), 204)
    assert.deepEqual((await getPull(org, 1)).requested_reviewers_teams, [])
  })
})
