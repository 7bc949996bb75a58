import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import { machineOf } from '../../support/terminal.ts'
import { wordsOf } from '../repository/support.ts'
import { enrol, finishWith, startHalf } from '../security-keys.ts'
import { signIn } from '../support.ts'
import { codesOf, countOf, keysOf } from './key-rows.ts'
import { startWithAccount } from './setup.ts'

const ENROLLED = 'basic authorization is not allowed while WebAuthn enrolled'

suite('an account with a security key', () => {
  test('calls the API with tokens, and not with its password', async (t) => {
    const setup = await startWithAccount(t, {
      security: { failures_per_address: 100, failures_per_account: 5 },
    })
    const { app, ann, byAnn } = setup
    const { codes } = await enrol(byAnn)
    const byPassword = app.withPassword(ann.account)

    assertError(await app.get(byPassword, '/user'), 401, ENROLLED)
    const otp = { 'x-gitea-otp': codes[0] ?? '' }
    assertError(await app.get(byPassword, '/user', otp), 401, ENROLLED)
    assertError(await app.post(byPassword, '/users/ann/tokens', { name: 'x' }), 401, ENROLLED)
    assert.equal((await codesOf(setup)).length, 10)
    const wrong = app.withPassword(ann.account, 'wrong')
    assertError(await app.get(wrong, '/user'), 401, 'invalid username, password or token')
    assertStatus(await app.get(ann, '/user'), 200)
    const [, token = ''] = (ann.headers['authorization'] ?? '').split(' ')
    const asBasic = Buffer.from(`ann:${token}`).toString('base64')
    const headers = { authorization: `Basic ${asBasic}` }
    assertStatus(await app.get(undefined, '/user', headers), 200)
    const counted = await app.ctx.db.selectFrom('sign_in_failure').select('failures').execute()
    assert.deepEqual(
      counted.map((row) => row.failures),
      [4, 4],
    )
  })

  test('has a second factor wherever one is asked for or listed', async (t) => {
    const setup = await startWithAccount(t, { security: { require_two_factor: true } })
    const { app, ann, byAnn } = setup
    const root = await app.addAdmin()
    assertError(await app.post(ann, '/user/repos', { name: 'open' }), 403)
    const names = async (query: string) => {
      const { body } = await app.get(root, `/admin/users?is_2fa_enabled=${query}`)
      return (body as { login: string }[]).map(({ login }) => login)
    }
    assert.deepEqual(await names('true'), [])

    await enrol(byAnn)

    assertStatus(await app.post(ann, '/user/repos', { name: 'open' }), 201)
    assertStatus(await app.get(ann, '/repos/ann/open'), 200)
    assert.deepEqual([await names('true'), await names('false')], [['ann'], ['root']])
    const listed = await machineOf(app).admin(['user', 'list'])
    assert.match(listed.out, / ann +ann@example\.org +yes +no +yes/)
    const byRoot = await signIn(app, 'root')
    assert.match(wordsOf(await byRoot.get('/-/admin/users?group=two_factor')), /ann Second factor/)
  })

  test('loses it to administrators, in a browser and on a terminal', async (t) => {
    const setup = await startWithAccount(t)
    const { app, ann } = setup
    await app.addAdmin()
    const byRoot = await signIn(app, 'root')
    const machine = machineOf(app)
    const path = '/-/admin/users/ann'
    const command = (name: string) => machine.admin(['user', name, '--name', 'ann'])
    const ways: Record<string, () => Promise<unknown>> = {
      page: () => byRoot.post(`${path}/two-factor/delete`),
      terminal: () => command('disable-two-factor'),
    }

    for (const [way, drop] of Object.entries(ways)) {
      await enrol(await signIn(app, 'ann'))
      await command('enable-totp')
      const page = wordsOf(await byRoot.get(path))
      assert.match(page, /They have one-time codes and 1 security key\./, way)
      await drop()
      assert.deepEqual([await keysOf(setup), await codesOf(setup)], [[], []], way)
      assert.equal(await countOf(setup), 0, way)
      assertStatus(await app.get(app.withPassword(ann.account), '/user'), 200)
    }
    assert.match((await command('disable-two-factor')).notes, /ann has no second factor/)
  })

  test('keeps its keys when only its one-time codes are taken away', async (t) => {
    const setup = await startWithAccount(t)
    const { app } = setup
    const { key } = await enrol(setup.byAnn)
    const command = (name: string) => machineOf(app).admin(['user', name, '--name', 'ann'])
    assert.match((await command('disable-totp')).notes, /ann has no one-time codes/)
    await command('enable-totp')

    const ran = await command('disable-totp')

    assert.match(ran.notes, /ann signs in with a security key now\./)
    assert.equal((await codesOf(setup)).length, 10)
    assertStatus(await finishWith(await startHalf(app), key), 303)
  })

  test('takes its keys along when it is deleted', async (t) => {
    const setup = await startWithAccount(t)
    const { app } = setup
    const root = await app.addAdmin()
    await enrol(setup.byAnn)
    await startHalf(app)

    assertStatus(await app.delete(root, '/admin/users/ann'), 204)

    assert.deepEqual(await keysOf(setup), [])
    assert.deepEqual(await app.ctx.db.selectFrom('half_sign_in').selectAll().execute(), [])
  })
})
