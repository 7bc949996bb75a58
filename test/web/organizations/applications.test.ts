// One database is enough: these pages store what those of people store.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  agree,
  bearer,
  exchange,
  pathOf,
  REDIRECT,
  wishOf,
} from '../../identity/oauth2-server/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { wordsOf } from '../repository/support.ts'
import { assertAsksFirst } from '../support.ts'
import { assertForOwners, startWithOrganization, type Setup } from './setup.ts'

const path = '/org/acme/settings/applications'
const form = { name: 'Builds', redirect_uris: REDIRECT, confidential_client: 'true' }

async function startWithApplication(t: Parameters<typeof startWithOrganization>[0]) {
  const setup = await startWithOrganization(t)
  const made = await setup.byAnn.post(path, form)
  assertStatus(made, 200)
  const [, client_id = ''] = /Client id: <code>([0-9a-f-]{36})</.exec(made.text) ?? []
  const [, client_secret = ''] = /<code class="secret">(gto_\w+)</.exec(made.text) ?? []
  const [, id = ''] = /applications\/(\d+)"/.exec(made.text) ?? []
  return { ...setup, client: { client_id, client_secret }, one: `${path}/${id}` }
}

/** Who bob is to the application, once he has agreed. */
async function signInByIt({
  app,
  byBob,
  client,
}: Setup & { client: { client_id: string; client_secret: string } }) {
  const { headers } = await agree(byBob, wishOf(client, { scope: 'read:user' }))
  const code = new URL(headers['location'] ?? '').searchParams.get('code') ?? ''
  const { body } = await exchange(app, client, code)
  return app.get(undefined, '/user', bearer(String(body.access_token)))
}

suite('/org/{org}/settings/applications', () => {
  test('registers an application of the organization, for owners', async (t) => {
    const setup = await startWithApplication(t)
    const { app, ann, byAnn, byBob, client, one } = setup
    const settings = await byAnn.get('/org/acme/settings')
    assert.match(settings.text, /href="\/org\/acme\/settings\/applications"/)
    await assertForOwners(setup, path, path, form)
    await assertForOwners(setup, one, one, form)

    const consent = await byBob.get(pathOf(wishOf(client)))
    const known = await signInByIt(setup)

    assert.match(wordsOf(consent), /Builds.*acme/)
    assert.equal(known.body.login, 'bob')
    assert.match(wordsOf(await byAnn.get(path)), new RegExp(`Builds ${client.client_id}`))
    // It is not hers.
    assert.deepEqual((await app.get(ann, '/user/applications/oauth2')).body, [])
    assertStatus(await byAnn.get(one.replace('/org/acme', '/user')), 404)
  })

  test('changes it, gives a new secret, and deletes it', async (t) => {
    const setup = await startWithApplication(t)
    const { app, byAnn, client, one } = setup
    for (const action of ['secret', 'delete']) {
      assertAsksFirst(await byAnn.get(one), `${one}/${action}`)
      await assertForOwners(setup, one, `${one}/${action}`)
    }

    const refused = await byAnn.post(one, { ...form, name: '' })
    const saved = await byAnn.post(one, { ...form, name: 'Builds 2' })
    assertStatus(refused, 422)
    assert.equal(saved.headers['location'], `${path}?saved=yes`)
    assertStatus(await signInByIt(setup), 200)

    const renewed = await byAnn.post(`${one}/secret`)
    const [, client_secret = ''] = /<code class="secret">(gto_\w+)</.exec(renewed.text) ?? []
    assert.notEqual(client_secret, client.client_secret)
    const again = await signInByIt({ ...setup, client: { ...client, client_secret } })
    assertStatus(again, 200)

    assertStatus(await byAnn.post(`${one}/delete`), 303)
    assert.match(wordsOf(await byAnn.get(path)), /There is none\./)
    const rows = await app.ctx.db.selectFrom('oauth2_application').select('id').execute()
    assert.deepEqual(rows, [])
  })

  test('goes with the organization', async (t) => {
    const { app, ann } = await startWithApplication(t)

    assertStatus(await app.delete(ann, '/orgs/acme'), 204)

    const rows = await app.ctx.db.selectFrom('oauth2_application').select('id').execute()
    assert.deepEqual(rows, [])
  })

  test('is not there where the server is no provider of OAuth2', async (t) => {
    const { byAnn } = await startWithOrganization(t, { oauth2: { enabled: false } })

    assertStatus(await byAnn.get(path), 404)
    assert.doesNotMatch((await byAnn.get('/org/acme/settings')).text, /settings\/applications/)
  })
})
