import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp, type TestAnswer } from '../../support/app.ts'
import { assertError } from '../../support/expect.ts'
import { addOrganization, addTeam, names, ownersOf } from './setup.ts'

suite('POST /orgs/{org}/teams', () => {
  test('makes a team that has the same level for each unit of a list', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const org = await addOrganization(app, ann, 'acme', { email: 'info@acme.example' })

    const { status, body } = await app.post(ann, '/orgs/acme/teams', {
      name: 'Devs',
      description: 'who write',
      permission: 'write',
      units: ['repo.issues', 'repo.code'],
    })

    assert.equal(status, 201)
    const expected = {
      id: body.id,
      name: 'Devs',
      description: 'who write',
      organization: org,
      includes_all_repositories: false,
      permission: 'none',
      units: ['repo.code', 'repo.issues'],
      units_map: { 'repo.code': 'write', 'repo.issues': 'write' },
      can_create_org_repo: false,
      visibility: 'private',
    }
    assert.deepEqual(body, expected)
    assert.deepEqual(Object.keys(body as object), Object.keys(expected))
    assert.deepEqual((await app.get(ann, `/teams/${body.id}`)).body, body)
  })

  test('makes a team with a level for each unit, and with everything else that was asked for', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    const wanted = {
      name: 'docs',
      units_map: { 'repo.code': 'read', 'repo.issues': 'write', 'repo.releases': 'none' },
      includes_all_repositories: true,
      can_create_org_repo: true,
      visibility: 'public',
    }

    const { body } = await app.post(ann, '/orgs/acme/teams', wanted)

    assert.partialDeepStrictEqual(body, { ...wanted, permission: 'none' })
    assert.deepEqual((await app.get(ann, `/teams/${body.id}`)).body, body)
  })

  test('takes a permission alone for all units', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')

    for (const permission of ['read', 'write', 'admin']) {
      const { status, body } = await app.post(ann, '/orgs/acme/teams', {
        name: permission,
        permission,
      })

      assert.equal(status, 201)
      assert.equal(body.permission, permission)
      assert.equal(body.units.length, 10)
      assert.deepEqual(new Set(Object.values(body.units_map as object)), new Set([permission]))
    }
  })

  test('accepts what py-gitea sends: units and units_map at once, and an unknown permission', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')

    const { status, body } = await app.post(ann, '/orgs/acme/teams', {
      name: 'testers',
      description: '',
      permission: 'write_nothing',
      can_create_org_repo: false,
      includes_all_repositories: false,
      units: ['repo.code', 'repo.wiki'],
      units_map: { 'repo.code': 'none', 'repo.wiki': 'none', 'repo.pulls': 'none' },
    })

    assert.equal(status, 201)
    assert.equal(body.permission, 'none')
    assert.deepEqual(body.units_map, {
      'repo.code': 'none',
      'repo.wiki': 'none',
      'repo.pulls': 'none',
    })
  })

  test('makes nobody an owner', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')

    await addTeam(app, ann, 'acme', { name: 'chiefs', permission: 'owner' }, [bob])

    const rights = await app.get(bob, '/users/bob/orgs/acme/permissions')
    assert.equal(rights.body.is_owner, false)
    assertError(await app.delete(bob, '/orgs/acme'), 403)
  })

  const refusals: readonly [string, object, number, string | RegExp][] = [
    ['a name in use', { name: 'DEVS' }, 422, /^team already exists \[org_id: \d+, name: devs\]$/],
    ['the name of the owners', { name: 'owners' }, 422, /^team already exists/],
    ['a reserved name', { name: 'New' }, 422, 'name is reserved [name: New]'],
    ['no name', { name: '' }, 422, '[Name]: Required'],
    ['a name with a blank', { name: 'two words' }, 422, '[Name]: AlphaDashDot'],
    ['a name with a slash', { name: 'a/b' }, 422, '[Name]: AlphaDashDot'],
    ['a long name', { name: 'x'.repeat(256) }, 422, '[Name]: MaxSize'],
    ['a long description', { description: 'x'.repeat(256) }, 422, '[Description]: MaxSize'],
    ['an unknown visibility', { visibility: 'odd' }, 422, '[Visibility]: In'],
    ['a level that is no text', { units_map: { 'repo.code': 1 } }, 422, /^\[\]: /],
    ['units that are no list', { units: 'repo.code' }, 422, /^\[\]: /],
    [
      'neither a permission nor units',
      { permission: '', units: [], units_map: {} },
      400,
      'permission or units are required',
    ],
  ]
  for (const [what, fields, status, message] of refusals) {
    test(`refuses ${what}, and makes nothing`, async (t) => {
      const app = await startApp(t)
      const ann = await app.addCaller('ann')
      await addOrganization(app, ann, 'acme')
      await addTeam(app, ann, 'acme', { name: 'devs' })
      const body = { name: 'other', permission: 'read', units: ['repo.code'], ...fields }

      const answer = await app.post(ann, '/orgs/acme/teams', body)

      assertError(answer, status, message)
      assert.deepEqual(names((await app.get(ann, '/orgs/acme/teams')).body), ['Owners', 'devs'])
    })
  }

  test('takes the same name in another organization', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    await addOrganization(app, ann, 'other')
    await addTeam(app, ann, 'acme', { name: 'devs' })

    const team = await addTeam(app, ann, 'other', { name: 'devs' })

    assert.equal(team.organization.name, 'other')
  })

  test('is for owners and administrators, told before the body is read', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])
    const path = '/orgs/acme/teams'

    assertError(await app.post(undefined, path, 'nonsense'), 401, 'token is required')
    assertError(await app.post(bob, path, 'nonsense'), 403, 'Must be an organization owner')
    assertError(await app.post(ann, '/orgs/nothing/teams', 'nonsense'), 404, 'not found')
    await addTeam(app, root, 'acme', { name: 'docs' })
  })
})

suite('GET /orgs/{org}/teams', () => {
  test('lists the owners first, then by name', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    for (const name of ['zoo', 'Bar', 'apple']) await addTeam(app, ann, 'acme', { name })

    const list = await app.get(ann, '/orgs/acme/teams')
    const page = await app.get(ann, '/orgs/acme/teams?limit=3&page=2')

    assert.deepEqual(names(list.body), ['Owners', 'apple', 'Bar', 'zoo'])
    assert.ok(list.body.every(({ organization }: TestAnswer['body']) => organization === null))
    assert.deepEqual(list.body[1].units_map, { 'repo.code': 'read' })
    assert.deepEqual(names(page.body), ['zoo'])
    assert.equal(page.headers['x-total-count'], '4')
    assert.match(page.headers['link'] ?? '', /rel="first",.*rel="prev"$/)
  })

  test('shows members what is shown to members, and their own teams', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs' }, [bob])
    await addTeam(app, ann, 'acme', { name: 'hush' })
    await addTeam(app, ann, 'acme', { name: 'known', visibility: 'limited' })
    await addTeam(app, ann, 'acme', { name: 'open', visibility: 'public' })

    const all = ['Owners', 'devs', 'hush', 'known', 'open']
    const some = ['Owners', 'devs', 'known', 'open']

    for (const [caller, expected] of [
      [ann, all],
      [root, all],
      [bob, some],
    ] as const) {
      const list = await app.get(caller, '/orgs/acme/teams')
      const found = await app.get(caller, '/orgs/acme/teams/search')
      assert.deepEqual(names(list.body), expected)
      assert.equal(list.headers['x-total-count'], String(expected.length))
      assert.deepEqual(names(found.body.data), expected)
    }
  })

  test('is for members, like the search', async (t) => {
    const app = await startApp(t)
    const [ann, eve] = [await app.addCaller('ann'), await app.addCaller('eve')]
    await addOrganization(app, ann, 'acme')
    await addOrganization(app, ann, 'hush', { visibility: 'private' })

    for (const end of ['teams', 'teams/search']) {
      assertError(await app.get(undefined, `/orgs/acme/${end}`), 401, 'token is required')
      assertError(await app.get(eve, `/orgs/acme/${end}`), 403, 'Must be an organization member')
      assertError(await app.get(eve, `/orgs/hush/${end}`), 404, 'not found')
    }
  })
})

suite('GET /orgs/{org}/teams/search', () => {
  test('looks in names and, unless told not to, in descriptions', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'devs', description: 'all Programmers, 100% Élan' })
    await addTeam(app, ann, 'acme', { name: 'docs' })
    const cases: readonly [string, readonly string[]][] = [
      ['', ['Owners', 'devs', 'docs']],
      ['q=D', ['devs', 'docs']],
      ['q=pROGRAM', ['devs']],
      ['q=program&include_desc=false', []],
      ['q=program&include_desc=', ['devs']],
      [`q=${encodeURIComponent('Élan')}`, ['devs']],
      ['q=%25', ['devs']],
      ['q=_', []],
      ['q=nothing', []],
    ]

    for (const [query, expected] of cases) {
      const { status, body, headers } = await app.get(ann, `/orgs/acme/teams/search?${query}`)

      assert.equal(status, 200)
      assert.equal(body.ok, true)
      assert.deepEqual(names(body.data), expected, query)
      assert.equal(headers['x-total-count'], String(expected.length))
    }
  })
})

suite('GET /teams/{id}', () => {
  test('is read by its members, owners, administrators, and whom its visibility admits', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    const [cat, eve] = [await app.addCaller('cat'), await app.addCaller('eve')]
    await addOrganization(app, ann, 'acme')
    await addTeam(app, ann, 'acme', { name: 'docs' }, [cat])
    const callers = [ann, root, bob, cat, eve, undefined]
    const expected = {
      private: [200, 200, 200, 403, 404, 401],
      limited: [200, 200, 200, 200, 404, 401],
      public: [200, 200, 200, 200, 200, 401],
    }

    for (const [visibility, statuses] of Object.entries(expected)) {
      const { id } = await addTeam(app, ann, 'acme', { name: visibility, visibility }, [bob])
      const answers = await Promise.all(callers.map((caller) => app.get(caller, `/teams/${id}`)))

      assert.deepEqual(
        answers.map(({ status }) => status),
        statuses,
        visibility,
      )
    }
  })

  test('says what is missing', async (t) => {
    const app = await startApp(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await addOrganization(app, ann, 'acme')
    const { id } = await addTeam(app, ann, 'acme', { name: 'devs' })
    await addTeam(app, ann, 'acme', { name: 'docs' }, [bob])

    assertError(await app.get(bob, `/teams/${id}`), 403, 'Must be a team member')
    assertError(await app.get(undefined, `/teams/${id}`), 401, 'token is required')
    for (const none of ['0', '-1', 'devs', '999999999', '99999999999999999999']) {
      assertError(await app.get(ann, `/teams/${none}`), 404, 'not found')
    }
  })

  test('is hidden with its organization, and from public-only tokens unless that is public', async (t) => {
    const app = await startApp(t)
    const [ann, eve] = [await app.addCaller('ann'), await app.addCaller('eve')]
    const outside = await app.withToken(ann.account, ['all', 'public-only'])
    await addOrganization(app, ann, 'hush', { visibility: 'private' })
    const { id } = await addTeam(app, ann, 'hush', { name: 'open', visibility: 'public' })

    assertError(await app.get(eve, `/teams/${id}`), 404, 'not found')
    assertError(await app.get(undefined, `/teams/${id}`), 404, 'not found')
    assertError(
      await app.get(outside, `/teams/${id}`),
      403,
      'token scope is limited to public orgs',
    )
  })

  test('asks a token for the scope of organizations', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const user = await app.withToken(ann.account, ['write:user'])
    await addOrganization(app, ann, 'acme')
    const owners = await ownersOf(app, ann, 'acme')

    assertError(await app.get(user, `/teams/${owners}`), 403, /required=\[read:organization\]/)
  })
})
