import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../support/expect.ts'
import { gitOf, withRepository } from './support.ts'

suite('PATCH /repos/{owner}/{repo}', () => {
  test('changes only the fields that are present', async (t) => {
    const { edit, read } = await withRepository(t, { description: 'before' })
    const before = await read()

    assertStatus(await edit({}), 200)
    assertStatus(
      await edit({ name: null, private: null, has_issues: null, projects_mode: null }),
      200,
    )
    assert.deepEqual(await read(), before)
    const { status, body } = await edit({
      description: 'new',
      website: 'not an address',
      template: true,
    })

    assert.equal(status, 200)
    assert.deepEqual(body, {
      ...before,
      description: 'new',
      website: 'not an address',
      template: true,
    })
    assert.deepEqual(await read(), body)
  })

  test('is for administrators of the repository', async (t) => {
    const { app, ann, edit } = await withRepository(t)
    const bob = await app.addCaller('bob')
    const message = 'user should be an owner or a collaborator with admin write of a repository'
    const byBob = () => app.patch(bob, '/repos/ann/r', { description: 'x' })

    assertError(await app.patch(undefined, '/repos/ann/r', {}), 401, 'token is required')
    assertError(await byBob(), 403, message)
    for (const [permission, status] of [
      ['write', 403],
      ['admin', 200],
    ] as const) {
      await app.put(ann, '/repos/ann/r/collaborators/bob', { permission })
      assertStatus(await byBob(), status)
    }
    await app.delete(ann, '/repos/ann/r/collaborators/bob')
    await edit({ private: true })
    assertError(await byBob(), 404, 'not found')
    assertError(await app.patch(undefined, '/repos/ann/r', {}), 404, 'not found')
    assertStatus(await app.patch(await app.addAdmin(), '/repos/ann/r', {}), 200)
  })

  test('checks the body after the permission', async (t) => {
    const { app, edit } = await withRepository(t)
    const bob = await app.addCaller('bob')

    assertError(await app.patch(bob, '/repos/ann/r', { private: 'yes' }), 403)
    assertError(await edit({ private: 'yes' }), 422, /^\[\]: /)
    assertError(await edit({ projects_mode: 'x' }), 422, '[ProjectsMode]: In')
    assertError(await edit({ website: 'w'.repeat(1025) }), 422, '[Website]: MaxSize')
  })

  test('renames: the old name leads on, and it is recorded', async (t) => {
    const { app, ann, edit } = await withRepository(t)

    const { body } = await edit({ name: 'new.name' })

    assert.partialDeepStrictEqual(body, {
      name: 'new.name',
      clone_url: 'http://codestead.test/ann/new.name.git',
    })
    assert.equal(
      (await app.get(ann, '/repos/ann/r')).headers['location'],
      '/api/v1/repos/ann/new.name',
    )
    const rows = await app.ctx.db
      .selectFrom('activity')
      .select(['kind', 'content'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map(({ kind, content }) => [kind, content]),
      [
        ['create_repo', ''],
        ['rename_repo', 'r'],
      ],
    )
    assertStatus(await app.post(ann, '/user/repos', { name: 'r' }), 201)
    assertStatus(await app.get(ann, '/repos/ann/r'), 200)
  })

  test('refuses names as creation does, all with 422', async (t) => {
    const { app, ann, edit, read } = await withRepository(t)
    await app.post(ann, '/user/repos', { name: 'taken' })
    const cases: [string, string | RegExp][] = [
      ['TAKEN', 'repository already exists [uname: ann, name: taken]'],
      ['-', 'name is reserved [name: -]'],
      ['x.wiki', 'name pattern is not allowed [pattern: *.wiki]'],
      ['a..b', /^ChangeRepositoryName: /],
      ['', /^ChangeRepositoryName: /],
      ['a b', '[Name]: AlphaDashDot'],
      ['n'.repeat(101), '[Name]: MaxSize'],
    ]

    for (const [name, message] of cases)
      assertError(await edit({ name, description: 'x' }), 422, message)
    assert.partialDeepStrictEqual(await read(), { name: 'r', description: '' })
  })

  test('stores another spelling without a redirect or a record of it', async (t) => {
    const { app, ann, edit } = await withRepository(t)

    assert.equal((await edit({ name: 'R' })).body.name, 'R')

    assert.equal((await app.get(ann, '/repos/ann/r')).body.name, 'R')
    assert.equal((await app.ctx.db.selectFrom('activity').selectAll().execute()).length, 1)
  })

  test('made private, loses stars and watches, and its past is hidden for good', async (t) => {
    const { app, ann, edit } = await withRepository(t)
    const bob = await app.addCaller('bob')
    await app.put(bob, '/user/starred/ann/r')
    await app.put(bob, '/repos/ann/r/subscription')
    const hidden = async () =>
      (await app.ctx.db.selectFrom('activity').select('is_private').execute()).map(
        (row) => row.is_private,
      )

    assert.partialDeepStrictEqual((await edit({ private: true })).body, {
      private: true,
      stars_count: 0,
      watchers_count: 0,
    })

    assert.equal((await app.get(bob, '/user')).body.starred_repos_count, 0)
    assert.deepEqual((await app.get(bob, '/user/starred')).body, [])
    await app.put(ann, '/repos/ann/r/subscription')
    for (const isPrivate of [true, false])
      assert.equal((await edit({ private: isPrivate })).body.watchers_count, 1)
    assert.deepEqual(await hidden(), [1])
    assertStatus(await app.get(undefined, '/repos/ann/r'), 200)
    assertStatus(await app.get(ann, '/repos/ann/r'), 200)
  })

  test('forks follow their base, at every distance, and cannot do otherwise', async (t) => {
    const { app, edit } = await withRepository(t, { auto_init: true })
    const bob = await app.addCaller('bob')
    const cat = await app.addCaller('cat')
    await app.post(bob, '/repos/ann/r/forks', {})
    await app.post(cat, '/repos/bob/r/forks', {})

    const kept = await app.patch(bob, '/repos/bob/r', { private: true, description: 'mine' })
    assert.partialDeepStrictEqual(kept.body, { private: false, description: 'mine' })
    await edit({ private: true })

    assert.equal((await app.get(bob, '/repos/bob/r')).body.private, true)
    assert.equal((await app.get(cat, '/repos/cat/r')).body.private, true)
    assert.equal((await app.get(cat, '/repos/cat/r')).body.parent, undefined)
    await edit({ private: false })
    assert.equal((await app.get(cat, '/repos/cat/r')).body.private, false)
  })

  test('forks of what a private owner publishes stay private', async (t) => {
    const { app, ann } = await withRepository(t)
    const bob = await app.addCaller('bob')
    const cat = await app.addCaller('cat')
    await app.post(ann, '/orgs', { username: 'hush', visibility: 'private' })
    const team = { name: 'all', includes_all_repositories: true, permission: 'read' }
    const made = await app.post(ann, '/orgs/hush/teams', { ...team, units: ['repo.code'] })
    await app.put(ann, `/teams/${made.body.id}/members/bob`)
    await app.post(ann, '/orgs/hush/repos', { name: 'r', private: true, auto_init: true })
    assertStatus(await app.post(bob, '/repos/hush/r/forks', {}), 202)
    await app.put(bob, '/repos/bob/r/collaborators/cat', { permission: 'read' })
    assertStatus(await app.post(cat, '/repos/bob/r/forks', {}), 202)

    const published = await app.patch(ann, '/repos/hush/r', { private: false })

    assert.partialDeepStrictEqual(published.body, { private: false, internal: true })
    assert.equal((await app.get(bob, '/repos/bob/r')).body.private, true)
    assert.equal((await app.get(cat, '/repos/cat/r')).body.private, true)
  })

  test('publishing can be left to administrators', async (t) => {
    const { app, edit } = await withRepository(t, {}, { repositories: { force_private: true } })
    const root = await app.addAdmin()

    assertError(await edit({ private: false }), 422, 'cannot change private repository to public')
    assert.equal((await app.patch(root, '/repos/ann/r', { private: false })).body.private, false)
  })

  test('moves the default branch to one that exists, and HEAD with it', async (t) => {
    const { app, edit } = await withRepository(t, { auto_init: true })
    gitOf(app, 'branch', 'dev', 'main')

    assert.equal((await edit({ default_branch: 'dev' })).body.default_branch, 'dev')

    assert.equal(gitOf(app, 'symbolic-ref', 'HEAD').trim(), 'refs/heads/dev')
    for (const name of ['nothing', 'a b', '-x', 'refs/../x']) {
      assert.equal(
        (await edit({ default_branch: name, description: name })).body.default_branch,
        'dev',
      )
    }
  })

  test('takes any branch name that git would for an empty repository', async (t) => {
    const { edit } = await withRepository(t)

    assert.equal((await edit({ default_branch: 'trunk' })).body.default_branch, 'trunk')
    for (const name of [
      'a b',
      '-b',
      'a/-b',
      'HEAD',
      'é'.repeat(126),
      'x/'.repeat(600),
      'refs/../x',
    ]) {
      assertError(await edit({ default_branch: name }), 422, '[DefaultBranch]: GitRefName')
    }
  })

  test('archives and back, and can still be edited', async (t) => {
    const { app, edit } = await withRepository(t)

    const archived = (await edit({ archived: true })).body

    assert.equal(archived.archived, true)
    assert.notEqual(archived.archived_at, '1970-01-01T00:00:00Z')
    app.passTime(60)
    assert.partialDeepStrictEqual((await edit({ description: 'x' })).body, {
      description: 'x',
      archived: true,
      archived_at: archived.archived_at,
    })
    assert.notEqual((await edit({ archived: true })).body.archived_at, archived.archived_at)
    assert.partialDeepStrictEqual((await edit({ archived: false })).body, {
      archived: false,
      archived_at: '1970-01-01T00:00:00Z',
    })
  })

  test('keeps all of fifty edits of different fields at once', async (t) => {
    const { edit, read } = await withRepository(t)
    const edits = [
      { description: 'd' },
      { website: 'w' },
      { template: true },
      { has_wiki: false, allow_squash_merge: false },
      { allow_rebase: false },
    ]

    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => edit(edits[index % 5] ?? {})),
    )

    for (const answer of answers) assertStatus(answer, 200)
    assert.partialDeepStrictEqual(await read(), {
      description: 'd',
      website: 'w',
      template: true,
      has_wiki: false,
      allow_squash_merge: false,
      allow_rebase: false,
    })
  })

  test('keeps the groups before one that is refused, and nothing of that one', async (t) => {
    const { edit, read } = await withRepository(t)

    const answer = await edit({
      description: 'kept',
      has_wiki: false,
      has_issues: true,
      external_tracker: { external_tracker_url: 'nowhere' },
      archived: true,
    })

    assertError(answer, 422, 'External tracker URL not valid')
    assert.partialDeepStrictEqual(await read(), {
      description: 'kept',
      has_wiki: true,
      archived: false,
    })
  })
})
