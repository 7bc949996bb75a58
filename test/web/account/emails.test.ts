import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PASSWORD } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript } from '../repository/support.ts'
import { complaintIn } from '../settings/setup.ts'
import { assertAsksFirst, fromElsewhere } from '../support.ts'
import { assertOwn, settings, startWithAccount, type Setup } from './setup.ts'

const path = `${settings}/emails`

async function addresses({ app, ann }: Setup): Promise<readonly string[]> {
  const { body } = await app.get(ann, '/user/emails')
  return (body as { email: string }[]).map(({ email }) => email)
}

suite(path, () => {
  test('adds and removes addresses, but for the primary one', async (t) => {
    const setup = await startWithAccount(t)
    const { byAnn } = setup
    await assertOwn(setup, path, path, { email: 'ann@work.example' })
    assert.deepEqual(await addresses(setup), ['ann@example.org'])

    assertStatus(await byAnn.post(path, { email: 'ann@work.example' }), 303)

    assert.deepEqual(await addresses(setup), ['ann@example.org', 'ann@work.example'])
    const { text } = await byAnn.get(path)
    assert.match(text, /name="email" value="ann@work\.example"/)
    assert.doesNotMatch(text, /name="email" value="ann@example\.org"/)
    assertStatus(await byAnn.post(`${path}/delete`, { email: 'ann@example.org' }), 422)
    assertStatus(await byAnn.post(`${path}/delete`, { email: 'x@example.org' }), 404)
    assertStatus(
      await byAnn.post(`${path}/delete`, { email: 'ann@work.example' }, fromElsewhere),
      403,
    )
    assertAsksFirst(await byAnn.get(path), `${path}/delete`)
    assertStatus(await byAnn.post(`${path}/delete`, { email: 'ann@work.example' }), 303)
    assert.deepEqual(await addresses(setup), ['ann@example.org'])
  })

  test('asks for the password, unless somebody has signed in just now', async (t) => {
    const setup = await startWithAccount(t)
    const { app, byAnn } = setup
    assert.doesNotMatch((await byAnn.get(path)).text, /name="password"/)
    app.passTime(601)

    assert.match((await byAnn.get(path)).text, /name="password" type="password"/)
    for (const password of ['', 'wrong one 1']) {
      const answer = await byAnn.post(path, { email: 'ann@work.example', password })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), /^password: The password or the second factor is/)
    }
    assert.deepEqual(await addresses(setup), ['ann@example.org'])
    const right = { email: 'ann@work.example', password: PASSWORD }
    assertStatus(await byAnn.post(path, right), 303)
    assert.deepEqual(await addresses(setup), ['ann@example.org', 'ann@work.example'])
  })

  test('takes no address that is none, or that is somebody’s', async (t) => {
    const setup = await startWithAccount(t)
    const { app, byAnn } = setup
    await app.addPerson('bob')

    for (const [email, complaint] of [
      [evil, /^email: This is no e-mail address/],
      ['', /^email: This is no e-mail address/],
      ['bob@example.org', /^email: This address belongs/],
    ] as const) {
      const answer = await byAnn.post(path, { email })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.equal(hasScript(answer), false)
    }
    assert.deepEqual(await addresses(setup), ['ann@example.org'])
  })

  test('is not there where the operator manages addresses', async (t) => {
    const { byAnn } = await startWithAccount(t, { users: { manage_emails: false } })

    assertStatus(await byAnn.get(path), 404)
    assertStatus(await byAnn.post(path, { email: 'ann@work.example' }), 404)
    assertStatus(await byAnn.post(`${path}/delete`, { email: 'ann@example.org' }), 404)
    assert.doesNotMatch((await byAnn.get(settings)).text, /settings\/emails/)
  })
})
