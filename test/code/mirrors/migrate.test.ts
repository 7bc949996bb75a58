import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { migrateRepository } from '../../../src/code/mirrors/migrate.ts'
import { Outside } from '../../../src/platform/network/outside.ts'
import { PASSWORD, startApp, type TestAnswer } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import {
  addFile,
  foldersOf,
  listenAndRedirect,
  listenSilently,
  refsOf,
  startMirrorHost,
} from './support.ts'

suite('POST /repos/migrate', () => {
  test('copies everything that git carries, and answers when it is there', async (t) => {
    const { host, app, ann, bob, address } = await startMirrorHost(t)
    const source = await host.folderOf('ann/source')
    const git = (...parameters: string[]) => host.client.git(['--git-dir', source, ...parameters])
    await git('branch', '-m', 'main', 'trunk')
    await git('symbolic-ref', 'HEAD', 'refs/heads/trunk')
    for (const ref of [
      'refs/heads/-odd',
      'refs/heads/dev',
      'refs/tags/v1',
      'refs/notes/x',
      'refs/pull/1/head',
    ]) {
      await git('update-ref', ref, 'refs/heads/trunk')
    }

    const made = await app.post(bob, '/repos/migrate', {
      clone_addr: address,
      repo_name: 'copy',
      description: 'a copy',
      service: 'github',
      issues: true,
      wiki: true,
      lfs: true,
    })

    assertStatus(made, 201)
    assert.partialDeepStrictEqual(made.body, {
      full_name: 'bob/copy',
      description: 'a copy',
      private: false,
      mirror: false,
      empty: false,
      default_branch: 'trunk',
      branch_count: 2,
      original_url: address,
      mirror_interval: '',
      mirror_updated: '0001-01-01T00:00:00Z',
      permissions: { admin: true },
      has_pull_requests: true,
    })
    assert.equal(made.body.mirror_status, undefined)
    // No push may make -odd.
    assert.deepEqual(await refsOf(host, 'bob/copy'), [
      'refs/heads/dev',
      'refs/heads/trunk',
      'refs/notes/x',
      'refs/tags/v1',
    ])
    await host.assertSound('bob/copy')
    await app.ctx.jobs.runDue()
    const feed = await app.get(bob, '/repos/bob/copy/activities/feeds')
    assert.deepEqual(
      feed.body.map(({ op_type }: { op_type: string }) => op_type),
      ['create_repo'],
    )
    await addFile(app, bob, '/repos/bob/copy/contents/a.txt')
    assertStatus(await app.get(ann, '/repos/bob/copy/contents/README.md'), 200)
  })

  test('takes over an empty repository, and one of the other object format', async (t) => {
    const { host, app, ann, bob } = await startMirrorHost(t)
    await app.post(ann, '/user/repos', { name: 'empty' })
    await app.post(ann, '/user/repos', {
      name: 'long',
      object_format_name: 'sha256',
      auto_init: true,
    })

    const empty = await app.post(bob, '/repos/migrate', {
      clone_addr: host.url('ann/empty.git'),
      repo_name: 'empty',
    })
    const long = await app.post(bob, '/repos/migrate', {
      clone_addr: host.url('ann/long.git'),
      repo_name: 'long',
    })

    assert.partialDeepStrictEqual(empty.body, {
      empty: true,
      branch_count: 0,
      default_branch: 'main',
    })
    assert.partialDeepStrictEqual(long.body, { empty: false, object_format_name: 'sha256' })
    await host.assertSound('bob/long')
  })

  test('is done for whom the caller may do it', async (t) => {
    const { app, ann, bob, address } = await startMirrorHost(t)
    const root = await app.addAdmin()
    await app.post(bob, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs', { username: 'hidden', visibility: 'private' })
    const migrate = (who: typeof bob, repo_name: string, owner: object) =>
      app.post(who, '/repos/migrate', { clone_addr: address, repo_name, ...owner })

    const byId = await migrate(bob, 'a', { uid: bob.id, service: null, mirror_interval: null })
    const byName = await migrate(bob, 'n', { uid: 9999, repo_owner: 'bob', service: '7' })
    const inOrganization = await migrate(bob, 'b', { repo_owner: 'ACME' })
    const byAdmin = await migrate(root, 'c', { repo_owner: 'ann' })

    assert.equal(byId.body.full_name, 'bob/a')
    assert.equal(byName.body.full_name, 'bob/n')
    assert.equal(inOrganization.body.full_name, 'acme/b')
    assert.equal(byAdmin.body.full_name, 'ann/c')
    assertError(
      await migrate(bob, 'd', { repo_owner: 'ann' }),
      403,
      'Given user is not an organization.',
    )
    assertError(
      await migrate(ann, 'd', { repo_owner: 'acme' }),
      403,
      'Given user is not owner of organization.',
    )
    const unknown = /^user does not exist \[uid: \d+, name: \w*\]$/
    for (const owner of [{ repo_owner: 'nobody' }, { uid: 9999 }, { repo_owner: 'hidden' }]) {
      assertError(await migrate(bob, 'd', owner), 422, unknown)
    }
    assertError(await app.post(undefined, '/repos/migrate', {}), 401, 'token is required')
  })

  test('makes nothing for who loses the right to it meanwhile', async (t) => {
    const { app, ann, bob, address } = await startMirrorHost(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    const { body: teams } = await app.get(ann, '/orgs/acme/teams')
    const membership = `/teams/${teams[0].id}/members/bob`
    const { git } = app.ctx
    const start = git.start.bind(git)
    const cases: [() => Promise<TestAnswer>, number, string][] = [
      [() => app.delete(ann, membership), 403, 'Given user is not owner of organization.'],
      [() => app.delete(bob, '/token'), 401, 'token is required'],
    ]

    for (const [loseIt, status, message] of cases) {
      await app.put(ann, membership)
      const mocked = t.mock.method(git, 'start', async (...given: Parameters<typeof start>) => {
        if (given[1].includes('fetch')) {
          mocked.mock.restore()
          assertStatus(await loseIt(), 204)
        }
        return start(...given)
      })
      const wanted = { clone_addr: address, repo_name: 'late', repo_owner: 'acme' }
      assertError(await app.post(bob, '/repos/migrate', wanted), status, message)
      assertStatus(await app.get(ann, '/repos/acme/late'), 404)
      assert.equal(foldersOf(app), 1)
    }
  })

  test('refuses what it cannot do, and leaves nothing behind', async (t) => {
    const { host, app, bob, address } = await startMirrorHost(t)
    await app.post(bob, '/user/repos', { name: 'taken' })
    const before = foldersOf(app)
    const good = { clone_addr: address, repo_name: 'x' }
    const cases: [object, number, string | RegExp][] = [
      [{ repo_name: 'x' }, 422, '[CloneAddr]: Required'],
      [{ clone_addr: address }, 422, '[RepoName]: Required'],
      [{ ...good, repo_name: 'a b' }, 422, '[RepoName]: AlphaDashDot'],
      [{ ...good, repo_name: 'x'.repeat(101) }, 422, '[RepoName]: MaxSize'],
      [{ ...good, description: 'x'.repeat(2049) }, 422, '[Description]: MaxSize'],
      [{ ...good, repo_name: 'x.git' }, 422, 'name pattern is not allowed [pattern: *.git]'],
      [{ ...good, repo_name: '-' }, 422, 'name is reserved [name: -]'],
      [{ ...good, repo_name: 'TAKEN' }, 409, 'The repository with the same name already exists.'],
      [{ ...good, clone_addr: '/etc' }, 422, 'You are not allowed to import local repositories.'],
      [{ ...good, clone_addr: 'ext::sh -c id' }, 422, 'The provided URL is invalid.'],
      [
        { ...good, clone_addr: 'http://169.254.169.254/x' },
        422,
        'You can not import from disallowed hosts.',
      ],
      [{ ...good, auth_password: 'a\nb' }, 422, 'The provided URL is invalid.'],
      [{ ...good, mirror: true, mirror_interval: 'often' }, 422, 'time: invalid duration "often"'],
      [{ ...good, mirror_interval: '5m' }, 422, /^invalid mirror interval: 5m0s is below minimum/],
      [
        { ...good, clone_addr: host.url('ann/none.git') },
        422,
        /^Authentication failed: fatal: could not read Username/,
      ],
      [{ ...good, clone_addr: host.url('api/v1/version') }, 422, /^Migration failed: fatal: /],
    ]

    for (const [body, status, message] of cases) {
      assertError(await app.post(bob, '/repos/migrate', body), status, message)
    }

    assertStatus(await app.get(bob, '/repos/bob/x'), 404)
    assert.equal(foldersOf(app), before)
  })

  test('gives a name once, however many ask for it at the same time', async (t) => {
    const { app, bob, address } = await startMirrorHost(t)

    const answers = await Promise.all(
      [1, 2, 3].map(() =>
        app.post(bob, '/repos/migrate', { clone_addr: address, repo_name: 'copy' }),
      ),
    )

    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 409, 409],
    )
    assert.equal(foldersOf(app), 2)
  })

  test('signs in where it is asked to, and tells nobody how', async (t) => {
    const { host, app, ann, bob } = await startMirrorHost(t)
    await app.post(ann, '/user/repos', { name: 'private', private: true, auto_init: true })
    const clone_addr = host.url('ann/private.git')
    const { body: token } = await app.post(app.withPassword(ann.account), '/users/ann/tokens', {
      name: 't',
      scopes: ['read:repository'],
    })
    const ways = [
      { clone_addr, auth_username: 'ann', auth_password: PASSWORD },
      { clone_addr, auth_token: token.sha1 },
      { clone_addr: host.urlFor('ann', 'ann/private.git') },
      { clone_addr: host.url('ann/source.git', 'someone:hunter2-wrong') },
    ]

    for (const [index, way] of ways.entries()) {
      const made = await app.post(bob, '/repos/migrate', {
        ...way,
        mirror: true,
        repo_name: `m${index}`,
      })
      assertStatus(made, 201)
      const shown = made.text + (await app.get(bob, `/repos/bob/m${index}`)).text
      for (const secret of [PASSWORD, token.sha1, 'hunter2']) assert.ok(!shown.includes(secret))
    }
    const wrong = await app.post(bob, '/repos/migrate', {
      clone_addr,
      repo_name: 'x',
      auth_username: 'ann',
      auth_password: 'hunter2-wrong',
    })
    assertError(wrong, 422, /^Authentication failed: /)
    assert.ok(!wrong.text.includes('hunter2'))
    const kept = JSON.stringify(await app.ctx.db.selectFrom('mirror').selectAll().execute())
    for (const secret of [PASSWORD, token.sha1, 'hunter2']) assert.ok(!kept.includes(secret))
  })

  test('goes where no redirect leads, and not where a name leads inside', async (t) => {
    const { app, bob, address } = await startMirrorHost(t)
    const silent = await listenSilently(t)
    const astray = await listenAndRedirect(t, address)
    const outside = new Outside((await startApp(t)).ctx.config, async () => [
      { address: '127.0.0.1', family: 4 },
    ])

    const redirected = await app.post(bob, '/repos/migrate', { clone_addr: astray, repo_name: 'x' })
    const caller = {
      account: bob.account,
      credential: { kind: 'none' },
      publicOnly: false,
    } as const
    const inside = migrateRepository(
      { ...app.ctx, outside },
      caller,
      bob.account,
      {
        address: `http://name.example:${silent.port}/x.git`,
        credentials: {},
        name: 'x',
        description: '',
        isPrivate: false,
        isMirror: false,
        interval: '',
        hasWiki: false,
        hasLfs: false,
        lfsEndpoint: '',
      },
      new AbortController().signal,
    )

    assertError(redirected, 422, /^Migration failed: /)
    await assert.rejects(inside, { message: 'You can not import from disallowed hosts.' })
    assert.equal(silent.sockets.length, 0)
  })

  test('connects by a name to the address that was checked', async (t) => {
    const { app, bob, address } = await startMirrorHost(t)
    const { port } = new URL(address)
    const outside = new Outside(app.ctx.config, async () => [{ address: '127.0.0.1', family: 4 }])
    const caller = {
      account: bob.account,
      credential: { kind: 'none' },
      publicOnly: false,
    } as const

    const repo = await migrateRepository(
      { ...app.ctx, outside },
      caller,
      bob.account,
      {
        address: `http://nowhere.invalid:${port}/ann/source.git`,
        credentials: {},
        name: 'copy',
        description: '',
        isPrivate: false,
        isMirror: false,
        interval: '',
        hasWiki: false,
        hasLfs: false,
        lfsEndpoint: '',
      },
      new AbortController().signal,
    )

    assert.equal(repo.isEmpty, false)
  })

  test('reaches nothing inside unless the server is told so', async (t) => {
    const silent = await listenSilently(t)
    const { app, bob } = await startMirrorHost(t, { network: {} })
    const hosts = [
      '127.0.0.1',
      'localhost',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
      '①②⑦.0.0.1',
    ]

    for (const host of hosts) {
      const clone_addr = `http://${host}:${silent.port}/x.git`
      const answer = await app.post(bob, '/repos/migrate', { clone_addr, repo_name: 'x' })
      assertError(answer, 422, 'You can not import from disallowed hosts.')
    }
    assert.equal(silent.sockets.length, 0)
  })

  test('ends in time, and when nobody waits for it any more', async (t) => {
    const { host, app, bob } = await startMirrorHost(t, {
      network: { allow_private: true },
      mirror: { time_limit: '1s' },
    })
    const silent = await listenSilently(t)
    const before = foldersOf(app)
    const body = JSON.stringify({ clone_addr: silent.url, repo_name: 'x' })

    const late = await app.post(bob, '/repos/migrate', {
      clone_addr: (await listenSilently(t)).url,
      repo_name: 'x',
    })
    const leaving = new AbortController()
    const left = fetch(host.url('api/v1/repos/migrate'), {
      method: 'POST',
      headers: { ...bob.headers, 'content-type': 'application/json' },
      body,
      signal: leaving.signal,
    })
    await silent.reached
    leaving.abort()
    await assert.rejects(left)
    await silent.left

    assertError(late, 422, 'Migration failed: fatal: it took too long.')
    assert.equal(foldersOf(app), before)
  })

  test('can be switched off, and keeps to the limits of its owner and of size', async (t) => {
    const off = await startMirrorHost(t, { repositories: { migrations: false } })
    const { app, ann, bob, address } = await startMirrorHost(t, {
      mirror: { enabled: false, max_size: '1MiB' },
      network: { allow_private: true },
      repositories: { max_per_user: 1 },
    })
    const body = { clone_addr: 'http://93.184.216.34/x.git', repo_name: 'x' }
    const content = randomBytes(1_200_000).toString('base64')
    assertStatus(await app.post(ann, '/repos/ann/source/contents/big', { content }), 201)
    const before = foldersOf(app)

    const disabled = await off.app.post(off.bob, '/repos/migrate', body)
    const mirror = await app.post(bob, '/repos/migrate', { ...body, mirror: true })
    const full = await app.post(ann, '/repos/migrate', { clone_addr: address, repo_name: 'x' })
    const large = await app.post(bob, '/repos/migrate', { clone_addr: address, repo_name: 'x' })

    assertError(disabled, 403, 'the site administrator has disabled migrations')
    assertError(mirror, 403, 'the site administrator has disabled the creation of new pull mirrors')
    assertError(full, 403, /maximum limit of repositories/)
    assertError(large, 422, 'Migration failed: fatal: the repository is too large.')
    assert.equal(foldersOf(app), before)
  })
})
