import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { enableSecondFactor } from '../../../src/identity/auth/second-factor.ts'
import { PASSWORD, type TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { complaintIn } from '../settings/setup.ts'
import { signIn, Visitor } from '../support.ts'
import {
  administration,
  assertSeenByAdministrators,
  assertTakenFromAdministrators,
  startWithAdministrator,
} from './setup.ts'

const path = `${administration}/users`

/** The people of a list, in its order. */
function namesIn({ text }: TestAnswer): readonly string[] {
  const found = text.matchAll(/<b><a href="\/-\/admin\/users\/([^"]+)">/g)
  return [...found].map(([, name = '']) => name)
}

suite('/-/admin/users', () => {
  test('lists all people to administrators', async (t) => {
    const setup = await startWithAdministrator(t)
    const { app, root, byRoot } = setup
    await app.addPerson('Zoe', { visibility: 'private', fullName: evil })
    await app.post(root, '/orgs', { username: 'acme' })
    await assertSeenByAdministrators(setup, path)

    const page = await byRoot.get(path)

    assert.deepEqual(namesIn(page), ['ann', 'root', 'Zoe'])
    assert.equal(hasScript(page), false)
    const words = wordsOf(page)
    assert.match(words, /3 accounts ann ann@example\.org · signed in just now root Administrator /)
    assert.match(words, /Zoe &lt;script&gt;.* · Zoe@example\.org · has not signed in yet/)
  })

  test('finds and filters as the API does', async (t) => {
    const { app, root, byRoot } = await startWithAdministrator(t)
    await app.addPerson('bob', { isRestricted: true, fullName: 'Bob Builder', createdAt: 3 })
    const cat = await app.addPerson('cat', { createdAt: 4 })
    await app.addPerson('dan', { createdAt: 5 })
    await app.patch(root, '/admin/users/bob', { active: false })
    await app.patch(root, '/admin/users/dan', { prohibit_login: true })
    await enableSecondFactor(app.ctx, cat)
    for (const [query, expected] of [
      ['q=AN', ['ann', 'dan']],
      ['q=+builder+', ['bob']],
      ['q=cat%40example', ['cat']],
      ['q=%25', []],
      ['group=all&order=name', ['ann', 'bob', 'cat', 'dan', 'root']],
      ['group=administrators', ['root']],
      ['group=inactive', ['bob']],
      ['group=locked', ['dan']],
      ['group=restricted', ['bob']],
      ['group=two_factor', ['cat']],
      ['group=one_factor&q=n', ['ann', 'dan']],
      ['group=constructor&order=toString&q=ann', ['ann']],
      ['order=newest&group=one_factor&q=d', ['dan', 'bob']],
    ] as const) {
      const found = namesIn(await byRoot.get(`${path}?${query}`))
      assert.deepEqual(found, expected, query)
    }
    const none = await byRoot.get(`${path}?q=${encodeURIComponent(evil)}&group=locked`)
    assert.match(wordsOf(none), /Nobody is so/)
    assert.equal(hasScript(none), false)
    assert.match(none.text, /<option value="locked" selected>/)
  })

  test('is read page by page', async (t) => {
    const { app, byRoot } = await startWithAdministrator(t, { api: { default_paging_num: 2 } })
    await app.addPerson('bob')

    const first = await byRoot.get(`${path}?q=example.org&group=all`)
    const second = await byRoot.get(`${path}?q=example.org&group=all&page=2`)

    assert.deepEqual(namesIn(first), ['ann', 'bob'])
    assert.match(first.text, /href="\/-\/admin\/users\?q=example\.org&amp;group=all&amp;page=2"/)
    assert.deepEqual(namesIn(second), ['root'])
    assert.match(wordsOf(second), /3 accounts/)
    assertStatus(await byRoot.get(`${path}?page=9`), 200)
  })
})

suite('/-/admin/users/new', () => {
  const form = `${path}/new`
  const bob = {
    username: 'bob',
    email: 'bob@example.org',
    password: PASSWORD,
    visibility: 'limited',
    full_name: evil,
  }

  test('makes an account that signs in', async (t) => {
    const setup = await startWithAdministrator(t)
    const { app, root, byRoot } = setup
    await assertSeenByAdministrators(setup, form)
    await assertTakenFromAdministrators(setup, form, bob)
    assertStatus(await app.get(root, '/users/bob'), 404)
    assert.match((await byRoot.get(form)).text, /name="must_change_password"[^>]* checked/)

    const made = await byRoot.post(form, bob)

    assert.equal(made.headers['location'], '/-/admin/users/bob?saved=yes')
    assert.equal(hasScript(await byRoot.get('/-/admin/users/bob?saved=yes')), false)
    assert.partialDeepStrictEqual((await app.get(root, '/users/bob')).body, {
      full_name: evil,
      visibility: 'limited',
      is_admin: false,
    })
    assertStatus(await (await signIn(app, 'bob')).get('/user/settings'), 200)
  })

  test('has them choose a password of their own where that is ticked', async (t) => {
    const { app, byRoot } = await startWithAdministrator(t)

    assertStatus(await byRoot.post(form, { ...bob, must_change_password: 'true' }), 303)

    const credentials = { user_name: 'bob', password: PASSWORD }
    const answer = await new Visitor(app).post('/user/login', credentials)
    assert.match(answer.text + answer.headers['location'], /change_password/)
  })

  test('tells what is wrong beside its field', async (t) => {
    const { app, root, byRoot } = await startWithAdministrator(t)
    for (const [changes, complaint] of [
      [{ username: 'ANN' }, /^username: This name is taken/],
      [{ username: 'user' }, /^username: This name is kept/],
      [{ username: evil }, /^username: Letters and digits/],
      [{ username: '' }, /^username: This is needed/],
      [{ email: '' }, /^email: This is needed/],
      [{ email: 'x' }, /^email: This is no e-mail address/],
      [{ email: 'ann@example.org' }, /^email: Somebody has this address/],
      [{ password: '' }, /^password: The password must have at least 6 characters/],
      [{ visibility: 'x' }, /^visibility: Choose one/],
    ] as const) {
      const answer = await byRoot.post(form, { ...bob, ...changes })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.equal(hasScript(answer), false)
      assert.ok(!answer.text.includes(PASSWORD))
    }
    assert.equal((await app.get(root, '/admin/users')).body.length, 2)
  })
})
