import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'
import { addIssue, issues, startWithIssues } from './setup.ts'

suite('POST /{owner}/{repo}/issues/{index}/reactions', () => {
  test('says something with one click, and takes it back', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    await addIssue(setup, ann)
    const said = await app.post(ann, '/repos/ann/one/issues/1/comments', { body: 'x' })
    const contents = async (path: string) => {
      const { body } = await app.get(ann, `/repos/ann/one/issues/${path}/reactions`)
      return (body ?? []).map(({ content }: { content: string }) => content)
    }
    const ofComment = `${issues}/1/comments/${said.body.id}/reactions`

    assertStatus(await byBob.post(`${issues}/1/reactions`, { add: 'heart' }), 303)
    assertStatus(await byAnn.post(`${issues}/1/reactions`, { add: 'heart' }), 303)
    const given = await byBob.post(`${ofComment}?page=1`, { add: '+1' })

    assert.equal(given.headers['location'], `${issues}/1?page=1#issuecomment-${said.body.id}`)
    assert.deepEqual(await contents('1'), ['heart', 'heart'])
    assert.deepEqual(await contents(`comments/${said.body.id}`), ['+1'])
    const page = await byBob.get(`${issues}/1`)
    assert.match(page.text, /name="remove" value="heart" aria-pressed="true">[^]*?2<\/button>/)
    assert.match(page.text, /name="remove" value="\+1"/)
    const byStranger = await visitor.get(`${issues}/1`)
    assert.match(wordsOf(byStranger), /❤️ 2 .*👍 1/)
    assert.doesNotMatch(byStranger.text, /name="(add|remove)"/)
    assertStatus(await byBob.post(`${issues}/1/reactions`, { remove: 'heart' }), 303)
    assert.deepEqual(await contents('1'), ['heart'])
    assert.match(
      (await byBob.get(`${issues}/1`)).text,
      /name="add" value="heart" aria-pressed="false"/,
    )
  })

  test('takes only what is offered, from those who may speak, from our own pages', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    await addIssue(setup, ann)
    await addIssue(setup, ann)
    const said = await app.post(ann, '/repos/ann/one/issues/2/comments', { body: 'x' })
    const path = `${issues}/1/reactions`

    assertStatus(await byBob.post(path, { add: 'nonsense' }), 403)
    assertStatus(await byBob.post(path), 403)
    assertStatus(await byBob.post(path, { add: 'heart' }, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(path, { add: 'heart' }))
    assertStatus(
      await byBob.post(`${issues}/1/comments/${said.body.id}/reactions`, { add: '+1' }),
      404,
    )
    await app.put(ann, '/repos/ann/one/issues/1/lock', { lock_reason: '' })
    assertStatus(await byBob.post(path, { add: 'heart' }), 403)
    assert.doesNotMatch((await byBob.get(`${issues}/1`)).text, /name="add"/)
    assert.match((await byAnn.get(`${issues}/1`)).text, /name="add" value="rocket"/)
    assert.deepEqual((await app.get(ann, '/repos/ann/one/issues/1/reactions')).body, [])
  })
})
