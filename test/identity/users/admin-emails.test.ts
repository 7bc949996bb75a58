import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp, type TestAnswer } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const addresses = ({ body }: TestAnswer) =>
  body.map(({ email }: { email: string }) => email) as string[]

async function withPeople(t: TestContext) {
  const app = await startApp(t)
  const root = await app.addAdmin()
  const ann = await app.addCaller('ann', { visibility: 'private', fullName: 'Änn Öther' })
  await app.addPerson('Zoe', { email: 'ZOE@example.com' })
  assertStatus(await app.post(ann, '/user/emails', { emails: ['100%_ann@Example.net'] }), 201)
  await app.post(root, '/orgs', { username: 'acme', email: 'acme@example.org' })
  return { app, root, ann }
}

suite('/admin/emails', () => {
  test('are those of all people, with whose they are', async (t) => {
    const { app, root, ann } = await withPeople(t)

    const answer = await app.get(root, '/admin/emails')

    assertStatus(answer, 200)
    const all = ['100%_ann@Example.net', 'ann@example.org', 'root@example.org', 'ZOE@example.com']
    assert.deepEqual(addresses(answer), all)
    assert.equal(answer.headers['x-total-count'], '4')
    const owner = { user_id: ann.id, username: 'ann' }
    assert.deepEqual(answer.body.slice(0, 2), [
      { email: '100%_ann@Example.net', verified: true, primary: false, ...owner },
      { email: 'ann@example.org', verified: true, primary: true, ...owner },
    ])
    assert.deepEqual(addresses(await app.get(root, '/admin/emails?q=zoe')), all)
    const second = await app.get(root, '/admin/emails?page=2&limit=3')
    assert.deepEqual(addresses(second), all.slice(3))
    assert.match(second.headers['link'] ?? '', /rel="prev"/)
    assert.equal(second.headers['x-total-count'], '4')
    assert.deepEqual(addresses(await app.get(root, '/admin/emails?page=9')), [])
  })

  test('are found by a part of them or of a name', async (t) => {
    const { app, root } = await withPeople(t)
    const find = async (text: string) =>
      addresses(await app.get(root, `/admin/emails/search?q=${encodeURIComponent(text)}`))

    assert.deepEqual(await find('EXAMPLE.NET'), ['100%_ann@Example.net'])
    assert.deepEqual(await find(' zoe '), ['ZOE@example.com'])
    assert.deepEqual(await find('%_'), ['100%_ann@Example.net'])
    assert.deepEqual(await find('änn'), ['100%_ann@Example.net', 'ann@example.org'])
    assert.deepEqual(await find('acme'), [])
    assert.equal((await find('')).length, 4)
    const page = await app.get(root, '/admin/emails/search?q=example&limit=1&page=2')
    assert.deepEqual(addresses(page), ['ann@example.org'])
    assert.equal(page.headers['x-total-count'], '4')
  })

  test('are for administrators', async (t) => {
    const { app, root, ann } = await withPeople(t)

    for (const path of ['/admin/emails', '/admin/emails/search?q=ann']) {
      assert.equal((await app.get(undefined, path)).status, 401)
      assertError(await app.get(ann, path), 403)
      const other = await app.withToken(root.account, ['read:user'])
      assertError(await app.get(other, path), 403, /scope/)
      assertStatus(await app.get(await app.withToken(root.account, ['read:admin']), path), 200)
    }
  })
})
