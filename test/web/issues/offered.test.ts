import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { signIn, type Visitor } from '../support.ts'
import { addIssue, issues, startWithIssues } from './setup.ts'

const offers = {
  edit: /edit=text#/,
  title: /edit=title"/,
  turn: /value="close"/,
  reply: /id="reply"/,
  lock: /\/issues\/1\/lock"/,
  labels: /\/issues\/1\/labels"/,
  dependencies: /\/issues\/1\/dependencies"/,
  time: /\/issues\/1\/time"/,
}

async function offeredTo(one: Visitor): Promise<readonly string[]> {
  const { text } = await one.get(`${issues}/1`)
  return Object.entries(offers).flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []))
}

suite('the page of an issue', () => {
  test('offers each what they may do', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, bob, byAnn, byBob, visitor } = setup
    await app.addPerson('cat')
    const byCat = await signIn(app, 'cat')
    const wil = await app.addCaller('wil')
    const byWil = await signIn(app, 'wil')
    const path = '/repos/ann/one'
    await app.put(ann, `${path}/collaborators/${wil.name}`, { permission: 'write' })
    await addIssue(setup, bob)
    const written = ['edit', 'title', 'turn', 'reply']
    const changed = ['labels', 'dependencies', 'time']

    assert.deepEqual(await offeredTo(byAnn), [...written, 'lock', ...changed])
    assert.deepEqual(await offeredTo(byWil), [...written, ...changed])
    assert.deepEqual(await offeredTo(byBob), [...written, 'time'])
    assert.deepEqual(await offeredTo(byCat), ['reply'])
    assert.deepEqual(await offeredTo(visitor), [])
    assertStatus(await byAnn.post(`${issues}/1/lock`, { locked: 'true' }), 303)
    assert.deepEqual(await offeredTo(byWil), [...written, ...changed])
    assert.deepEqual(await offeredTo(byCat), [])
    await app.patch(ann, path, { archived: true })
    for (const one of [byAnn, byWil, byBob, byCat, visitor])
      assert.deepEqual(await offeredTo(one), [])
  })

  test('offers labels once, and of archived ones those that are there', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn } = setup
    const ids = new Map<string, number>()
    for (const name of ['own', 'old', 'gone', 'other']) {
      const wanted = { name, color: '#d73a4a' }
      ids.set(name, (await app.post(ann, '/repos/ann/one/labels', wanted)).body.id)
    }
    await addIssue(setup, ann, { labels: [ids.get('own'), ids.get('old')] })
    for (const name of ['old', 'gone'])
      await app.patch(ann, `/repos/ann/one/labels/${ids.get(name)}`, { is_archived: true })
    const nameOf = (id: number) => [...ids].find(([, one]) => one === id)?.[0] ?? ''
    const offered = async (page: string) =>
      [...(await byAnn.get(page)).text.matchAll(/name="label" value="(\d+)"/g)]
        .map(([, id]) => nameOf(Number(id)))
        .toSorted()

    assert.deepEqual(await offered(`${issues}/1`), ['old', 'other', 'own'])
    assert.deepEqual(await offered(`${issues}/new`), ['other', 'own'])
  })
})
