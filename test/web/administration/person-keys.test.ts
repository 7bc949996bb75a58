import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addKey, gpgKey } from '../../identity/keys/gpg-support.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertAsksFirst } from '../support.ts'
import { administration, assertTakenFromAdministrators, startWithAdministrator } from './setup.ts'

const path = `${administration}/users/ann`
const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl work'

suite('/-/admin/users/{name}', () => {
  test('shows the keys of a person, and removes those of SSH', async (t) => {
    const setup = await startWithAdministrator(t)
    const { app, ann, byRoot } = setup
    assert.match(wordsOf(await byRoot.get(path)), /SSH keys There is none\. GPG keys There is none/)
    const { body } = await app.post(ann, '/user/keys', { title: evil, key })
    const gpg = await gpgKey(['ann@example.org'])
    assertStatus(await addKey(app, ann, gpg), 201)
    await app.addPerson('bob')
    const removal = `${path}/keys/delete`
    const id = String(body.id)
    await assertTakenFromAdministrators(setup, removal, { id })

    const page = await byRoot.get(path)

    assert.ok(page.text.includes(body.fingerprint as string))
    assert.match(wordsOf(page), new RegExp(`GPG keys ${gpg.keyId} ann@example.org · made`))
    assert.equal(hasScript(page), false)
    assertAsksFirst(page, removal)
    assertStatus(await byRoot.post(`${administration}/users/bob/keys/delete`, { id }), 403)
    assertStatus(await byRoot.post(removal, { id: 'x' }), 404)
    assert.equal((await app.get(ann, '/user/keys')).body.length, 1)
    const removed = await byRoot.post(removal, { id })
    assert.equal(removed.headers['location'], `${path}?saved=yes`)
    assert.deepEqual((await app.get(ann, '/user/keys')).body, [])
    assert.equal((await app.get(ann, '/user/gpg_keys')).body.length, 1)
  })
})
