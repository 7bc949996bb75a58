import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import { foldersOf, gitOf, withRepository } from './support.ts'

suite('PATCH /repos/{owner}/{repo}', () => {
  test('changes only the fields that are present', async (t) => {
    const { app, ann, edit, read } = await withRepository(t, { description: 'before' })
    const before = await read()
    app.passTime(3600)

    assertStatus(await edit({}), 200)
    assertStatus(
      await edit({ name: null, private: null, has_issues: null, projects_mode: null }),
      200,
    )
    assertStatus(await edit({ no_such_key: 1, NAME: 'x', trust_model: 'committer' }), 200)
    assertStatus(await app.patch(ann, '/repos/ann/r'), 200)
    assertStatus(await app.patch(ann, '/repos/ann/r', '{"description":"unread"}'), 200)
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
    assert.equal((await edit({ template: false })).body.template, false)
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
    const unreadable = [
      { private: 'yes', name: 'a b' },
      { description: 5 },
      { archived: 1 },
      { internal_tracker: 'on' },
      { external_tracker: [] },
      { external_wiki: { external_wiki_url: 5 } },
      { mirror_interval: 8 },
      [],
    ]
    for (const body of unreadable) assertError(await edit(body), 422, /^\[\]: /)
    const rules: [object, string][] = [
      [{ projects_mode: 'x', website: 'w'.repeat(1025) }, '[Website]: MaxSize'],
      [{ website: 'w'.repeat(1025), description: 'é'.repeat(2049) }, '[Description]: MaxSize'],
      [{ description: 'é'.repeat(2049), name: 'a b' }, '[Name]: AlphaDashDot'],
      [{ projects_mode: 'x' }, '[ProjectsMode]: In'],
      [{ has_projects: false, projects_mode: 'Repo' }, '[ProjectsMode]: In'],
    ]
    for (const [body, message] of rules) assertError(await edit(body), 422, message)
    assertStatus(await edit({ website: 'w'.repeat(1024), description: 'é'.repeat(2048) }), 200)
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
    assertStatus(await app.patch(ann, '/repos/ann/r', { name: 's' }), 200)
    assertStatus(await app.patch(ann, '/repos/ann/new.name', { name: 'R' }), 200)
    assert.equal((await app.get(ann, '/repos/ann/r')).body.id, body.id)
    assert.equal((await app.get(ann, '/repos/ann/s')).body.name, 's')
    assertStatus(await app.delete(ann, '/repos/ann/r'), 204)
    assertError(await app.get(ann, '/repos/ann/r'), 404)
  })

  test('refuses names as creation does, all with 422', async (t) => {
    const { app, ann, edit, read } = await withRepository(t)
    await app.post(ann, '/user/repos', { name: 'taken' })
    const cases: [string, string | RegExp][] = [
      ['TAKEN', 'repository already exists [uname: ann, name: taken]'],
      ['-', 'name is reserved [name: -]'],
      ['..', 'name is reserved [name: ..]'],
      ['x.Git', 'name pattern is not allowed [pattern: *.git]'],
      ['x.wiki', 'name pattern is not allowed [pattern: *.wiki]'],
      ['a..b', /^ChangeRepositoryName: name is invalid \[a\.\.b\]/],
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
    assert.equal((await edit({ name: 'r' })).body.name, 'r')
    assert.equal((await app.ctx.db.selectFrom('activity').selectAll().execute()).length, 1)
  })

  test('moves the default branch to one that exists, and HEAD with it', async (t) => {
    const { app, ann, edit } = await withRepository(t, { auto_init: true })
    gitOf(app, 'branch', 'dev', 'main')
    const [folder = ''] = foldersOf(app)
    const head = () => readFileSync(join(folder, 'HEAD'), 'utf8').trim()

    assert.equal((await edit({ default_branch: 'dev' })).body.default_branch, 'dev')

    assert.equal(head(), 'ref: refs/heads/dev')
    await app.post(ann, '/user/repos', { name: 'taken' })
    assertError(await edit({ name: 'taken', default_branch: 'main' }), 422, /already exists/)
    assert.equal(head(), 'ref: refs/heads/dev')
    for (const name of ['nothing', '', 'a b', '-x', 'refs/../x']) {
      assert.equal(
        (await edit({ default_branch: name, description: name })).body.default_branch,
        'dev',
      )
    }
  })

  test('leaves HEAD where the record says when several move the default branch at once', async (t) => {
    const { app, edit, read } = await withRepository(t, { auto_init: true })
    const branches = ['a', 'b', 'c', 'd']
    for (const branch of branches) gitOf(app, 'branch', branch, 'main')

    const answers = await Promise.all(
      [...branches, ...branches, ...branches].map((branch) => edit({ default_branch: branch })),
    )

    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const head = gitOf(app, 'symbolic-ref', '--short', 'HEAD').trim()
    assert.equal(head, (await read()).default_branch)
  })

  test('takes any branch name that git would for an empty repository', async (t) => {
    const { app, edit, read } = await withRepository(t)

    assert.equal((await edit({ default_branch: 'trunk' })).body.default_branch, 'trunk')
    assert.equal(gitOf(app, 'symbolic-ref', 'HEAD').trim(), 'refs/heads/trunk')
    for (const name of [
      'a b',
      '-b',
      'a/-b',
      'HEAD',
      'é'.repeat(126),
      'x/'.repeat(600),
      'refs/../x',
    ]) {
      const answer = await edit({ default_branch: name, name: 's', description: 'x' })
      assertError(answer, 422, '[DefaultBranch]: GitRefName')
    }
    assert.partialDeepStrictEqual(await read(), { name: 'r', description: '', empty: true })
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

  test('is answered as it took effect, whatever others write at the same moment', async (t) => {
    const { edit } = await withRepository(t)
    const edits = Array.from({ length: 50 }, (_, n) => ({
      description: `d${n}`,
      website: `https://example.org/${n}`,
      has_wiki: n % 2 === 0,
      archived: n % 3 === 0,
    }))

    const answers = await Promise.all(edits.map((fields) => edit(fields)))

    for (const [n, answer] of answers.entries()) {
      assertStatus(answer, 200)
      assert.partialDeepStrictEqual(answer.body, edits[n])
    }
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
