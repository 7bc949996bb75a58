// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { pulls, startWithPulls } from './setup.ts'

suite('pull requests', () => {
  test('are missing for those who do not read the code that they change, or nobody reads them', async (t) => {
    const { app, ann, path, byBob, visitor } = await startWithPulls(t)
    const wanted = { head: 'topic', base: 'main', title: 'Light' }
    assertStatus(await app.post(ann, `${path}/pulls`, wanted), 201)
    await app.put(ann, `${path}/collaborators/bob`, { permission: 'write' })
    const pages = [pulls, `${pulls}/1`, `${pulls}/1/commits`, `${pulls}/1/files`]
    for (const page of pages) assertStatus(await byBob.get(page), 200)

    for (const [off, status] of [
      [{ has_code: false }, 403],
      [{ has_code: true, has_pull_requests: false }, 404],
    ] as const) {
      assertStatus(await app.patch(ann, path, off), 200)
      for (const page of pages) {
        for (const one of [byBob, visitor]) assert.equal((await one.get(page)).status, 404, page)
      }
      for (const [action, fields] of [
        ['draft', { draft: 'true' }],
        ['reviews', { event: 'COMMENT', body: 'Nice' }],
        ['merge', { action: 'merge', style: 'merge' }],
      ] as const)
        assert.equal((await byBob.post(`${pulls}/1/${action}`, fields)).status, status, action)
    }
    await app.patch(ann, path, { has_pull_requests: true })
    const { body } = await app.get(ann, `${path}/pulls/1`)
    assert.deepEqual([body.title, body.merged, body.review_comments], ['Light', false, 0])
  })

  test('offer as reviewers who works there, to those who do so themselves', async (t) => {
    const { app, ann, bob, path, byAnn, byBob } = await startWithPulls(t)
    const cat = await app.addCaller('cat')
    await app.put(ann, `${path}/collaborators/cat`, { permission: 'write' })
    assertStatus(await app.post(bob, `${path}/forks`, { name: 'copy' }), 202)
    const wanted = { head: 'bob:topic', base: 'main', title: 'Light' }
    assertStatus(await app.post(bob, `${path}/pulls`, wanted), 201)
    assertStatus(await app.post(cat, `${path}/pulls`, { ...wanted, head: 'topic' }), 201)

    const own = await byBob.get(`${pulls}/1`)
    const owners = await byAnn.get(`${pulls}/1`)

    assert.match(own.text, /Change<span class="unseen"> reviewers/)
    assert.doesNotMatch(own.text, /name="reviewer" value="cat"/)
    assert.match(owners.text, /name="reviewer" value="cat"/)
    assert.doesNotMatch((await byAnn.get(`${pulls}/2`)).text, /name="reviewer" value="cat"/)
  })
})
