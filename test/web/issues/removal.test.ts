import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openPull, startWithTopic } from '../../collaboration/pulls/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { wordsOf } from '../repository/support.ts'
import { assertAsksFirst, assertSessionEnded, fromElsewhere, signIn } from '../support.ts'
import { addIssue, issues, startWithIssues } from './setup.ts'

suite('POST /{owner}/{repo}/issues/{index}/delete', () => {
  test('deletes an issue for good, after a second click', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn } = setup
    await addIssue(setup, ann)
    assertAsksFirst(await byAnn.get(`${issues}/1`), `${issues}/1/delete`)

    const done = await byAnn.post(`${issues}/1/delete`)

    assert.equal(done.headers['location'], `${issues}?saved=issue-deleted`)
    assertStatus(await app.get(ann, '/repos/ann/one/issues/1'), 404)
    assert.match(
      wordsOf(await byAnn.get(`${issues}?saved=issue-deleted`)),
      /The issue is deleted\./,
    )
    assertStatus(await byAnn.post(`${issues}/1/delete`), 404)
  })

  test('is for those who administer, from our own pages, where something may be changed', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, bob, byAnn, byBob, visitor } = setup
    await app.put(ann, '/repos/ann/one/collaborators/bob', { permission: 'write' })
    await addIssue(setup, bob)

    assert.doesNotMatch((await byBob.get(`${issues}/1`)).text, /1\/delete"/)
    assertStatus(await byBob.post(`${issues}/1/delete`), 403)
    assertSessionEnded(await visitor.post(`${issues}/1/delete`))
    assertStatus(await byAnn.post(`${issues}/1/delete`, {}, fromElsewhere), 403)
    await app.patch(ann, '/repos/ann/one', { archived: true })
    assert.doesNotMatch((await byAnn.get(`${issues}/1`)).text, /1\/delete"/)
    assertStatus(await byAnn.post(`${issues}/1/delete`), 423)
    assertStatus(await app.get(ann, '/repos/ann/one/issues/1'), 200)
  })

  test('deletes a pull request as well', async (t) => {
    const setup = await startWithTopic(t)
    const { app, ann, path } = setup
    await openPull(setup)
    const byAnn = await signIn(app, 'ann')
    assertAsksFirst(await byAnn.get('/ann/one/pulls/1'), `${issues}/1/delete`)

    const done = await byAnn.post(`${issues}/1/delete`)

    assert.equal(done.headers['location'], '/ann/one/pulls?saved=pull-deleted')
    assertStatus(await app.get(ann, `${path}/pulls/1`), 404)
  })
})
