import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { updateTotpSecret } from '../../src/identity/auth/queries.ts'
import { totpCode } from '../../src/identity/auth/totp.ts'
import { PASSWORD, startApp, type Headers, type TestApp } from '../support/app.ts'
import { assertBareError, assertStatus } from '../support/expect.ts'
import { doOnceVerified } from '../support/meanwhile.ts'

const path = '^/user/change_password'
const next = 'another 1'
const filledIn = { user_name: 'ann', old_password: PASSWORD, password: next, retype: next }

function submit(app: TestApp, changes: object = {}, headers: Headers = {}) {
  const form = new URLSearchParams({ ...filledIn, ...changes }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return app.post(undefined, path, form, { ...type, ...headers })
}

suite('/user/change_password', () => {
  test('is where those are sent who must change their password, and lets them call', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await app.patch(root, '/admin/users/ann', { must_change_password: true })
    const told = await app.get(ann, '/user')
    assertBareError(told, 403, /Change it at: http:\/\/codestead\.test\/user\/change_password$/)

    const page = await app.get(undefined, path)
    assertStatus(page, 200)
    assert.match(page.headers['content-security-policy'] ?? '', /default-src 'none'/)
    for (const name of Object.keys(filledIn)) assert.match(page.text, new RegExp(`name="${name}"`))
    const changed = await submit(app, {}, { 'sec-fetch-site': 'same-origin' })

    assertStatus(changed, 200)
    assert.doesNotMatch(changed.text, /another 1|class="sheet form"/)
    assertStatus(await app.get(ann, '/user'), 200)
    assertStatus(await app.get(app.withPassword(ann.account, next), '/user'), 200)
    assertStatus(await app.get(app.withPassword(ann.account), '/user'), 401)
  })

  test('changes nothing without the old password, or to one that is not good', async (t) => {
    const app = await startApp(t)
    const ann = await app.addPerson('ann')
    const states = { barred: { prohibit_login: 1 }, inactive: { is_active: 0 } } as const
    for (const [name, state] of Object.entries(states)) {
      const { id } = await app.addPerson(name)
      await app.ctx.db.updateTable('account').set(state).where('id', '=', id).execute()
    }
    const stranger = 'Name, password and one-time code do not fit together.'
    const refused: [object, string][] = [
      [{ old_password: 'wrong' }, stranger],
      [{ old_password: '' }, stranger],
      [{ user_name: 'nobody' }, stranger],
      [{ user_name: 'barred' }, stranger],
      [{ user_name: 'inactive' }, stranger],
      [{ password: 'short', retype: 'short' }, 'The password must have at least 6 characters.'],
      [{ retype: 'other' }, 'The two passwords differ.'],
      [{ password: PASSWORD, retype: PASSWORD }, 'The password must differ from the old one.'],
    ]

    for (const [changes, message] of refused) {
      const { status, text } = await submit(app, changes)
      assert.equal(status, 422)
      assert.ok(text.includes(message), `${JSON.stringify(changes)}: ${text}`)
      assert.doesNotMatch(text, /another 1|password1/)
    }
    const hostile = await submit(app, { user_name: '"><script>', old_password: 'wrong' })
    assert.doesNotMatch(hostile.text, /<script>/)
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'http://evil.example' }])
      assertStatus(await submit(app, {}, headers), 403)
    assertStatus(await app.get(app.withPassword(ann), '/user'), 200)
  })

  test('does not undo what an administrator has set in the same moment', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addPerson('ann')
    doOnceVerified(t, app, () => app.patch(root, '/admin/users/ann', { password: 'rescued 1' }))

    const refused = await submit(app)

    assertStatus(refused, 422)
    assertStatus(await app.get(app.withPassword(ann, next), '/user'), 401)
    assertStatus(await app.get(app.withPassword(ann, 'rescued 1'), '/user'), 200)
  })

  test('asks for the second factor, and cannot be used to guess', async (t) => {
    const app = await startApp(t, { security: { failures_per_address: 2 } })
    const ann = await app.addPerson('ann')
    const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
    await updateTotpSecret(app.ctx.db, ann.id, app.ctx.secrets.seal('totp', secret))
    const code = totpCode(secret, Math.floor(app.ctx.now() / 30))

    const first = await submit(app)
    assertStatus(first, 422)
    assert.match(first.text, /So far all is right\. Type a code, too\./)
    assertStatus(await submit(app, { one_time_code: code }), 200)
    const second = { old_password: next, password: 'a third one', retype: 'a third one' }
    assertStatus(await submit(app, { ...second, one_time_code: code }), 422)
    const limited = await submit(app, second)
    assertStatus(limited, 429)
    assert.ok(Number(limited.headers['retry-after']) > 0)
  })
})
