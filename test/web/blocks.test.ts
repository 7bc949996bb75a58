import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../support/expect.ts'
import { assertOwn, settings, startWithAccount } from './account/setup.ts'
import { startWithOrganization } from './organizations/setup.ts'
import { evil, hasScript, wordsOf } from './repository/support.ts'
import { complaintIn } from './settings/setup.ts'
import { assertSessionEnded } from './support.ts'

suite('/user/settings/blocks', () => {
  const path = `${settings}/blocks`

  test('blocks somebody, and ends it', async (t) => {
    const setup = await startWithAccount(t)
    const { app, ann, byAnn } = setup
    const bob = await app.addCaller('bob', { fullName: evil })
    await assertOwn(setup, path, path, { name: 'bob' })
    assertStatus(await app.get(ann, '/user/blocks/bob'), 404)
    await app.put(bob, '/user/following/ann')

    assertStatus(await byAnn.post(path, { name: 'BOB' }), 303)

    assertStatus(await app.get(ann, '/user/blocks/bob'), 204)
    assertStatus(await app.get(bob, '/user/following/ann'), 404)
    const page = await byAnn.get(path)
    assert.match(wordsOf(page), /Blocked people .*\bbob\b.* Unblock/)
    assert.equal(hasScript(page), false)
    assertStatus(await byAnn.post(`${path}/delete`, { name: 'bob' }), 303)
    assertStatus(await app.get(ann, '/user/blocks/bob'), 404)
    assert.match(wordsOf(await byAnn.get(path)), /Nobody is blocked/)
  })

  test('says whom it cannot block', async (t) => {
    const { app, ann, byAnn } = await startWithAccount(t)
    await app.addPerson('bob')
    await app.addPerson('hidden', { visibility: 'private' })
    await app.post(ann, '/orgs', { username: 'acme' })
    await byAnn.post(path, { name: 'bob' })

    for (const [name, complaint] of [
      ['bob', 'name: Is blocked already.'],
      ['ann', 'name: This is you.'],
      ['acme', 'name: This is an organization; people can be blocked.'],
      ['hidden', 'name: There is nobody of this name.'],
      [evil, 'name: There is nobody of this name.'],
      ['', 'name: There is nobody of this name.'],
    ] as const) {
      const answer = await byAnn.post(path, { name })
      assert.deepEqual([answer.status, complaintIn(answer.text)], [422, complaint])
      assert.equal(hasScript(answer), false)
    }
    const { body } = await app.get(ann, '/user/blocks')
    assert.equal(body.length, 1)
  })
})

suite('/org/{org}/settings/blocks', () => {
  const path = '/org/acme/settings/blocks'

  test('is for those who own the organization, about people outside of it', async (t) => {
    const { app, ann, byAnn, byBob, visitor } = await startWithOrganization(t)
    await app.addPerson('cat')
    for (const page of [await byBob.get(path), await byBob.post(path, { name: 'cat' })]) {
      assert.ok([403, 404].includes(page.status), String(page.status))
    }
    assertStatus(await visitor.get(path), 303)
    assertSessionEnded(await visitor.post(path, { name: 'cat' }))
    assertStatus(await app.get(ann, '/orgs/acme/blocks/cat'), 404)

    assertStatus(await byAnn.post(path, { name: 'cat' }), 303)
    const member = await byAnn.post(path, { name: 'bob' })

    assertStatus(await app.get(ann, '/orgs/acme/blocks/cat'), 204)
    const complaint = 'name: Is a member: remove them from the teams first.'
    assert.deepEqual([member.status, complaintIn(member.text)], [422, complaint])
    assert.match(wordsOf(await byAnn.get(path)), /Blocked people .*\bcat\b.* Unblock/)
    assertStatus(await byBob.post(`${path}/delete`, { name: 'cat' }), 403)
    assertStatus(await byAnn.post(`${path}/delete`, { name: 'cat' }), 303)
    assertStatus(await app.get(ann, '/orgs/acme/blocks/cat'), 404)
  })
})
