import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript } from '../repository/support.ts'
import { assertAsksFirst } from '../support.ts'
import { assertForAdministrators, complaintIn, settings, startWithSettings } from './setup.ts'

const path = `${settings}/keys`
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl work'
const other =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILKC/QwUe04tb8g58ppQHwDqqIiFqZjoIIT2iwEO4MQ4 alice@laptop'

suite('/{owner}/{repo}/settings/keys', () => {
  test('adds and removes deploy keys', async (t) => {
    const setup = await startWithSettings(t)
    const { app, ann, byAnn } = setup
    await assertForAdministrators(setup, path, path, { title: 'x', key })
    assert.match((await byAnn.get(path)).text, /name="read_only"[^>]* checked/)

    assertStatus(await byAnn.post(path, { title: evil, key, read_only: 'true' }), 303)
    assertStatus(await byAnn.post(path, { title: 'writes', key: other }), 303)

    const { body } = await app.get(ann, '/repos/ann/one/keys')
    assert.deepEqual(
      (body as { title: string; read_only: boolean }[]).map((one) => [one.title, one.read_only]),
      [
        [evil, true],
        ['writes', false],
      ],
    )
    assert.equal(hasScript(await byAnn.get(path)), false)
    const id = String(body[0].id)
    await assertForAdministrators(setup, path, `${path}/delete`, { id })
    assertStatus(await byAnn.post(`${path}/delete`, { id }), 303)
    assertAsksFirst(await byAnn.get(path), `${path}/delete`)
    assert.equal((await app.get(ann, '/repos/ann/one/keys')).body.length, 1)
  })

  test('tells what is wrong where it is wrong, and keeps what was typed', async (t) => {
    const { app, ann, bob, byAnn } = await startWithSettings(t)
    await byAnn.post(path, { title: 'taken', key })
    await app.post(bob, '/user/keys', { title: 'x', key: other })
    const wrong: [Record<string, string>, RegExp][] = [
      [{ title: 'two', key }, /^key: This repository has this key/],
      [{ title: 'two', key: other }, /^key: This key is that of a person/],
      [{ title: evil, key: evil }, /^key: This is no public key/],
      [{ title: '', key: other }, /^title: This is needed/],
    ]

    for (const [form, complaint] of wrong) {
      const answer = await byAnn.post(path, form)
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.doesNotMatch(answer.text, /name="read_only"[^>]* checked/)
      assert.equal(hasScript(answer), false)
    }
    assert.equal((await app.get(ann, '/repos/ann/one/keys')).body.length, 1)
  })
})
