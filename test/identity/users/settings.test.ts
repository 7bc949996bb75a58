import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { atOnce } from '../../support/at-once.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const fresh = {
  full_name: '',
  website: '',
  description: '',
  location: '',
  language: '',
  theme: 'gitea-auto',
  diff_view_style: '',
  hide_email: false,
  hide_activity: false,
}

suite('GET and PATCH /user/settings', () => {
  test('start from the defaults', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    assert.deepEqual((await app.get(ann, '/user/settings')).body, fresh)
  })

  test('change what is given and keep the rest', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const wanted = {
      full_name: 'Ann A',
      website: 'https://ann.example',
      description: 'about me',
      location: 'Here',
      language: 'de-DE',
      theme: 'dark',
      diff_view_style: 'split',
      hide_email: true,
      hide_activity: true,
    }

    const changed = await app.patch(ann, '/user/settings', wanted)
    const emptied = await app.patch(ann, '/user/settings', { location: '', hide_activity: false })

    assert.deepEqual(changed.body, wanted)
    assert.deepEqual(emptied.body, { ...wanted, location: '', hide_activity: false })
    assert.deepEqual((await app.get(ann, '/user/settings')).body, emptied.body)
    assert.equal((await app.get(undefined, '/users/ann')).body.full_name, 'Ann A')
  })

  test('refuse what breaks a rule and change nothing', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const cases: [object, string][] = [
      [{ website: 'nonsense' }, '[Website]: Url'],
      [{ website: 'javascript:alert(1)' }, '[Website]: Url'],
      [{ website: `https://x.example/${'x'.repeat(250)}` }, '[Website]: MaxSize'],
      [{ full_name: 'x'.repeat(101) }, '[FullName]: MaxSize'],
      [{ description: 'x'.repeat(256) }, '[Description]: MaxSize'],
      [{ location: 'x'.repeat(51) }, '[Location]: MaxSize'],
    ]

    for (const [body, message] of cases) {
      assertError(
        await app.patch(ann, '/user/settings', { hide_email: true, ...body }),
        422,
        message,
      )
    }
    assert.deepEqual((await app.get(ann, '/user/settings')).body, fresh)
  })

  test('of different fields at the same moment are all kept', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const fields = ['full_name', 'description', 'location', 'language']

    const answers = await Promise.all(
      fields.map((field) => app.patch(ann, '/user/settings', { [field]: 'x' })),
    )

    for (const answer of answers) assertStatus(answer, 200)
    const { body } = await app.get(ann, '/user/settings')
    for (const field of fields) assert.equal(body[field], 'x', field)
  })

  test('need a signed-in caller', async (t) => {
    const app = await startApp(t)

    assertError(await app.get(undefined, '/user/settings'), 401, 'token is required')
    assertError(await app.patch(undefined, '/user/settings', {}), 401, 'token is required')
  })
})

suite('/user/emails', () => {
  const entry = (email: string, primary = false) => ({
    email,
    verified: true,
    primary,
    user_id: 0,
    username: '',
  })
  const first = entry('ann@example.org', true)

  test('lists the addresses, the primary one first, unpaged', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const added = await app.post(ann, '/user/emails', {
      emails: ['b@example.org', 'a@example.org'],
    })
    const listed = await app.get(ann, '/user/emails')

    assert.equal(added.status, 201)
    assert.deepEqual(added.body, [first, entry('b@example.org'), entry('a@example.org')])
    assert.deepEqual(listed.body, added.body)
    assert.equal(listed.headers['x-total-count'], undefined)
  })

  test('adds all addresses or none', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')
    const cases: [string[] | undefined, string][] = [
      [[], 'Email list empty'],
      [undefined, 'Email list empty'],
      [['good@example.org', 'nonsense'], 'Email address "nonsense" invalid'],
      [['-option@example.org'], 'Email address "-option@example.org" invalid'],
      [['good@example.org', 'BOB@example.org'], 'Email address has been used: BOB@example.org'],
      [['good@example.org', 'ann@example.org'], 'Email address has been used: ann@example.org'],
      [['good@example.org', 'Good@example.org'], 'Email address has been used: Good@example.org'],
    ]

    for (const [emails, message] of cases) {
      assertError(await app.post(ann, '/user/emails', { emails }), 422, message)
    }
    assert.deepEqual((await app.get(ann, '/user/emails')).body, [first])
  })

  test('of one address by several people at the same moment succeeds once', async (t) => {
    const app = await startApp(t)
    const people = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => app.addCaller(name)))

    const answers = await Promise.all(
      people.map((who) => app.post(who, '/user/emails', { emails: ['shared@example.org'] })),
    )

    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 422, 422, 422, 422],
    )
  })

  test('leaves an address that becomes the primary one at the same moment', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const prepare = async (round: number) => {
      const who = await app.addCaller(`person${round}`)
      const email = `second${round}@example.org`
      assertStatus(await app.post(who, '/user/emails', { emails: [email] }), 201)
      return { who, email }
    }
    type Made = Awaited<ReturnType<typeof prepare>>
    const remove = ({ who, email }: Made) => app.delete(who, '/user/emails', { emails: [email] })
    const promote = ({ who, email }: Made) => app.patch(root, `/admin/users/${who.name}`, { email })

    await atOnce(prepare, [remove, promote], async ({ who }) => {
      const { body } = await app.get(who, '/user/emails')
      const primary = (body as { primary: boolean }[]).filter((one) => one.primary)
      assert.equal(primary.length, 1)
    })
  })

  test('removes all addresses or none, and never the primary one', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/user/emails', { emails: ['second@example.org', 'third@example.org'] })
    const remove = (emails: string[]) => app.delete(ann, '/user/emails', { emails })

    assertError(
      await remove(['second@example.org', 'nobody@example.org']),
      404,
      'Email address does not exist [email: nobody@example.org]',
    )
    assertError(await remove(['second@example.org', 'bob@example.org']), 404)
    assertError(await remove(['second@example.org', 'ann@example.org']), 422)
    assert.equal((await app.get(ann, '/user/emails')).body.length, 3)
    assertStatus(await remove(['SECOND@example.org', 'third@example.org']), 204)
    assertStatus(await remove([]), 204)
    assert.deepEqual((await app.get(ann, '/user/emails')).body, [first])
    assert.equal((await app.get(bob, '/user/emails')).body.length, 1)
  })

  test('can be closed to changes', async (t) => {
    const app = await startApp(t, { users: { manage_emails: false } })
    const ann = await app.addCaller('ann')

    assertError(await app.post(ann, '/user/emails', { emails: ['x@example.org'] }), 404)
    assertError(await app.delete(ann, '/user/emails', { emails: [] }), 404)
    assertStatus(await app.get(ann, '/user/emails'), 200)
  })

  test('needs a signed-in caller', async (t) => {
    const app = await startApp(t)

    assertError(await app.get(undefined, '/user/emails'), 401, 'token is required')
    assertError(await app.post(undefined, '/user/emails', {}), 401, 'token is required')
    assertError(await app.delete(undefined, '/user/emails', {}), 401, 'token is required')
  })
})
