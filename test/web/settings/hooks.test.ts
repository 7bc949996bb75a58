// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { startReceiver } from '../../outbound/webhooks/setup.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertAsksFirst, type Fields } from '../support.ts'
import { assertForAdministrators, complaintIn, settings, startWithSettings } from './setup.ts'

const path = `${settings}/hooks`
const hooks = '/repos/ann/one/hooks'
const open = { network: { allow_private: true } }
const form = { type: 'gitea', url: 'https://example.org/hook', content_type: 'json' }

function withEvents(fields: Record<string, string>, events: readonly string[]): Fields {
  return [...Object.entries(fields), ...events.map((event) => ['events', event] as const)]
}

suite('/{owner}/{repo}/settings/hooks', () => {
  test('adds webhooks, changes and removes them, and never shows their secrets', async (t) => {
    const setup = await startWithSettings(t, open)
    const { app, ann, byAnn } = setup
    await assertForAdministrators(setup, path, path, form)
    assert.deepEqual((await app.get(ann, hooks)).body, [])
    assertStatus(await byAnn.get(`${path}/new`), 200)

    const made = await byAnn.post(
      path,
      withEvents(
        { ...form, secret: 'hunter2', authorization_header: 'Bearer s3cret', active: 'true' },
        ['issues_only', 'release'],
      ),
    )

    assertStatus(made, 303)
    const [hook] = (await app.get(ann, hooks)).body
    assert.deepEqual(
      [hook.config.url, hook.events, hook.active],
      [form.url, ['issues', 'release'], true],
    )
    const one = `${path}/${hook.id}`
    await assertForAdministrators(setup, one, one, form)
    await assertForAdministrators(setup, one, `${one}/delete`)
    await assertForAdministrators(setup, one, `${one}/test`)
    assertAsksFirst(await byAnn.get(path), `${one}/delete`)
    const page = await byAnn.get(one)
    assert.match(page.text, /id="events-issues_only"[^>]* checked/)
    assert.doesNotMatch(page.text, /id="events-push"[^>]* checked/)
    assert.doesNotMatch(page.text, /hunter2|s3cret/)
    const secretOf = async () =>
      (await app.ctx.db.selectFrom('webhook').select('secret').executeTakeFirstOrThrow()).secret
    const before = await secretOf()
    assertStatus(
      await byAnn.post(one, withEvents({ ...form, branch_filter: 'main' }, ['push'])),
      303,
    )
    const [changed] = (await app.get(ann, hooks)).body
    assert.deepEqual(
      [changed.events, changed.branch_filter, changed.active],
      [['push'], 'main', false],
    )
    assert.equal(await secretOf(), before)
    assertStatus(await byAnn.post(one, { ...form, no_secret: 'true' }), 303)
    assert.equal(await secretOf(), '')
    assertStatus(await byAnn.post(`${one}/delete`), 303)
    assert.deepEqual((await app.get(ann, hooks)).body, [])
  })

  test('tells what is wrong where it is wrong, and keeps what was typed', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t)
    const wrong: [Record<string, string>, RegExp][] = [
      [{ url: '' }, /^url: This is needed/],
      [{ url: 'javascript:x' }, /^url: This server sends nothing there/],
      [{ url: 'http://127.0.0.1/' }, /^url: This server sends nothing there/],
      [{ type: 'slack' }, /^channel: Name a channel/],
      [{ type: 'x' }, /^type: Choose one/],
      [{ content_type: 'x' }, /^content_type: Choose one/],
      [{ branch_filter: '[' }, /^branch_filter: This pattern cannot/],
      [{ authorization_header: 'a\nb' }, /^authorization_header: This is no text/],
    ]

    for (const [changes, complaint] of wrong) {
      const sent = {
        ...form,
        url: 'https://1.1.1.1/',
        secret: 'hunter2',
        username: evil,
        ...changes,
      }
      const answer = await byAnn.post(path, withEvents(sent, ['release']))
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.match(answer.text, /id="events-release"[^>]* checked/)
      assert.doesNotMatch(answer.text, /hunter2/)
      assert.equal(hasScript(answer), false)
    }
    const endless = await byAnn.post(path, { ...form, url: `https://1.1.1.1/${'x'.repeat(5000)}` })
    assertStatus(endless, 422)
    assert.match(wordsOf(endless), /Something of this is too long/)
    assert.deepEqual((await app.get(ann, hooks)).body, [])
    for (const id of ['999', 'x']) {
      assertStatus(await byAnn.get(`${path}/${id}`), 404)
      assertStatus(await byAnn.post(`${path}/${id}`, form), 404)
      assertStatus(await byAnn.post(`${path}/${id}/delete`), 404)
    }
  })

  test('keeps the Authorization header until it is changed, removed, or meant for another host', async (t) => {
    const { app, byAnn } = await startWithSettings(t)
    const given = { ...form, authorization_header: 'Bearer s3cret', active: 'true' }
    assertStatus(await byAnn.post(path, given), 303)
    const read = async () => {
      const hook = await app.ctx.db.selectFrom('webhook').selectAll().executeTakeFirstOrThrow()
      return { id: hook.id, header: hook.authorization_header }
    }
    const { id, header: first } = await read()
    const one = `${path}/${id}`

    assert.match((await byAnn.get(one)).text, /name="no_authorization_header"/)
    assertStatus(await byAnn.post(one, { ...form, events: 'fork' }), 303)
    assert.notEqual(first, '')
    assert.equal((await read()).header, first)
    assertStatus(await byAnn.post(one, { ...form, authorization_header: 'Bearer other' }), 303)
    const second = (await read()).header
    assert.notEqual(second, first)
    assertStatus(await byAnn.post(one, { ...form, no_authorization_header: 'true' }), 303)
    assert.equal((await read()).header, '')
    assert.doesNotMatch((await byAnn.get(one)).text, /name="no_authorization_header"/)
    assertStatus(await byAnn.post(one, given), 303)
    assertStatus(await byAnn.post(one, { ...form, url: 'http://elsewhere.example/hook' }), 303)
    assert.equal((await read()).header, '')
  })

  test('asks again for the secrets of a form that was not taken', async (t) => {
    const { byAnn } = await startWithSettings(t, open)
    const secrets = { secret: 'hunter2', authorization_header: 'Bearer s3cret' }
    const asksAgain = (text: string, name: string) =>
      new RegExp(
        `<input id="${name}"[^>]* required[^>]*>\\s*<span class="problem" id="${name}-hint">Write this again: it is not kept\\.<`,
      ).test(text)

    const rejected = await byAnn.post(path, { ...form, ...secrets, branch_filter: '[' })
    assertStatus(rejected, 422)
    for (const name of Object.keys(secrets)) assert.ok(asksAgain(rejected.text, name), name)
    assert.doesNotMatch(rejected.text, /hunter2|s3cret/)
    const without = await byAnn.post(path, { ...form, branch_filter: '[' })
    for (const name of Object.keys(secrets)) assert.ok(!asksAgain(without.text, name), name)
  })

  test('sends a test, shows what came of it, and sends it again', async (t) => {
    const { app, byAnn } = await startWithSettings(t, open)
    const receiver = await startReceiver(t)
    await byAnn.post(path, { ...form, url: receiver.url, active: 'true' })
    const [, id = ''] = /settings\/hooks\/(\d+)"/.exec((await byAnn.get(path)).text) ?? []

    const sent = await byAnn.post(`${path}/${id}/test`)
    assert.equal(sent.headers['location'], `${path}/${id}?sent=yes#deliveries`)
    const told = await byAnn.get(`${path}/${id}?sent=yes`)
    assert.match(told.text, /id="deliveries">Latest deliveries<\/h2>\s*<p[^>]*>It is being sent\./)
    await app.ctx.jobs.runDue()

    assert.equal(receiver.calls.length, 1)
    const page = await byAnn.get(`${path}/${id}`)
    assert.match(wordsOf(page), /push delivered · just now · answered 200/)
    const [, delivery = ''] = /name="delivery" value="(\d+)"/.exec(page.text) ?? []
    assertStatus(await byAnn.post(`${path}/${id}/redeliver`, { delivery }), 303)
    await app.ctx.jobs.runDue()
    assert.equal(receiver.calls.length, 2)
    assertStatus(await byAnn.post(`${path}/${id}/redeliver`, { delivery: '999' }), 404)
  })

  test('shows what was sent and what came back, as text and without secrets', async (t) => {
    const setup = await startWithSettings(t, open)
    const { app, ann, byAnn } = setup
    const receiver = await startReceiver(t)
    const secrets = { secret: 'hunter2', authorization_header: 'Bearer s3cret' }
    const fields = { ...form, ...secrets, url: receiver.url, active: 'true' }
    await byAnn.post(path, withEvents(fields, ['issues_only']))
    const [{ id }] = (await app.get(ann, hooks)).body
    receiver.answer((response) => void response.writeHead(500, { 'x-why': evil }).end(evil))
    assertStatus(await app.post(ann, '/repos/ann/one/issues', { title: `${evil} é` }), 201)
    const linked = async () => {
      const [, delivery = ''] =
        /hooks\/\d+\/deliveries\/(\d+)"/.exec((await byAnn.get(`${path}/${id}`)).text) ?? []
      return `${path}/${id}/deliveries/${delivery}`
    }
    const waiting = await byAnn.get(await linked())
    assertStatus(waiting, 200)
    assert.match(wordsOf(waiting), /waiting · .* · 0 tries .* None came yet/)

    await app.ctx.jobs.runDue()

    const one = await linked()
    await assertForAdministrators(setup, one, `${path}/${id}/redeliver`)
    const page = await byAnn.get(one)
    const words = wordsOf(page)
    assert.match(words, /POST http:\/\/127\.0\.0\.1:\d+\/hook content-type: application\/json/)
    assert.match(words, /X-Gitea-Event: issues/)
    assert.match(words, /X-Hub-Signature-256: \*\*\*/)
    assert.match(words, /authorization: \*\*\*/)
    assert.match(words, /&quot;action&quot;: &quot;opened&quot;/)
    assert.match(words, /Answer 500 x-why: /)
    assert.match(page.text, /&lt;script/)
    assert.equal(hasScript(page), false)
    assert.doesNotMatch(page.text, /hunter2|s3cret/)
    const [call] = receiver.calls
    const signature = String(call?.headers['x-gitea-signature'])
    assert.match(signature, /^[0-9a-f]{64}$/)
    assert.doesNotMatch(page.text, new RegExp(signature))
    const [, delivery = ''] = /name="delivery" value="(\d+)"/.exec(page.text) ?? []
    assertStatus(await byAnn.post(`${path}/${id}/redeliver`, { delivery }), 303)
    app.passTime(3600)
    await app.ctx.jobs.runDue()
    assert.deepEqual(
      receiver.calls.map(({ headers }) => headers['x-gitea-delivery']),
      receiver.calls.map(() => call?.headers['x-gitea-delivery']),
    )
    assert.ok(receiver.calls.length > 1)
  })

  test('shows the payload of a form as it is, and no delivery of another webhook', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t, open)
    const receiver = await startReceiver(t)
    const fields = { ...form, url: receiver.url, content_type: 'form', active: 'true' }
    await byAnn.post(path, withEvents(fields, ['issues_only']))
    await byAnn.post(path, withEvents(fields, ['push']))
    const [first, second] = (await app.get(ann, hooks)).body
    assertStatus(await app.post(ann, '/repos/ann/one/issues', { title: 'x' }), 201)
    await app.ctx.jobs.runDue()
    const [{ id }] = (await app.get(ann, `${hooks}/${first.id}/deliveries`)).body

    const page = await byAnn.get(`${path}/${first.id}/deliveries/${id}`)

    assert.match(wordsOf(page), /x-www-form-urlencoded .* &quot;action&quot;: &quot;opened&quot;/)
    assert.match(wordsOf(page), /X-Hub-Signature-256: sha256= /)
    assert.doesNotMatch(wordsOf(page), /authorization:/)
    assertStatus(await byAnn.get(`${path}/${second.id}/deliveries/${id}`), 404)
    for (const none of ['999999', 'x', '-1']) {
      assertStatus(await byAnn.get(`${path}/${first.id}/deliveries/${none}`), 404)
    }
  })
})
