import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  agree,
  bearer,
  exchange,
  pkce,
  verifier,
  wishOf,
} from '../../identity/oauth2-server/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { complaintIn } from '../settings/setup.ts'
import { assertAsksFirst, signIn } from '../support.ts'
import { assertOwn, settings, startWithAccount, type Setup } from './setup.ts'

const path = `${settings}/applications`
const back = 'https://ci.example/authorize'
const form = { name: `ci ${evil}`, redirect_uris: `${back}\r\n\r\nhttps://two.example/ ` }

function secretIn(text: string): string {
  return /<code class="secret">(gto_[a-z2-7]{52})<\/code>/.exec(text)?.[1] ?? ''
}

async function registered({ app, ann }: Setup) {
  return (await app.get(ann, '/user/applications/oauth2')).body
}

suite(path, () => {
  test('registers an application, and shows its secret once', async (t) => {
    const setup = await startWithAccount(t)
    const { byAnn } = setup
    await assertOwn(setup, path, path, form)

    const made = await byAnn.post(path, { ...form, confidential_client: 'true' })

    assertStatus(made, 200)
    assert.equal(hasScript(made), false)
    assert.match(secretIn(made.text), /^gto_/)
    const [application, ...others] = await registered(setup)
    assert.partialDeepStrictEqual(application, {
      name: form.name,
      redirect_uris: [back, 'https://two.example/'],
      confidential_client: true,
      skip_secondary_authorization: false,
    })
    assert.deepEqual(others, [])
    const list = await byAnn.get(path)
    assert.match(wordsOf(list), new RegExp(`${application.client_id} · registered just now`))
    assert.doesNotMatch(list.text, /gto_/)
  })

  test('tells what is wrong with one', async (t) => {
    const setup = await startWithAccount(t)
    const wrong = [
      [{ ...form, name: '' }, /^name: This is needed/],
      [{ ...form, redirect_uris: ' ' }, /^redirect_uris: This is needed/],
      [{ ...form, redirect_uris: 'javascript:alert(1)' }, /^redirect_uris: Nobody can be led to/],
    ] as const
    for (const [fields, complaint] of wrong) {
      const refused = await setup.byAnn.post(path, fields)
      assertStatus(refused, 422)
      assert.match(complaintIn(refused.text), complaint)
    }
    assert.deepEqual(await registered(setup), [])
  })

  test('edits one without touching its secret, gives a new one, deletes it', async (t) => {
    const setup = await startWithAccount(t)
    const { app, byAnn, ann } = setup
    const made = await byAnn.post(path, { ...form, confidential_client: 'true' })
    const [before] = await registered(setup)
    const one = `${path}/${before.id}`
    const codeWith = async () => {
      const { headers } = await agree(byAnn, wishOf(before))
      return new URL(headers['location'] ?? '').searchParams.get('code') ?? ''
    }
    const isGood = async (client_secret: string) => {
      const client = { client_id: before.client_id as string, client_secret }
      return (await exchange(app, client, await codeWith())).status === 200
    }
    assert.match((await byAnn.get(one)).text, /name="confidential_client"[^>]* checked/)

    for (const action of ['secret', 'delete']) {
      assertAsksFirst(await byAnn.get(one), `${one}/${action}`)
    }
    const edited = await byAnn.post(one, {
      name: 'ci 2',
      redirect_uris: back,
      confidential_client: 'true',
    })
    assert.equal(edited.headers['location'], `${path}?saved=yes`)
    assert.equal((await registered(setup))[0].name, 'ci 2')
    assert.ok(await isGood(secretIn(made.text)))

    const renewed = await byAnn.post(`${one}/secret`)
    assert.ok(await isGood(secretIn(renewed.text)))
    assert.equal(await isGood(secretIn(made.text)), false)

    const refused = await byAnn.post(one, { ...form, name: '' })
    assertStatus(refused, 422)
    await app.addCaller('bob')
    const byBob = await signIn(app, 'bob')
    for (const answer of [
      await byBob.get(one),
      await byBob.post(one, form),
      await byBob.post(`${one}/secret`),
      await byBob.post(`${one}/delete`),
    ]) {
      assertStatus(answer, 404)
    }
    assertStatus(await byAnn.post(`${one}/delete`), 303)
    assert.deepEqual(await registered({ ...setup, ann }), [])
  })

  test('lists what acts for the viewer, and withdraws it', async (t) => {
    const setup = await startWithAccount(t)
    const { app, byAnn } = setup
    await byAnn.post(path, form)
    const [{ client_id }] = await registered(setup)
    const wish = wishOf(
      { client_id, client_secret: '' },
      { ...pkce, scope: 'read:issue read:user' },
    )
    await app.addCaller('bob')
    const byBob = await signIn(app, 'bob')
    const { headers } = await agree(byBob, wish)
    const code = new URL(headers['location'] ?? '').searchParams.get('code') ?? ''
    const client = { client_id: client_id as string, client_secret: '' }
    const { body } = await exchange(app, client, code, { code_verifier: verifier })
    const page = await byBob.get(path)
    assert.match(wordsOf(page), /Read: Issues, Your account · since just now/)
    const [, id = ''] = /name="id" value="(\d+)"/.exec(page.text) ?? []

    assertStatus(await byAnn.post(`${path}/withdraw`, { id }), 404)
    assertStatus(await app.get(undefined, '/user', bearer(body.access_token as string)), 200)
    assertAsksFirst(await byBob.get(path), `${path}/withdraw`)
    assertStatus(await byBob.post(`${path}/withdraw`, { id }), 303)

    assertStatus(await app.get(undefined, '/user', bearer(body.access_token as string)), 401)
    assert.match(wordsOf(await byBob.get(path)), /Authorized applications .* There is none\./)
  })
})
