import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { gpgKey } from '../../identity/keys/gpg-support.ts'
import { PASSWORD } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript } from '../repository/support.ts'
import { enrol } from '../security-keys.ts'
import { complaintIn } from '../settings/setup.ts'
import { assertAsksFirst, fromElsewhere, signIn } from '../support.ts'
import { assertOwn, settings, startWithAccount } from './setup.ts'

const path = `${settings}/keys`
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl work'
const other =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILKC/QwUe04tb8g58ppQHwDqqIiFqZjoIIT2iwEO4MQ4 alice@laptop'

function idIn(text: string, action: string): string {
  const at = text.indexOf(action)
  return /name="id" value="(\d+)"/.exec(text.slice(at))?.[1] ?? ''
}

suite(path, () => {
  test('asks for both factors, unless somebody has signed in just now', async (t) => {
    const { app, ann, byAnn } = await startWithAccount(t)
    const { codes } = await enrol(byAnn)
    const { armored } = await gpgKey(['ann@example.org'])
    app.passTime(601)
    const page = await byAnn.get(path)
    for (const name of ['password', 'one_time_code', 'gpg_password', 'gpg_one_time_code']) {
      assert.equal(page.text.split(`name="${name}"`).length, 2, name)
    }

    const ssh = { title: 'work', key }
    assertStatus(await byAnn.post(`${path}/ssh`, ssh), 422)
    assertStatus(await byAnn.post(`${path}/ssh`, { ...ssh, password: PASSWORD }), 422)
    const gpg = { armored_key: armored, gpg_password: PASSWORD }
    const withoutCode = await byAnn.post(`${path}/gpg`, gpg)
    assertStatus(withoutCode, 422)
    assert.match(complaintIn(withoutCode.text), /^gpg_one_time_code: The password is right/)
    assert.deepEqual((await app.get(ann, '/user/keys')).body, [])
    const [one = '', another = ''] = codes
    const factors = { password: PASSWORD, one_time_code: one }
    assertStatus(await byAnn.post(`${path}/ssh`, { ...ssh, ...factors }), 303)
    assertStatus(await byAnn.post(`${path}/gpg`, { ...gpg, gpg_one_time_code: another }), 303)
  })

  test('adds and removes SSH keys', async (t) => {
    const setup = await startWithAccount(t)
    const { app, ann, byAnn } = setup
    await assertOwn(setup, path, `${path}/ssh`, { title: 'x', key })
    await app.addPerson('bob')
    const byBob = await signIn(app, 'bob')

    assertStatus(await byAnn.post(`${path}/ssh`, { title: evil, key: `${key}\r\n` }), 303)

    const { body } = await app.get(ann, '/user/keys')
    assert.deepEqual([body.length, body[0].title, body[0].key], [1, evil, key])
    const page = await byAnn.get(path)
    assert.ok(page.text.includes(body[0].fingerprint as string))
    assert.equal(hasScript(page), false)
    assertAsksFirst(page, `${path}/ssh/delete`)
    const id = idIn(page.text, 'keys/ssh/delete')
    assert.equal(id, String(body[0].id))
    assertStatus(await byBob.post(`${path}/ssh/delete`, { id }), 403)
    assertStatus(await byAnn.post(`${path}/ssh/delete`, { id }, fromElsewhere), 403)
    assertStatus(await byAnn.post(`${path}/ssh/delete`, { id }), 303)
    assert.deepEqual((await app.get(ann, '/user/keys')).body, [])
  })

  test('tells what is wrong with an SSH key, and keeps what was typed', async (t) => {
    const { app, ann, byAnn } = await startWithAccount(t)
    await byAnn.post(`${path}/ssh`, { title: 'work', key })
    const wrong: [Record<string, string>, RegExp][] = [
      [{ title: 'work', key: other }, /^title: You have a key of this title/],
      [{ title: 'home', key }, /^key: This key is in use/],
      [{ title: evil, key: `kept ${evil}` }, /^key: This is no public key/],
      [{ title: '', key: other }, /^title: This is needed/],
      [{ title: 'home', key: '' }, /^key: This is needed/],
    ]

    for (const [form, complaint] of wrong) {
      const answer = await byAnn.post(`${path}/ssh`, form)
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.equal(hasScript(answer), false)
    }
    const kept = await byAnn.post(`${path}/ssh`, { title: 'home', key: 'kept <i>' })
    assert.match(kept.text, /value="home"[^]*>\s*kept &lt;i&gt;<\/textarea>/)
    assert.equal((await app.get(ann, '/user/keys')).body.length, 1)
  })

  test('adds and removes GPG keys', async (t) => {
    const setup = await startWithAccount(t)
    const { app, ann, byAnn } = setup
    const { armored, keyId } = await gpgKey(['ann@example.org'])
    const foreign = await gpgKey(['bob@example.org'])
    await assertOwn(setup, path, `${path}/gpg`, { armored_key: armored })

    assertStatus(await byAnn.post(`${path}/gpg`, { armored_key: armored }), 303)
    const page = await byAnn.get(path)
    const twice = await byAnn.post(`${path}/gpg`, { armored_key: armored })
    const nameless = await byAnn.post(`${path}/gpg`, { armored_key: foreign.armored })
    const nonsense = await byAnn.post(`${path}/gpg`, { armored_key: evil })

    assert.ok(page.text.includes(keyId.toUpperCase()))
    assert.match(complaintIn(twice.text), /^armored_key: This key is in use/)
    assert.match(complaintIn(nameless.text), /^armored_key: It names none of your addresses/)
    assert.match(complaintIn(nonsense.text), /^armored_key: This is no public key/)
    for (const answer of [twice, nameless, nonsense]) assertStatus(answer, 422)
    assert.equal((await app.get(ann, '/user/gpg_keys')).body.length, 1)
    assertAsksFirst(page, `${path}/gpg/delete`)
    const id = idIn(page.text, 'keys/gpg/delete')
    assertStatus(await byAnn.post(`${path}/gpg/delete`, { id }, fromElsewhere), 403)
    assertStatus(await byAnn.post(`${path}/gpg/delete`, { id }), 303)
    assert.deepEqual((await app.get(ann, '/user/gpg_keys')).body, [])
  })
})
