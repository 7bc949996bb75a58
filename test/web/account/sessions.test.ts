import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { wordsOf } from '../repository/support.ts'
import { fromElsewhere, signIn, type Visitor } from '../support.ts'
import { assertOwn, settings, startWithAccount } from './setup.ts'

const path = `${settings}/sessions`

async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.get(path)).status === 200
}

async function idsIn(visitor: Visitor): Promise<readonly string[]> {
  const { text } = await visitor.get(path)
  return [...text.matchAll(/name="id" value="(\d+)"/g)].map(([, id = '']) => id)
}

suite(path, () => {
  test('lists where the viewer is signed in, and ends one or all others', async (t) => {
    const setup = await startWithAccount(t)
    const { app, byAnn } = setup
    await assertOwn(setup, path, `${path}/end-others`)
    assert.deepEqual(await idsIn(byAnn), [])
    assert.doesNotMatch(wordsOf(await byAnn.get(path)), /End all others/)
    const second = await signIn(app, 'ann')
    const third = await signIn(app, 'ann')
    assert.match(wordsOf(await byAnn.get(path)), /This browser signed in just now/)
    const [id = ''] = await idsIn(third)
    assert.equal((await idsIn(byAnn)).length, 2)

    assertStatus(await third.post(`${path}/end`, { id }), 303)
    const left = await Promise.all([byAnn, second, third].map(isSignedIn))

    assert.equal(left.filter(Boolean).length, 2)
    assert.equal(await isSignedIn(third), true)
    assertStatus(await third.post(`${path}/end-others`), 303)
    assert.deepEqual(await Promise.all([byAnn, second, third].map(isSignedIn)), [
      false,
      false,
      true,
    ])
  })

  test('ends nobody else’s, and none from other sites', async (t) => {
    const { app, byAnn } = await startWithAccount(t)
    await app.addPerson('bob')
    const byBob = await signIn(app, 'bob')
    await signIn(app, 'ann')
    const [id = ''] = await idsIn(byAnn)

    assertStatus(await byBob.post(`${path}/end`, { id }), 404)
    assertStatus(await byBob.post(`${path}/end-others`), 303)
    assertStatus(await byAnn.post(`${path}/end`, { id }, fromElsewhere), 403)
    assertStatus(await byAnn.post(`${path}/end-others`, {}, fromElsewhere), 403)

    assert.deepEqual(await idsIn(byAnn), [id])
  })
})
