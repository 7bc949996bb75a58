import assert from 'node:assert/strict'
import { once } from 'node:events'
import { suite, test } from 'node:test'
import { listenForever, refsOf, startMirrorHost } from '../mirrors/support.ts'
import { PASSWORD, startApp } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { evil, hasScript, wordsOf } from './repository/support.ts'
import { complaintIn } from './settings/setup.ts'
import { fromElsewhere, signIn, Visitor } from './support.ts'

const path = '/repo/migrate'

suite(path, () => {
  test('brings a repository from elsewhere, as it is called there or otherwise', async (t) => {
    const { host, app, bob, address } = await startMirrorHost(t)
    const byBob = await signIn(app, 'bob')
    assert.match((await byBob.get('/repo/create')).text, /<a href="\/repo\/migrate">imported<\/a>/)
    const form = { clone_addr: address, description: evil }

    const same = await byBob.post(path, form)
    const other = await byBob.post(path, { ...form, repo_name: 'copy', private: 'true' })
    const mirror = await byBob.post(path, { ...form, repo_name: 'kept', mirror: 'true' })

    const leads = [same, other, mirror].map(({ status, headers }) => [status, headers['location']])
    assert.deepEqual(leads, [
      [303, '/bob/source'],
      [303, '/bob/copy'],
      [303, '/bob/kept'],
    ])
    for (const [name, record] of [
      ['source', { private: false, mirror: false, description: evil, original_url: address }],
      ['copy', { private: true, mirror: false }],
      ['kept', { private: false, mirror: true }],
    ] as const) {
      const { body } = await app.get(bob, `/repos/bob/${name}`)
      assert.partialDeepStrictEqual(body, { ...record, empty: false })
      assert.deepEqual(await refsOf(host, `bob/${name}`), ['refs/heads/main'])
    }
  })

  test('brings what is not open to everybody with the name and the password there', async (t) => {
    const { app, ann, bob, address } = await startMirrorHost(t)
    await app.patch(ann, '/repos/ann/source', { private: true })
    const byBob = await signIn(app, 'bob')
    const form = { clone_addr: address, repo_name: 'r', auth_username: 'ann' }

    const refused = await byBob.post(path, { ...form, auth_password: 'wrong' })
    const taken = await byBob.post(path, { ...form, auth_password: PASSWORD })

    assertStatus(refused, 422)
    assert.match(complaintIn(refused.text), /^auth_username: It is not open to everybody/)
    assert.match(refused.text, /<details open>/)
    assert.doesNotMatch(refused.text, /wrong/)
    assertStatus(taken, 303)
    const { body } = await app.get(bob, '/repos/bob/r')
    assert.doesNotMatch(JSON.stringify(body), new RegExp(PASSWORD))
  })

  test('says what is wrong, and leaves nothing behind', async (t) => {
    const { app, bob, address } = await startMirrorHost(t)
    await app.post(bob, '/user/repos', { name: 'there' })
    const byBob = await signIn(app, 'bob')

    for (const [fields, complaint] of [
      [{ clone_addr: '' }, /^clone_addr: This is needed/],
      [{ clone_addr: 'ftp://x.test/r.git' }, /^clone_addr: Nothing can be brought/],
      [{ clone_addr: evil, repo_name: 'r' }, /^clone_addr: Nothing can be brought/],
      [{ clone_addr: `${address}x`, repo_name: 'r' }, /^(clone_addr|auth_username): /],
      [{ clone_addr: address, repo_name: 'there' }, /^repo_name: There is a repository/],
      [{ clone_addr: address, repo_name: '..' }, /^repo_name: /],
      [{ clone_addr: address, repo_name: evil }, /^repo_name: Only letters/],
    ] as const) {
      const answer = await byBob.post(path, fields)
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.equal(hasScript(answer), false)
    }
    const unknown = await byBob.post(path, { clone_addr: address, owner: 'ann' })
    assertStatus(unknown, 422)
    assert.match(wordsOf(unknown), /Given user is not an organization/)
    const { body } = await app.get(bob, '/user/repos')
    assert.equal(body.length, 1)
  })

  test('is for those who are signed in, from pages of this server, and for organizations that they own', async (t) => {
    const { app, ann, bob, address } = await startMirrorHost(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    const team = { name: 'crew', permission: 'write', can_create_org_repo: true }
    const { body } = await app.post(ann, '/orgs/acme/teams', team)
    await app.put(ann, `/teams/${body.id}/members/bob`)
    const [byAnn, byBob, visitor] = [
      await signIn(app, 'ann'),
      await signIn(app, 'bob'),
      new Visitor(app),
    ]
    const form = { clone_addr: address, owner: 'acme' }

    assert.equal(
      (await visitor.get(path)).headers['location'],
      '/user/login?redirect_to=%2Frepo%2Fmigrate',
    )
    assert.equal((await visitor.post(path, form)).headers['location'], '/user/login')
    assertStatus(await byAnn.post(path, form, fromElsewhere), 403)
    assert.match((await byAnn.get(path)).text, /<option>acme<\/option>/)
    assert.doesNotMatch((await byBob.get(path)).text, /<option>acme<\/option>/)
    assertStatus(await byBob.post(path, form), 422)
    assertStatus(await app.get(ann, '/repos/acme/source'), 404)
    assertStatus(await byAnn.post(path, form), 303)
    assertStatus(await app.get(bob, '/repos/acme/source'), 200)
  })

  test('ends when nobody waits for it any more', { timeout: 120_000 }, async (t) => {
    const { host, app, bob } = await startMirrorHost(t)
    const byBob = await signIn(app, 'bob')
    const endless = await listenForever(t)
    const leaving = new AbortController()

    const asked = fetch(host.url(path.slice(1)), {
      method: 'POST',
      headers: { ...byBob.headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ clone_addr: endless.url, repo_name: 'r' }).toString(),
      signal: leaving.signal,
    }).catch(() => undefined)
    const socket = await endless.reached
    leaving.abort()
    await asked

    if (!socket.closed) await once(socket, 'close')
    assertStatus(await app.get(bob, '/repos/bob/r'), 404)
  })

  test('is not there where nothing is imported', async (t) => {
    const app = await startApp(t, { repositories: { migrations: false } })
    await app.addPerson('ann')
    const byAnn = await signIn(app, 'ann')

    assertStatus(await byAnn.get(path), 404)
    assert.doesNotMatch((await byAnn.get('/repo/create')).text, /repo\/migrate/)
  })
})
