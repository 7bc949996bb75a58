// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addFile, refsOf, startWithMirror } from '../../code/mirrors/support.ts'
import { PASSWORD } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertAsksFirst, fromElsewhere, signIn } from '../support.ts'
import { assertForAdministrators, complaintIn, settings, startWithSettings } from './setup.ts'

const path = `${settings}/mirrors`
const pushes = '/repos/ann/one/push_mirrors'
const form = { remote_address: 'https://1.1.1.1/x.git', interval: '8h' }

suite('/{owner}/{repo}/settings/mirrors', () => {
  test('adds and removes remotes, and never shows what opens them', async (t) => {
    const setup = await startWithSettings(t)
    const { app, ann, byAnn } = setup
    await assertForAdministrators(setup, path, `${path}/push`, form)
    assert.deepEqual((await app.get(ann, pushes)).body, [])

    const secret = { remote_username: 'ann', remote_password: 'hunter2' }
    assertStatus(
      await byAnn.post(`${path}/push`, { ...form, ...secret, sync_on_commit: 'true' }),
      303,
    )

    const [mirror] = (await app.get(ann, pushes)).body
    assert.partialDeepStrictEqual(mirror, {
      remote_address: form.remote_address,
      interval: '8h0m0s',
      sync_on_commit: true,
    })
    const page = await byAnn.get(path)
    assert.match(wordsOf(page), /1\.1\.1\.1\/x\.git every 8 hours and with each push/)
    assert.doesNotMatch(page.text, /hunter2/)
    assert.match(page.text, /id="interval"[^>]* value="8h"/)
    const name = mirror.remote_name as string
    await assertForAdministrators(setup, path, `${path}/push/delete`, { name })
    assertAsksFirst(await byAnn.get(path), `${path}/push/delete`)
    assertStatus(await byAnn.post(`${path}/push/delete`, { name }), 303)
    assert.deepEqual((await app.get(ann, pushes)).body, [])
  })

  test('tells what is wrong where it is wrong, and adds nothing', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t)
    const wrong: [Record<string, string>, RegExp][] = [
      [{ interval: 'soon' }, /^interval: Write it like/],
      [{ interval: '1s' }, /^interval: At least 10 minutes\./],
      [{ remote_address: 'http://127.0.0.1/x.git' }, /^remote_address: This server pushes/],
      [{ remote_address: '/etc' }, /^remote_address: This server pushes/],
      [{ remote_address: evil }, /^remote_address: This server pushes/],
    ]

    for (const [changes, complaint] of wrong) {
      const answer = await byAnn.post(`${path}/push`, {
        ...form,
        remote_username: evil,
        remote_password: 'hunter2',
        ...changes,
      })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.doesNotMatch(answer.text, /hunter2/)
      assert.match(answer.text, /<input id="remote_password"[^>]* required/)
      assert.match(wordsOf(answer), /Password or token Write this again: it is not kept\./)
      assert.equal(hasScript(answer), false)
    }
    await app.patch(ann, '/repos/ann/one', { archived: true })
    for (const action of ['push', 'push/delete', 'push/sync', 'sync'])
      assertStatus(await byAnn.post(`${path}/${action}`, form), 423)
    assert.deepEqual((await app.get(ann, pushes)).body, [])
  })

  test('pushes at once to what is added', async (t) => {
    const { host, app, ann } = await startWithMirror(t)
    await app.post(ann, '/user/repos', { name: 'target' })
    const byAnn = await signIn(app, 'ann')
    const mirrors = '/ann/source/settings/mirrors'
    await byAnn.post(`${mirrors}/push`, {
      remote_address: host.url('ann/target.git'),
      remote_username: 'ann',
      remote_password: PASSWORD,
      interval: '8h',
    })
    assertStatus(await byAnn.post(`${mirrors}/push/sync`, {}, fromElsewhere), 403)

    const pushing = await byAnn.post(`${mirrors}/push/sync`)
    assert.equal(pushing.headers['location'], `${mirrors}?saved=pushing`)
    assert.match(wordsOf(await byAnn.get(`${mirrors}?saved=pushing`)), /It is being pushed\./)
    await app.ctx.jobs.runDue()

    assert.deepEqual(await refsOf(host, 'ann/target'), ['refs/heads/main'])
    assert.doesNotMatch((await byAnn.get(mirrors)).text, /not pushed yet/)
  })

  test('sets how often a mirror is synchronised, and does so at once', async (t) => {
    const { host, app, ann, bob } = await startWithMirror(t)
    const byBob = await signIn(app, 'bob')
    const byAnn = await signIn(app, 'ann')
    const mirrors = '/bob/copy/settings/mirrors'
    assertStatus(await byAnn.post(mirrors, { mirror_interval: '1h' }), 403)

    assertStatus(await byBob.post(mirrors, { mirror_interval: '1h', enable_prune: 'true' }), 303)
    const bad = await byBob.post(mirrors, { mirror_interval: '1s', mirror_password: 'hunter2' })

    assertStatus(bad, 422)
    assert.match(complaintIn(bad.text), /^mirror_interval: At least/)
    assert.match(bad.text, /<details open><summary>Other credentials/)
    assert.match(bad.text, /<input id="mirror_password"[^>]* required/)
    const read = await app.get(bob, '/repos/bob/copy')
    assert.equal(read.body.mirror_interval, '1h0m0s')
    assert.match((await byBob.get(mirrors)).text, /name="enable_prune"[^>]* checked/)
    await addFile(app, ann, '/repos/ann/source/contents/new.txt', { new_branch: 'next' })
    assertStatus(await byBob.post(`${mirrors}/sync`, {}, fromElsewhere), 403)
    const syncing = await byBob.post(`${mirrors}/sync`)
    assert.equal(syncing.headers['location'], `${mirrors}?saved=synchronising`)
    const told = await byBob.get(`${mirrors}?saved=synchronising`)
    assert.match(wordsOf(told), /It is being synchronised\./)
    await app.ctx.jobs.runDue()
    assert.ok((await refsOf(host, 'bob/copy')).includes('refs/heads/next'))
  })
})
