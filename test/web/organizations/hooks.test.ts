import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { startReceiver } from '../../outbound/webhooks/setup.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { complaintIn } from '../settings/setup.ts'
import { assertForOwners, startWithOrganization } from './setup.ts'

const path = '/org/acme/settings/hooks'
const hooks = '/orgs/acme/hooks'
const open = { network: { allow_private: true } }
const form = { type: 'gitea', url: 'https://example.org/hook', content_type: 'json' }

suite('/org/{org}/settings/hooks', () => {
  test('adds webhooks, changes and removes them, for owners', async (t) => {
    const setup = await startWithOrganization(t, open)
    const { app, ann, byAnn } = setup
    assert.match(
      (await byAnn.get('/org/acme/settings')).text,
      /href="\/org\/acme\/settings\/hooks"/,
    )
    await assertForOwners(setup, path, path, form)
    await assertForOwners(setup, `${path}/new`, path, form)
    assert.deepEqual((await app.get(ann, hooks)).body, [])

    const secrets = { secret: 'hunter2', authorization_header: 'Bearer s3cret' }
    const made = await byAnn.post(path, { ...form, ...secrets, active: 'true', events: 'release' })

    assert.equal(made.headers['location'], `${path}?saved=yes`)
    const [hook] = (await app.get(ann, hooks)).body
    assert.deepEqual([hook.config.url, hook.events, hook.active], [form.url, ['release'], true])
    const one = `${path}/${hook.id}`
    await assertForOwners(setup, one, one, form)
    for (const action of ['delete', 'test', 'redeliver']) {
      await assertForOwners(setup, one, `${one}/${action}`, { delivery: '1' })
    }
    assert.doesNotMatch((await byAnn.get(one)).text, /hunter2|s3cret/)
    assertStatus(
      await byAnn.post(one, { ...form, url: `${form.url}?${evil}`, events: 'push' }),
      303,
    )
    const [changed] = (await app.get(ann, hooks)).body
    assert.deepEqual([changed.events, changed.active], [['push'], false])
    for (const page of [path, one]) assert.equal(hasScript(await byAnn.get(page)), false)
    assertStatus(await byAnn.post(`${one}/delete`), 303)
    assert.deepEqual((await app.get(ann, hooks)).body, [])
  })

  test('tells what is wrong, and knows no webhooks of others', async (t) => {
    const { app, ann, byAnn } = await startWithOrganization(t)
    const config = { url: 'https://1.1.1.1/', content_type: 'json' }
    const { body } = await app.post(ann, '/user/hooks', { type: 'gitea', config })
    const inside = await byAnn.post(path, { ...form, url: 'http://127.0.0.1/', username: evil })
    assertStatus(inside, 422)
    assert.match(complaintIn(inside.text), /^url: This server sends nothing there/)
    assert.match(inside.text, /value="http:\/\/127.0.0.1\/"/)
    assert.equal(hasScript(inside), false)

    for (const id of [body.id as number, 999, 'x']) {
      assertStatus(await byAnn.get(`${path}/${id}`), 404)
      for (const action of ['', '/delete', '/test', '/redeliver']) {
        assertStatus(await byAnn.post(`${path}/${id}${action}`, form), 404)
      }
    }
    assert.equal((await app.get(ann, '/user/hooks')).body.length, 1)
    await app.post(ann, hooks, { type: 'gitea', config })
    const [own] = (await app.get(ann, hooks)).body
    const wrong = await byAnn.post(`${path}/${own.id}`, { ...form, url: 'nothing' })
    assertStatus(wrong, 422)
    assert.match(complaintIn(wrong.text), /^url: This server sends nothing there/)
  })

  test('sends a test of the newest repository, shows what came of it, and sends it again', async (t) => {
    const { app, ann, byAnn } = await startWithOrganization(t, open)
    const receiver = await startReceiver(t)
    await byAnn.post(path, { ...form, url: receiver.url, active: 'true' })
    const [{ id }] = (await app.get(ann, hooks)).body
    const one = `${path}/${id}`

    const tooEarly = await byAnn.post(`${one}/test`)
    await app.post(ann, '/orgs/acme/repos', { name: 'one', auto_init: true })
    const tried = await byAnn.post(`${one}/test`)
    await app.ctx.jobs.runDue()

    assertStatus(tooEarly, 422)
    assert.match(wordsOf(tooEarly), /There is no repository to test with\./)
    assert.equal(tried.headers['location'], `${one}?sent=yes#deliveries`)
    assert.equal(receiver.calls.length, 1)
    const page = await byAnn.get(one)
    assert.match(wordsOf(page), /push delivered · just now · answered 200/)
    const [, delivery = ''] = /name="delivery" value="(\d+)"/.exec(page.text) ?? []
    const again = await byAnn.post(`${one}/redeliver`, { delivery })
    assert.equal(again.headers['location'], `${one}?sent=yes#deliveries`)
    await app.ctx.jobs.runDue()
    assert.equal(receiver.calls.length, 2)
    assertStatus(await byAnn.post(`${one}/redeliver`, { delivery: '999' }), 404)
  })
})
