import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { addOrganization, addTeam, logins, names } from './setup.ts'

suite('POST /orgs', () => {
  test('makes an organization with everything that was asked for', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const wanted = {
      full_name: 'Acme Inc',
      email: 'Info@acme.example',
      description: 'things',
      website: 'http:\\\\acme.example',
      location: 'Here',
      visibility: 'limited',
      repo_admin_change_team_access: true,
    }

    const { status, body } = await app.post(ann, '/orgs', { username: 'Acme', ...wanted })

    assert.equal(status, 201)
    const hash = createHash('md5').update('info@acme.example').digest('hex')
    assert.deepEqual(body, {
      id: body.id,
      name: 'Acme',
      username: 'Acme',
      avatar_url: `http://codestead.test/avatars/${hash}`,
      ...wanted,
    })
    assert.deepEqual((await app.get(ann, '/orgs/acme')).body, body)
  })

  test('shows the record with its keys in the order of the contract', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const { body } = await app.post(ann, '/orgs', { username: 'acme' })

    assert.deepEqual(Object.keys(body as object), [
      'id',
      'name',
      'full_name',
      'email',
      'avatar_url',
      'description',
      'website',
      'location',
      'visibility',
      'repo_admin_change_team_access',
      'username',
    ])
    assert.partialDeepStrictEqual(body, { full_name: '', email: '', visibility: 'public' })
    assert.equal(body.repo_admin_change_team_access, false)
  })

  test('makes the caller an owner, by a team that has every right and is shown to members', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    await addOrganization(app, ann, 'acme')

    const { body: teams } = await app.get(ann, '/orgs/acme/teams')
    assert.equal(teams.length, 1)
    const [owners] = teams
    assert.partialDeepStrictEqual(owners, {
      name: 'Owners',
      permission: 'owner',
      organization: null,
      includes_all_repositories: true,
      can_create_org_repo: true,
      visibility: 'limited',
    })
    assert.equal(owners.units.length, 10)
    assert.deepEqual(new Set(Object.values(owners.units_map as object)), new Set(['owner']))
    assert.deepEqual(Object.keys(owners.units_map as object), owners.units)
    assert.deepEqual(logins((await app.get(ann, `/teams/${owners.id}/members`)).body), ['ann'])
    assert.deepEqual((await app.get(undefined, '/orgs/acme/public_members')).body, [])
  })

  test('gives new organizations the visibility that the server is configured for', async (t) => {
    const app = await startApp(t, { organizations: { default_visibility: 'private' } })
    const ann = await app.addCaller('ann')

    const org = await addOrganization(app, ann, 'acme')
    const open = await addOrganization(app, ann, 'open', { visibility: 'public' })

    assert.equal(org.visibility, 'private')
    assert.equal(open.visibility, 'public')
  })

  const refusals: readonly [string, object, string][] = [
    ['a name that an organization has', { username: 'TAKEN' }, 'user already exists [name: TAKEN]'],
    ['the name of a person', { username: 'ann' }, 'user already exists [name: ann]'],
    ['a reserved name', { username: 'user' }, 'name is reserved [name: user]'],
    ['a name with a blank', { username: 'two words' }, '[UserName]: invalid username'],
    ['a name of 41 characters', { username: 'x'.repeat(41) }, '[UserName]: MaxSize'],
    ['no name', {}, '[UserName]: Required'],
    ['an unknown visibility', { username: 'a', visibility: 'secret' }, '[Visibility]: In'],
    ['no web address', { username: 'a', website: 'nonsense' }, '[Website]: Url'],
    ['a long full name', { username: 'a', full_name: 'x'.repeat(101) }, '[FullName]: MaxSize'],
    ['a long text', { username: 'a', description: 'x'.repeat(256) }, '[Description]: MaxSize'],
    ['a long location', { username: 'a', location: 'x'.repeat(51) }, '[Location]: MaxSize'],
    ['no e-mail address', { username: 'a', email: 'x y' }, 'e-mail invalid [email: x y]'],
  ]
  for (const [what, body, message] of refusals) {
    test(`refuses ${what}, and makes nothing`, async (t) => {
      const app = await startApp(t)
      const ann = await app.addCaller('ann')
      await addOrganization(app, ann, 'taken')

      const answer = await app.post(ann, '/orgs', body)

      assertError(answer, 422, message)
      assert.deepEqual(names((await app.get(ann, '/user/orgs')).body), ['taken'])
    })
  }

  test('refuses a body of the wrong kind', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const answer = await app.post(ann, '/orgs', { username: 7 })

    assertError(answer, 422, /^\[\]: /)
  })

  test('is for callers who signed in and hold the scope', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', {}, ['read:organization', 'write:user'])

    assertError(await app.post(undefined, '/orgs', { username: 'acme' }), 401, 'token is required')
    assertError(await app.post(ann, '/orgs', { username: 'acme' }), 403, /required=\[write:org/)
  })

  test('is refused to accounts that may not create organizations, before the body is read', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await app.patch(root, '/admin/users/ann', { allow_create_organization: false })

    const answer = await app.post(ann, '/orgs', 'nonsense')

    assertError(answer, 403, 'not allowed to create organizations')
  })

  test('is for administrators only where the server says so', async (t) => {
    const app = await startApp(t, { organizations: { creation: false } })
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')

    assertError(await app.post(ann, '/orgs', { username: 'acme' }), 403)
    assertStatus(await app.post(root, '/orgs', { username: 'acme' }), 201)
  })

  test('ends the redirect of an old name', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const old = await addOrganization(app, ann, 'acme')
    await app.post(ann, '/orgs/acme/rename', { new_name: 'apex' })

    const made = await addOrganization(app, ann, 'acme')

    assert.notEqual(made.id, old.id)
    assert.equal((await app.get(ann, '/orgs/acme')).body.id, made.id)
  })
})

suite('GET /orgs', () => {
  test('lists by name what the caller may find, without private ones', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    for (const [name, visibility] of [
      ['zoo', 'public'],
      ['Bar', 'limited'],
      ['hush', 'private'],
      ['apple', 'public'],
    ] as const)
      await addOrganization(app, ann, name, { visibility })

    const found = async (who: typeof ann | undefined) => names((await app.get(who, '/orgs')).body)

    assert.deepEqual(await found(undefined), ['apple', 'zoo'])
    assert.deepEqual(await found(ann), ['apple', 'Bar', 'zoo'])
    assert.deepEqual(await found(root), ['apple', 'Bar', 'hush', 'zoo'])
  })

  test('shows restricted callers their own, and public-only tokens the public ones', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob', { isRestricted: true })
    const outside = await app.withToken(ann.account, ['all', 'public-only'])
    await addOrganization(app, ann, 'open')
    await addOrganization(app, ann, 'known', { visibility: 'limited' })
    await addTeam(app, ann, 'known', { name: 'devs' }, [bob])

    const restricted = await app.get(bob, '/orgs')
    const limited = await app.get(outside, '/orgs')

    assert.deepEqual(names(restricted.body), ['known'])
    assert.deepEqual(names(limited.body), ['open'])
    assert.equal(limited.headers['x-total-count'], '1')
  })

  test('is paged, with the total of what the caller may find', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    for (const name of ['a', 'b', 'c']) await addOrganization(app, ann, name)
    await addOrganization(app, ann, 'hush', { visibility: 'private' })

    const page = await app.get(undefined, '/orgs?limit=2&page=2')

    assert.deepEqual(names(page.body), ['c'])
    assert.equal(page.headers['x-total-count'], '3')
    assert.match(page.headers['link'] ?? '', /page=1>; rel="first",.*page=1>; rel="prev"$/)
    assert.deepEqual((await app.get(undefined, '/orgs?page=9')).body, [])
  })

  test('asks a token for the scope of organizations', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', {}, ['read:user'])

    assertError(await app.get(ann, '/orgs'), 403, /required=\[read:organization\]/)
  })
})

suite('GET /orgs/{org}', () => {
  test('is found by those who may see it', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const shy = await app.addCaller('shy', { isRestricted: true })
    const callers = [undefined, bob, shy, ann, root]
    const expected = {
      public: [200, 200, 200, 200, 200],
      limited: [404, 200, 404, 200, 200],
      private: [404, 404, 404, 200, 200],
    }

    for (const [visibility, statuses] of Object.entries(expected)) {
      await addOrganization(app, ann, `is-${visibility}`, { visibility })

      const answers = await Promise.all(
        callers.map((caller) => app.get(caller, `/orgs/is-${visibility}`)),
      )

      assert.deepEqual(
        answers.map(({ status }) => status),
        statuses,
        visibility,
      )
    }
  })

  test('answers 404 for an unknown name and for a person', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    assertError(await app.get(ann, '/orgs/nothing'), 404, 'not found')
    assertError(await app.get(ann, '/orgs/ann'), 404, 'not found')
  })

  test('shows the contact address to callers who signed in', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await addOrganization(app, ann, 'acme', { email: 'info@acme.example' })

    const anonymous = await app.get(undefined, '/orgs/ACME')
    const signedIn = await app.get(bob, '/orgs/ACME')

    assert.equal(anonymous.body.email, '')
    assert.equal(signedIn.body.email, 'info@acme.example')
  })

  test('is refused to a public-only token unless it is public', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const outside = await app.withToken(ann.account, ['all', 'public-only'])
    await addOrganization(app, ann, 'open')
    await addOrganization(app, ann, 'known', { visibility: 'limited' })

    const refused = await app.get(outside, '/orgs/known')

    assertError(refused, 403, 'token scope is limited to public orgs')
    assertStatus(await app.get(outside, '/orgs/open'), 200)
  })

  test('asks a token for its scope, also where there is no such organization', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', {}, ['read:user'])

    assertError(await app.get(ann, '/orgs/nothing'), 403, /required=\[read:organization\]/)
  })
})
