import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { addOrganization, addTeam, names, ownersOf } from './setup.ts'

suite('GET /user/orgs', () => {
  test('lists the own organizations by name, whatever their visibility', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'zoo', { email: 'zoo@example.org' })
    await addOrganization(app, ann, 'Hush', { visibility: 'private' })
    await addOrganization(app, bob, 'other')

    const list = await app.get(ann, '/user/orgs')
    const page = await app.get(ann, '/user/orgs?limit=1')

    assert.deepEqual(names(list.body), ['Hush', 'zoo'])
    assert.equal(list.headers['x-total-count'], '2')
    assert.equal(list.body[1].email, 'zoo@example.org')
    assert.deepEqual(names(page.body), ['Hush'])
    assert.match(page.headers['link'] ?? '', /page=2>; rel="next"/)
  })

  test('shows a public-only token the public ones', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const outside = await app.withToken(ann.account, ['all', 'public-only'])
    await addOrganization(app, ann, 'open')
    await addOrganization(app, ann, 'known', { visibility: 'limited' })

    for (const path of ['/user/orgs', '/users/ann/orgs']) {
      const { body, headers } = await app.get(outside, path)

      assert.deepEqual(names(body), ['open'])
      assert.equal(headers['x-total-count'], '1')
    }
  })

  test('needs a caller, and both scopes of a token', async (t) => {
    const app = await startApp(t)
    const { account } = await app.addCaller('ann')
    const user = await app.withToken(account, ['read:user'])
    const organization = await app.withToken(account, ['read:organization'])
    const both = await app.withToken(account, ['read:user', 'read:organization'])

    for (const path of ['/user/orgs', '/users/ann/orgs']) {
      assertError(await app.get(undefined, path), 401, 'token is required')
      for (const half of [user, organization])
        assertError(await app.get(half, path), 403, /required=\[read:user read:organization\]/)
      assertStatus(await app.get(both, path), 200)
    }
  })
})

suite('GET /users/{username}/orgs', () => {
  test('shows others the shown memberships in organizations that they may see', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    for (const visibility of ['public', 'limited', 'private']) {
      await addOrganization(app, ann, `is-${visibility}`, { visibility })
      await app.put(ann, `/orgs/is-${visibility}/public_members/ann`)
    }
    await addOrganization(app, ann, 'concealed')
    const all = ['concealed', 'is-limited', 'is-private', 'is-public']

    const seen = await app.get(bob, '/users/ann/orgs')

    assert.deepEqual(names(seen.body), ['is-limited', 'is-public'])
    assert.equal(seen.headers['x-total-count'], '2')
    assert.deepEqual(names((await app.get(ann, '/users/ANN/orgs')).body), all)
    assert.deepEqual(names((await app.get(root, '/users/ann/orgs')).body), all)
  })

  test('finds only people whom the caller may see', async (t) => {
    const app = await startApp(t)
    const bob = await app.addCaller('bob')
    await app.addPerson('shy', { visibility: 'private' })

    assertError(await app.get(bob, '/users/shy/orgs'), 404, 'not found')
    assertError(await app.get(undefined, '/users/nobody/orgs'), 404)
  })
})

suite('GET /users/{username}/orgs/{org}/permissions', () => {
  const nothing = {
    is_owner: false,
    is_admin: false,
    can_write: false,
    can_read: false,
    can_create_repository: false,
  }
  const everything = {
    is_owner: true,
    is_admin: true,
    can_write: true,
    can_read: true,
    can_create_repository: true,
  }

  test('tells what an owner, an administrator and a stranger may do', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    const ask = async (name: string) =>
      (await app.get(root, `/users/${name}/orgs/acme/permissions`)).body

    assert.deepEqual(await ask('ann'), everything)
    assert.deepEqual(await ask(bob.name), nothing)
    assert.deepEqual(await ask('root'), nothing)
  })

  test('adds up the levels of the teams', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    const steps: readonly [object, object][] = [
      [{ permission: 'write', units: ['repo.code'] }, nothing],
      [
        { permission: 'read', units: [], can_create_org_repo: true },
        { ...nothing, can_read: true, can_create_repository: true },
      ],
      [
        { permission: 'write', units: [] },
        { ...nothing, can_read: true, can_write: true, can_create_repository: true },
      ],
      [{ permission: 'admin' }, { ...everything, is_owner: false }],
    ]

    for (const [index, [fields, expected]] of steps.entries()) {
      await addTeam(app, ann, 'acme', { name: `team${index}`, ...fields }, [bob])
      const { status, body } = await app.get(bob, '/users/bob/orgs/acme/permissions')
      assert.equal(status, 200)
      assert.deepEqual(body, expected)
    }
  })

  test('answers 404 where either of the two does not see the organization', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'hush', { visibility: 'private' })

    assertError(await app.get(bob, '/users/ann/orgs/hush/permissions'), 404, 'not found')
    assertError(await app.get(ann, '/users/bob/orgs/hush/permissions'), 404, 'not found')
    assertError(await app.get(ann, '/users/ann/orgs/nothing/permissions'), 404, 'not found')
    assertError(await app.get(ann, '/users/nobody/orgs/hush/permissions'), 404)
  })

  test('follows the new name of an organization', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    await app.post(ann, '/orgs/acme/rename', { new_name: 'apex' })

    const { status, headers } = await app.get(ann, '/users/ann/orgs/acme/permissions')

    assert.equal(status, 307)
    assert.equal(headers['location'], '/api/v1/users/ann/orgs/apex/permissions')
  })

  test('needs a caller', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')

    const answer = await app.get(undefined, '/users/ann/orgs/acme/permissions')

    assertError(answer, 401, 'token is required')
  })
})

suite('GET /user/teams', () => {
  test('lists the own teams with their organizations', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    const acme = await addOrganization(app, ann, 'acme')
    const other = await addOrganization(app, bob, 'other', { visibility: 'private' })
    const devs = await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])
    await addTeam(app, ann, 'acme', { name: 'docs' })

    const { body, headers } = await app.get(bob, '/user/teams')
    const page = await app.get(bob, '/user/teams?limit=1')

    const owners = await ownersOf(app, bob, 'other')
    assert.equal(headers['x-total-count'], '2')
    assert.partialDeepStrictEqual(body[0], {
      id: owners,
      name: 'Owners',
      permission: 'owner',
      organization: other,
    })
    assert.deepEqual(body[1], { ...devs, organization: acme })
    assert.equal(page.body.length, 1)
    assert.match(page.headers['link'] ?? '', /page=2>; rel="next"/)
  })

  test('is empty for somebody in no team', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const { status, body } = await app.get(ann, '/user/teams')

    assert.equal(status, 200)
    assert.deepEqual(body, [])
  })

  test('needs a caller whose token is not limited to what is public', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const outside = await app.withToken(ann.account, ['all', 'public-only'])
    const organization = await app.withToken(ann.account, ['write:organization'])

    assertError(await app.get(undefined, '/user/teams'), 401, 'token is required')
    assertError(await app.get(organization, '/user/teams'), 403, /required=\[read:user\]/)
    const refused = await app.get(outside, '/user/teams')
    assertError(refused, 403, 'this endpoint is not available for public-only tokens')
  })
})

suite('GET /admin/orgs', () => {
  test('lists all organizations by name', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'zoo')
    await addOrganization(app, ann, 'hush', { visibility: 'private' })

    const list = await app.get(root, '/admin/orgs')
    const page = await app.get(root, '/admin/orgs?limit=1&page=2')

    assert.deepEqual(names(list.body), ['hush', 'zoo'])
    assert.deepEqual(names(page.body), ['zoo'])
    assert.equal(page.headers['x-total-count'], '2')
  })

  test('is for administrators with the scope', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    const narrow = await app.withToken(root.account, ['write:organization', 'write:user'])

    for (const path of ['/admin/orgs', '/admin/users/ann/orgs']) {
      assertError(await app.get(undefined, path), 401, 'token is required')
      assertError(await app.get(ann, path), 403, 'user should be the site admin')
      assertError(await app.get(narrow, path), 403, /required=\[read:admin\]/)
    }
  })
})

suite('/admin/users/{username}/orgs', () => {
  test('GET lists all organizations of a person', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'hush', { visibility: 'private' })
    await addOrganization(app, root, 'other')

    const { body, headers } = await app.get(root, '/admin/users/ann/orgs')

    assert.deepEqual(names(body), ['hush'])
    assert.equal(headers['x-total-count'], '1')
    assertError(await app.get(root, '/admin/users/nobody/orgs'), 404)
  })

  test('POST makes an organization that the person owns, who may not create any', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await app.patch(root, '/admin/users/ann', { allow_create_organization: false })
    const body = { username: 'acme', full_name: 'Acme' }

    const made = await app.post(root, '/admin/users/ann/orgs', body)

    assert.equal(made.status, 201)
    assert.partialDeepStrictEqual(made.body, { name: 'acme', full_name: 'Acme' })
    assert.deepEqual((await app.get(ann, '/user/orgs')).body, [made.body])
    assert.deepEqual((await app.get(root, '/user/orgs')).body, [])
    assertStatus(await app.patch(ann, '/orgs/acme', {}), 200)
  })

  test('POST refuses what is not valid', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    const post = (name: string, body: unknown) => app.post(root, `/admin/users/${name}/orgs`, body)

    assertError(await post('ann', { username: 'ACME' }), 422, 'user already exists [name: ACME]')
    assertError(await post('ann', {}), 422, '[UserName]: Required')
    assertError(await post('nobody', 'nonsense'), 404)
    const ofOrganization = await post('acme', { username: 'other' })
    assertError(ofOrganization, 422, 'acme is an organization not a user')
    const byPerson = await app.post(ann, '/admin/users/ann/orgs', { username: 'other' })
    assertError(byPerson, 403, 'user should be the site admin')
  })
})
