import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { updateTotpSecret } from '../../../src/identity/auth/queries.ts'
import { totpCode } from '../../../src/identity/auth/totp.ts'
import { PASSWORD } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { complaintIn } from '../settings/setup.ts'
import { assertSessionEnded, assertAsksFirst, fromElsewhere, signIn, Visitor } from '../support.ts'
import { assertOwn, settings, startWithAccount, type Setup } from './setup.ts'

const path = `${settings}/tokens`
const form = { name: `mine ${evil}`, 'scope-repository': 'read', password: PASSWORD }

function secretIn(text: string): string {
  return /<code class="secret">([0-9a-f]{40})<\/code>/.exec(text)?.[1] ?? ''
}

/** The tokens that were not made by the test itself. */
async function names({ app, ann }: Setup): Promise<readonly string[]> {
  const { body } = await app.get(app.withPassword(ann.account), '/users/ann/tokens')
  return (body as { name: string }[])
    .map(({ name }) => name)
    .filter((name) => !/^token \d+$/.test(name))
}

suite(path, () => {
  test('makes a token of the scopes that are chosen, and shows it once', async (t) => {
    const setup = await startWithAccount(t)
    const { app, byAnn } = setup
    await assertOwn(setup, path, path, form)
    assert.deepEqual(await names(setup), [])

    const made = await byAnn.post(path, { ...form, 'scope-user': 'write', 'public-only': 'true' })

    assertStatus(made, 200)
    assert.equal(made.headers['cache-control'], 'private, no-store')
    assert.equal(hasScript(made), false)
    const secret = secretIn(made.text)
    const token = { authorization: `token ${secret}` }
    const { body } = await app.get(undefined, '/token', token)
    assert.deepEqual(body.scopes, ['public-only', 'read:repository', 'write:user'])
    const page = await byAnn.get(path)
    assert.doesNotMatch(page.text, new RegExp(secret))
    assert.match(wordsOf(page), /public-only, read:repository, write:user · made just now · used/)
  })

  test('asks for the password, and for the second factor of who has one', async (t) => {
    const setup = await startWithAccount(t)
    const { app, ann, byAnn } = setup
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    for (const password of ['', 'wrong']) {
      const refused = await byAnn.post(path, { ...form, password })
      assertStatus(refused, 422)
      assert.match(complaintIn(refused.text), /^password: The password or/)
      assert.match(refused.text, /name="name"[^>]* value="mine &lt;script/)
      assert.match(refused.text, /<option value="read" selected>/)
      assert.doesNotMatch(refused.text, /name="password"[^>]* value/)
    }

    await updateTotpSecret(app.ctx.db, ann.id, app.ctx.secrets.seal('totp', secret))
    const without = await byAnn.post(path, form)
    const code = totpCode(secret, Math.floor(app.ctx.now() / 30))
    const made = await byAnn.post(path, { ...form, one_time_code: code })

    assertStatus(without, 422)
    assertStatus(made, 200)
    assert.notEqual(secretIn(made.text), '')
  })

  test('tells what is wrong, and makes nothing', async (t) => {
    const setup = await startWithAccount(t)
    const { byAnn } = setup
    assertStatus(await byAnn.post(path, { ...form, name: 'taken' }), 200)

    const twice = await byAnn.post(path, { ...form, name: 'taken' })
    const nameless = await byAnn.post(path, { ...form, name: '' })
    const useless = await byAnn.post(path, { name: 'x', password: PASSWORD })
    const odd = await byAnn.post(path, { ...form, 'scope-repository': 'own' })

    assert.match(complaintIn(twice.text), /^name: You have a token of this name/)
    assert.match(complaintIn(nameless.text), /^name: This is needed/)
    assert.match(wordsOf(useless), /Choose at least one thing/)
    assert.match(
      useless.text,
      /<p class="problem" role="alert" tabindex="-1" autofocus>Choose at least/,
    )
    for (const answer of [twice, nameless, useless, odd]) assertStatus(answer, 422)
    assert.deepEqual(await names(setup), ['taken'])
  })

  test('removes a token of the viewer, and nobody else’s', async (t) => {
    const setup = await startWithAccount(t)
    const { app, byAnn } = setup
    await app.addPerson('bob')
    const byBob = await signIn(app, 'bob')
    await byAnn.post(path, { ...form, name: 'mine' })
    const [, id = ''] = /name="id" value="(\d+)"/.exec((await byAnn.get(path)).text) ?? []

    assertAsksFirst(await byAnn.get(path), `${path}/delete`)
    assertStatus(await byBob.post(`${path}/delete`, { id }), 404)
    assertStatus(await byAnn.post(`${path}/delete`, { id }, fromElsewhere), 403)
    assertSessionEnded(await new Visitor(app).post(`${path}/delete`, { id }))
    assert.deepEqual(await names(setup), ['mine'])
    assertStatus(await byAnn.post(`${path}/delete`, { id }), 303)
    assert.deepEqual(await names(setup), [])
  })
})
