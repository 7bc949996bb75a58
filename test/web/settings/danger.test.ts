// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere, signIn } from '../support.ts'
import { assertForAdministrators, complaintIn, settings, startWithSettings } from './setup.ts'

const danger = `${settings}/danger`
const offer = { new_owner: 'bob', transfer_name: 'ann/one' }

suite('/{owner}/{repo}/settings/danger', () => {
  test('archives, and takes out of the archive', async (t) => {
    const setup = await startWithSettings(t)
    const { app, ann, byAnn } = setup
    await assertForAdministrators(setup, danger, `${danger}/archive`, { archived: 'true' })
    const isArchived = async () => (await app.get(ann, '/repos/ann/one')).body.archived as boolean
    assert.equal(await isArchived(), false)

    for (const archived of [true, false]) {
      const answer = await byAnn.post(`${danger}/archive`, { archived: String(archived) })
      assertStatus(answer, 303)
      assert.equal(await isArchived(), archived)
      const page = await byAnn.get(danger)
      assert.match(wordsOf(page), archived ? /Take out of the archive/ : /Archive/)
    }
  })

  test('deletes for those who own it and type its name', async (t) => {
    const setup = await startWithSettings(t)
    const { app, ann, byAnn } = setup
    const form = { delete_name: 'ann/one' }
    await assertForAdministrators(setup, danger, `${danger}/delete`, form)
    await app.put(ann, '/repos/ann/one/collaborators/bob', { permission: 'admin' })
    const byBob = await signIn(app, 'bob')
    const page = await byBob.get(danger)
    assert.match(page.text, /danger\/archive/)
    assert.doesNotMatch(page.text, /danger\/(delete|transfer)/)
    assertStatus(await byBob.post(`${danger}/delete`, form), 403)
    assertStatus(await byBob.post(`${danger}/transfer`, offer), 403)

    const mistyped = await byAnn.post(`${danger}/delete`, { delete_name: 'one' })

    assertStatus(mistyped, 422)
    assert.match(complaintIn(mistyped.text), /^delete_name: This is not the name/)
    assertStatus(await app.get(ann, '/repos/ann/one'), 200)
    const answer = await byAnn.post(`${danger}/delete`, form)
    assert.equal(answer.headers['location'], '/ann?saved=repository-deleted')
    assertStatus(await app.get(ann, '/repos/ann/one'), 404)
    const told = await byAnn.get('/ann?saved=repository-deleted')
    assert.match(wordsOf(told), /The repository is deleted\./)
  })

  test('offers the repository to somebody, who accepts on its page', async (t) => {
    const setup = await startWithSettings(t)
    const { app, ann, bob, byAnn, byBob, visitor } = setup
    await assertForAdministrators(setup, danger, `${danger}/transfer`, offer)

    const answer = await byAnn.post(`${danger}/transfer`, offer)

    assert.equal(answer.headers['location'], '/ann/one/settings/danger?saved=yes')
    assert.match(wordsOf(await byAnn.get(danger)), /Offered to bob , who has not decided/)
    assert.match((await byBob.get('/ann/one')).text, /action="\/ann\/one\/transfer\/accept"/)
    assert.doesNotMatch((await byAnn.get('/ann/one')).text, /transfer\/accept/)
    assert.doesNotMatch((await visitor.get('/ann/one')).text, /transfer\/accept/)
    assertStatus(await byAnn.post('/ann/one/transfer/accept'), 403)
    assertStatus(await byBob.post('/ann/one/transfer/accept', {}, fromElsewhere), 403)
    assertSessionEnded(await visitor.post('/ann/one/transfer/accept'))
    assertStatus(await app.get(bob, '/repos/bob/one'), 404)
    const accepted = await byBob.post('/ann/one/transfer/accept')
    assert.equal(accepted.headers['location'], '/bob/one')
    assertStatus(await app.get(ann, '/repos/bob/one'), 200)
  })

  test('lets the receiver decline, also what they are not shown otherwise', async (t) => {
    const { app, ann, byAnn, byBob, bob } = await startWithSettings(t)
    await app.patch(ann, '/repos/ann/one', { private: true })
    await app.delete(ann, '/repos/ann/one/collaborators/bob')
    await app.post(bob, '/orgs', { username: 'bobs' })
    assertStatus(await byBob.get('/ann/one/transfer'), 404)

    assertStatus(await byAnn.post(`${danger}/transfer`, { ...offer, new_owner: 'bobs' }), 303)

    assertStatus(await byBob.get('/ann/one'), 404)
    const page = await byBob.get('/ann/one/transfer')
    assertStatus(page, 200)
    assert.match(wordsOf(page), /ann offers this repository to bobs/)
    assertStatus(await byAnn.get('/ann/one/transfer'), 404)
    assert.equal((await byBob.post('/ann/one/transfer/reject')).headers['location'], '/')
    assertStatus(await byBob.get('/ann/one/transfer'), 404)
    assert.equal((await app.get(ann, '/repos/ann/one')).body.repo_transfer, undefined)
  })

  test('hands over at once to an organization in which one may create', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t)
    await app.post(ann, '/orgs', { username: 'acme' })

    const answer = await byAnn.post(`${danger}/transfer`, { ...offer, new_owner: 'acme' })

    assert.equal(answer.headers['location'], '/acme/one')
    assertStatus(await app.get(ann, '/repos/acme/one'), 200)
  })

  test('says what keeps it from being handed over', async (t) => {
    const { app, ann, bob, byAnn } = await startWithSettings(t)
    await app.post(bob, '/user/repos', { name: 'one' })
    const wrong: [Record<string, string>, RegExp][] = [
      [{ transfer_name: 'one' }, /^transfer_name: This is not the name/],
      [{ new_owner: 'nobody' }, /^new_owner: It cannot be offered/],
      [{ new_owner: '' }, /^new_owner: It cannot be offered/],
      [{}, /^new_owner: They have a repository of this name/],
    ]

    for (const [changes, complaint] of wrong) {
      const answer = await byAnn.post(`${danger}/transfer`, { ...offer, ...changes })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
    }
    assert.equal((await app.get(ann, '/repos/ann/one')).body.repo_transfer, undefined)
  })
})
