// One database is enough: these pages ask as the API does, which is tested on both.
import { assertAsksFirst } from '../support.ts'
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertForAdministrators, complaintIn, settings, startWithSettings } from './setup.ts'

const path = `${settings}/tags`
const rules = '/repos/ann/one/tag_protections'
const form = { name_pattern: 'v*', whitelist_usernames: 'ann bob' }

suite('/{owner}/{repo}/settings/tags', () => {
  test('protects tags, changes how, and ends it', async (t) => {
    const setup = await startWithSettings(t)
    const { app, ann, byAnn } = setup
    await assertForAdministrators(setup, path, path, form)
    assert.deepEqual((await app.get(ann, rules)).body, [])

    assertStatus(await byAnn.post(path, form), 303)

    const [rule] = (await app.get(ann, rules)).body
    const id = String(rule.id)
    assert.deepEqual([rule.name_pattern, rule.whitelist_usernames], ['v*', ['ann', 'bob']])
    assert.match(wordsOf(await byAnn.get(path)), /v\* ann, bob Edit/)
    await assertForAdministrators(setup, `${path}/${id}`, `${path}/${id}`, form)
    await assertForAdministrators(setup, path, `${path}/delete`, { id })
    const edit = await byAnn.get(`${path}/${id}`)
    assert.match(edit.text, /name="whitelist_usernames"[^>]* value="ann bob"/)
    const other = { name_pattern: '/^r-/', whitelist_usernames: 'bob' }
    assertStatus(await byAnn.post(`${path}/${id}`, other), 303)
    const [changed] = (await app.get(ann, rules)).body
    assert.deepEqual([changed.name_pattern, changed.whitelist_usernames], ['/^r-/', ['bob']])
    assertAsksFirst(await byAnn.get(path), `${path}/delete`)
    assertStatus(await byAnn.post(`${path}/${id}`, { ...other, whitelist_usernames: '' }), 303)
    assert.deepEqual((await app.get(ann, rules)).body[0].whitelist_usernames, [])
    assert.match((await byAnn.get(path)).text, /Nobody/)
    assertStatus(await byAnn.post(`${path}/delete`, { id }), 303)
    assert.deepEqual((await app.get(ann, rules)).body, [])
  })

  test('tells what is wrong where it is wrong, and keeps what was typed', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t)
    await byAnn.post(path, form)
    const [{ id }] = (await app.get(ann, rules)).body
    const wrong: [Record<string, string>, RegExp][] = [
      [{ name_pattern: '' }, /^name_pattern: This is needed/],
      [{ name_pattern: '/(/' }, /^name_pattern: This pattern cannot be used/],
    ]

    for (const target of [path, `${path}/${id}`]) {
      for (const [changes, complaint] of wrong) {
        const answer = await byAnn.post(target, { ...form, name_pattern: 'w*', ...changes })
        assertStatus(answer, 422)
        assert.match(complaintIn(answer.text), complaint)
      }
      const stranger = await byAnn.post(target, { name_pattern: 'w*', whitelist_usernames: evil })
      assertStatus(stranger, 422)
      assert.equal(hasScript(stranger), false)
    }
    const nobody = { name_pattern: 'n*', whitelist_usernames: '' }
    assert.match(complaintIn((await byAnn.post(path, nobody)).text), /^whitelist_usernames: Name/)
    const twice = await byAnn.post(path, form)
    assert.match(complaintIn(twice.text), /^name_pattern: There is a rule for this already/)
    const { body } = await app.get(ann, rules)
    assert.deepEqual([body.length, body[0].name_pattern], [1, 'v*'])
  })

  test('knows rules that are there alone, and changes none of an archive', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t)
    await byAnn.post(path, form)
    const [{ id }] = (await app.get(ann, rules)).body

    for (const one of ['999', 'x']) {
      assertStatus(await byAnn.get(`${path}/${one}`), 404)
      assertStatus(await byAnn.post(`${path}/${one}`, form), 404)
      assertStatus(await byAnn.post(`${path}/delete`, { id: one }), 404)
    }
    await app.patch(ann, '/repos/ann/one', { archived: true })
    assertStatus(await byAnn.post(path, form), 423)
    assertStatus(await byAnn.post(`${path}/${id}`, form), 423)
    assertStatus(await byAnn.post(`${path}/delete`, { id: String(id) }), 303)
  })
})
