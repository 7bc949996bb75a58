import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { startReceiver } from '../../outbound/webhooks/setup.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { complaintIn } from '../settings/setup.ts'
import { signIn } from '../support.ts'
import { assertOwn, settings, startWithAccount } from './setup.ts'

const path = `${settings}/hooks`
const open = { network: { allow_private: true } }
const form = { type: 'gitea', url: 'https://example.org/hook', content_type: 'json' }

suite(path, () => {
  test('adds webhooks, changes and removes them, each for whose they are', async (t) => {
    const setup = await startWithAccount(t, open)
    const { app, ann, byAnn } = setup
    await app.addPerson('bob')
    const byBob = await signIn(app, 'bob')
    assert.match((await byAnn.get(settings)).text, /href="\/user\/settings\/hooks"/)
    await assertOwn(setup, path, path, form)
    await assertOwn(setup, `${path}/new`, path, form)
    assert.deepEqual((await app.get(ann, '/user/hooks')).body, [])

    const made = await byAnn.post(path, {
      ...form,
      secret: 'hunter2',
      active: 'true',
      events: 'fork',
    })

    assert.equal(made.headers['location'], `${path}?saved=yes`)
    const [hook] = (await app.get(ann, '/user/hooks')).body
    assert.deepEqual([hook.config.url, hook.events, hook.active], [form.url, ['fork'], true])
    const one = `${path}/${hook.id}`
    await assertOwn(setup, one, one, form)
    assert.doesNotMatch((await byAnn.get(one)).text, /hunter2/)
    assert.doesNotMatch((await byBob.get(path)).text, /example\.org/)
    assertStatus(await byBob.get(one), 404)
    for (const action of ['', '/delete', '/test', '/redeliver']) {
      await assertOwn(setup, one, one + action, form)
      assertStatus(await byBob.post(one + action, form), 404)
    }
    const wrong = await byAnn.post(one, { ...form, branch_filter: `[${evil}` })
    assertStatus(wrong, 422)
    assert.match(complaintIn(wrong.text), /^branch_filter: This pattern cannot/)
    assert.equal(hasScript(wrong), false)
    assertStatus(await byAnn.post(one, { ...form, events: 'push' }), 303)
    const [changed] = (await app.get(ann, '/user/hooks')).body
    assert.deepEqual([changed.events, changed.active], [['push'], false])
    assertStatus(await byAnn.post(`${one}/delete`), 303)
    assert.deepEqual((await app.get(ann, '/user/hooks')).body, [])
  })

  test('sends a test, shows what came of it, and sends it again', async (t) => {
    const { app, ann, byAnn } = await startWithAccount(t, open)
    const receiver = await startReceiver(t)
    await byAnn.post(path, { ...form, url: receiver.url, active: 'true' })
    const [{ id }] = (await app.get(ann, '/user/hooks')).body
    const one = `${path}/${id}`

    const tooEarly = await byAnn.post(`${one}/test`)
    await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
    assertStatus(await byAnn.post(`${one}/test`), 303)
    await app.ctx.jobs.runDue()

    assertStatus(tooEarly, 422)
    assert.match(wordsOf(tooEarly), /There is no repository to test with\./)
    assert.equal(receiver.calls.length, 1)
    const page = await byAnn.get(one)
    assert.match(wordsOf(page), /push delivered · just now · answered 200/)
    const [, delivery = ''] = /name="delivery" value="(\d+)"/.exec(page.text) ?? []
    assertStatus(await byAnn.post(`${one}/redeliver`, { delivery }), 303)
    await app.ctx.jobs.runDue()
    assert.equal(receiver.calls.length, 2)
  })
})
