import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { startReceiver } from '../../outbound/webhooks/setup.ts'
import { wordsOf } from '../repository/support.ts'
import { fromElsewhere } from '../support.ts'
import { administration, assertSeenByAdministrators, startWithAdministrator } from './setup.ts'

const path = `${administration}/hooks`
const form = { type: 'gitea', content_type: 'json', active: 'true' }

suite(path, () => {
  test('adds webhooks that hear of all repositories, and removes them', async (t) => {
    const setup = await startWithAdministrator(t, { network: { allow_private: true } })
    const { app, root, ann, byRoot, byAnn } = setup
    const receiver = await startReceiver(t)
    const fields = { ...form, url: receiver.url, events: 'repository' }
    await assertSeenByAdministrators(setup, path)
    await assertSeenByAdministrators(setup, `${path}/new`)
    assertStatus(await byAnn.post(path, fields), 404)
    assertStatus(await byRoot.post(path, fields, fromElsewhere), 403)
    assert.deepEqual((await app.get(root, '/admin/hooks')).body, [])

    assert.equal((await byRoot.post(path, fields)).headers['location'], `${path}?saved=yes`)

    const [hook] = (await app.get(root, '/admin/hooks')).body
    await assertSeenByAdministrators(setup, `${path}/${hook.id}`)
    await app.post(ann, '/user/repos', { name: 'r' })
    await app.ctx.jobs.runDue()
    const [heard, ...others] = receiver.calls
    assert.equal(heard?.body.repository.full_name, 'ann/r')
    assert.deepEqual(others, [])
    assertStatus(await byAnn.post(`${path}/${hook.id}/delete`), 404)
    assertStatus(await byRoot.post(`${path}/${hook.id}/delete`), 303)
    assert.deepEqual((await app.get(root, '/admin/hooks')).body, [])
  })

  test('lists those that are copied into new repositories, and makes such', async (t) => {
    const setup = await startWithAdministrator(t, { network: { allow_private: true } })
    const { app, root, ann, byRoot } = setup
    const config = { url: 'http://127.0.0.1/by-api', content_type: 'json' }
    await app.post(root, '/admin/hooks', { type: 'gitea', config, events: ['push'], active: true })
    const url = 'http://127.0.0.1/by-page'
    assert.match((await byRoot.get(`${path}/new`)).text, /<select id="reach" name="reach"/)

    assertStatus(await byRoot.post(path, { ...form, url, events: 'push', reach: 'default' }), 303)
    assertStatus(await byRoot.post(path, { ...form, url, events: 'push', reach: 'system' }), 303)

    const words = wordsOf(await byRoot.get(path))
    assert.match(words, /by-api gitea · 1 event · copied into new repositories/)
    assert.match(words, /by-page gitea · 1 event · copied into new repositories/)
    assert.match(words, /by-page gitea · 1 event · all repositories/)
    const defaults = await app.get(root, '/admin/hooks?type=default')
    assert.deepEqual(
      defaults.body.map((hook: { config: { url: string } }) => hook.config.url),
      [config.url, url],
    )
    const [one] = defaults.body
    assertStatus(await byRoot.get(`${path}/${one.id}`), 200)
    await app.post(ann, '/user/repos', { name: 'r' })
    assert.equal((await app.get(ann, '/repos/ann/r/hooks')).body.length, 2)
    const wrong = await byRoot.post(path, { ...form, url: '', reach: 'default' })
    assert.match(wrong.text, /<option value="default" selected>/)
  })
})
