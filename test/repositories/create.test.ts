import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { startApp, type TestApp, type TestCaller } from '../support/app.ts'
import { assertError, assertStatus } from '../support/expect.ts'

const TAKEN = 'The repository with the same name already exists.'

/** The directories of repositories that there are on disk. */
export function foldersOf(app: TestApp): string[] {
  return globSync(join(app.ctx.config.data, 'repositories', '*', '*.git'))
}

/** Runs git on the only repository on disk. */
function git(app: TestApp, ...parameters: string[]): string {
  const [folder = ''] = foldersOf(app)
  return execFileSync('git', ['--git-dir', folder, ...parameters], { encoding: 'utf8' })
}

const create = (app: TestApp, who: TestCaller | undefined, body: object) =>
  app.post(who, '/user/repos', { name: 'demo', ...body })

suite('POST /user/repos', () => {
  test('makes an empty repository with everything at its default', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const { status, body } = await create(app, ann, { name: 'Demo.x_1' })

    assert.equal(status, 201)
    assert.partialDeepStrictEqual(body, {
      name: 'Demo.x_1',
      full_name: 'ann/Demo.x_1',
      description: '',
      empty: true,
      private: false,
      fork: false,
      template: false,
      mirror: false,
      default_branch: 'main',
      watchers_count: 1,
      branch_count: 0,
      archived: false,
      archived_at: '1970-01-01T00:00:00Z',
      mirror_updated: '0001-01-01T00:00:00Z',
      mirror_interval: '',
      object_format_name: 'sha1',
      permissions: { admin: true, push: true, pull: true },
      html_url: 'http://codestead.test/ann/Demo.x_1',
      clone_url: 'http://codestead.test/ann/Demo.x_1.git',
      ssh_url: 'git@codestead.test:ann/Demo.x_1.git',
      url: 'http://codestead.test/api/v1/repos/ann/Demo.x_1',
      languages_url: 'http://codestead.test/api/v1/repos/ann/Demo.x_1/languages',
      topics: [],
      licenses: [],
    })
    assert.partialDeepStrictEqual(body.owner, {
      login: 'ann',
      email: 'ann@example.org',
      active: false,
    })
    assert.equal(git(app, 'symbolic-ref', 'HEAD').trim(), 'refs/heads/main')
    assert.equal(git(app, 'fsck', '--strict'), '')
  })

  test('switches on the units of a new repository, of a template without actions', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const plain = (await create(app, ann, { name: 'plain' })).body
    const template = (await create(app, ann, { name: 'template', template: true })).body

    const units = [
      'code',
      'issues',
      'pull_requests',
      'wiki',
      'projects',
      'releases',
      'packages',
      'actions',
    ]
    for (const unit of units) assert.equal(plain[`has_${unit}`], true, unit)
    assert.partialDeepStrictEqual(plain, {
      projects_mode: 'all',
      internal_tracker: {
        enable_time_tracker: true,
        allow_only_contributors_to_track_time: true,
        enable_issue_dependencies: true,
      },
      allow_merge_commits: true,
      allow_rebase: true,
      allow_rebase_explicit: true,
      allow_squash_merge: true,
      allow_fast_forward_only_merge: true,
      allow_merge_update: true,
      allow_rebase_update: true,
      allow_manual_merge: false,
      autodetect_manual_merge: false,
      default_merge_style: 'merge',
      default_update_style: 'merge',
      default_allow_maintainer_edit: true,
    })
    assert.equal(template.has_actions, false)
    assert.equal(template.has_packages, true)
  })

  test('with auto_init makes one commit by the caller', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', { fullName: 'Ann <A>\nB' })

    const { body } = await create(app, ann, {
      auto_init: true,
      description: 'hello',
      gitignores: 'Go',
      license: 'MIT',
      default_branch: 'release/one',
    })

    assert.partialDeepStrictEqual(body, {
      empty: false,
      branch_count: 1,
      default_branch: 'release/one',
      licenses: ['MIT'],
    })
    assert.equal(
      git(app, 'log', '--format=%an|%ae|%s|%P', 'release/one'),
      'Ann AB|ann@example.org|Initial commit|\n',
    )
    assert.equal(git(app, 'show', 'release/one:README.md'), '# demo\n\nhello')
    assert.match(git(app, 'show', 'release/one:.gitignore'), /^# ---> Go\n/)
    assert.match(
      git(app, 'show', 'release/one:LICENSE'),
      new RegExp(`Copyright \\(c\\) ${new Date().getUTCFullYear()} ann`),
    )
    assert.equal(git(app, 'fsck', '--strict'), '')
  })

  test('hides a hidden address in the first commit', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.patch(ann, '/user/settings', { hide_email: true })

    const { body } = await create(app, ann, { auto_init: true })

    assert.equal(git(app, 'log', '--format=%ae').trim(), `${ann.id}+ann@noreply.codestead.test`)
    assert.equal(body.owner.email, `${ann.id}+ann@noreply.codestead.test`)
  })

  test('in sha256 works the same', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const { body } = await create(app, ann, { auto_init: true, object_format_name: 'sha256' })

    assert.equal(body.object_format_name, 'sha256')
    assert.match(git(app, 'rev-parse', 'main').trim(), /^[0-9a-f]{64}$/)
  })

  test('records what happened and the labels asked for', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    await create(app, ann, { issue_labels: 'Default', private: true })

    const labels = await app.ctx.db
      .selectFrom('label')
      .select(['name', 'color'])
      .orderBy('id')
      .execute()
    assert.equal(labels.length, 7)
    assert.partialDeepStrictEqual(labels[0], { name: 'bug', color: 'ee0701' })
    const activities = await app.ctx.db.selectFrom('activity').selectAll().execute()
    assert.equal(activities.length, 1)
    assert.partialDeepStrictEqual(activities[0], {
      kind: 'create_repo',
      account_id: ann.id,
      is_private: 1,
    })
  })

  test('checks the body, in the order of its fields', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const cases: [object, string][] = [
      [{ name: '' }, '[Name]: Required'],
      [{ name: 'a b' }, '[Name]: AlphaDashDot'],
      [{ name: 'n'.repeat(101) }, '[Name]: MaxSize'],
      [{ description: 'é'.repeat(2049) }, '[Description]: MaxSize'],
      [{ issue_labels: 'x'.repeat(256) }, '[IssueLabels]: MaxSize'],
      [{ gitignores: 'x'.repeat(1025) }, '[Gitignores]: MaxSize'],
      [{ license: 'x'.repeat(101) }, '[License]: MaxSize'],
      [{ readme: 'x'.repeat(256) }, '[Readme]: MaxSize'],
      [{ default_branch: 'a b' }, '[DefaultBranch]: GitRefName'],
      [{ default_branch: 'x.lock' }, '[DefaultBranch]: GitRefName'],
      [{ default_branch: '-x' }, '[DefaultBranch]: GitRefName'],
      [{ default_branch: 'HEAD' }, '[DefaultBranch]: GitRefName'],
      [{ default_branch: '漢'.repeat(84), auto_init: true }, '[DefaultBranch]: GitRefName'],
      [{ object_format_name: 'unknown' }, '[ObjectFormatName]: MaxSize'],
    ]

    for (const [body, message] of cases) assertError(await create(app, ann, body), 422, message)
    assert.deepEqual(foldersOf(app), [])
  })

  test('refuses what the contract refuses, and leaves nothing behind', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const init = { auto_init: true }
    const noReadme = 'readme template does not exist, available templates: [Default]'
    const cases: [object, number, string | RegExp][] = [
      [{ ...init, readme: 'Nope' }, 400, noReadme],
      [{ ...init, readme: '../../etc/passwd' }, 400, noReadme],
      [
        { issue_labels: '/abs/x' },
        422,
        'failed to load label template file "/abs/x": label template "/abs/x" not found',
      ],
      [{ object_format_name: 'md5' }, 422, /md5/],
      [{ name: '-' }, 422, 'name is reserved [name: -]'],
      [{ name: '..' }, 422, 'name is reserved [name: ..]'],
      [{ name: 'x.GIT' }, 422, 'name pattern is not allowed [pattern: *.git]'],
      [{ name: 'x.wiki' }, 422, 'name pattern is not allowed [pattern: *.wiki]'],
      [
        { name: 'a..b' },
        422,
        'name is invalid [a..b]: must be valid alpha or numeric or dash(-_) or dot characters',
      ],
      [{ ...init, gitignores: 'Go,../b' }, 422, /\.\.\/b/],
      [{ ...init, license: '..\\..\\x' }, 422, /license/],
    ]

    for (const [body, status, message] of cases)
      assertError(await create(app, ann, body), status, message)
    assert.deepEqual(foldersOf(app), [])
    assert.deepEqual(await app.ctx.db.selectFrom('repository').select('id').execute(), [])
    assert.deepEqual(await app.ctx.db.selectFrom('activity').select('id').execute(), [])
  })

  test('refuses in the order of the contract, whatever else is wrong', async (t) => {
    const app = await startApp(t, { repositories: { max_per_user: 1 } })
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await create(app, ann, {})
    const faults = { auto_init: true, gitignores: 'Nope', license: 'Nope' }
    const named = { ...faults, name: '..' }
    const formed = { ...named, object_format_name: 'md5' }
    const labelled = { ...formed, issue_labels: 'Nope' }
    const begun = { ...labelled, readme: 'Nope' }
    const root = await app.addAdmin()
    await create(app, root, {})

    assertError(await create(app, ann, { ...begun, description: 'x'.repeat(2049) }), 422)
    assertError(await create(app, ann, begun), 400)
    assertError(await create(app, ann, labelled), 403, /maximum limit/)
    assertError(await create(app, bob, labelled), 422, /label template/)
    assertError(await create(app, bob, formed), 422, /md5/)
    assertError(await create(app, bob, named), 422, 'name is reserved [name: ..]')
    assertError(await create(app, root, faults), 409, TAKEN)
    assertError(await create(app, bob, faults), 422, /gitignore/)
  })

  test('ignores readme and gitignores without auto_init, and records the license', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const { status, body } = await create(app, ann, {
      readme: 'Nope',
      gitignores: 'Nope',
      license: 'MIT',
    })

    assert.equal(status, 201)
    assert.partialDeepStrictEqual(body, { empty: true, licenses: ['MIT'] })
  })

  test('takes null for everything optional, and unknown trust models', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    assertStatus(
      await create(app, ann, {
        gitignores: null,
        license: null,
        issue_labels: null,
        trust_model: 'odd',
        object_format_name: '',
      }),
      201,
    )
    assertStatus(await app.post(ann, '/user/repos', { Name: 'logical', AutoInit: true }), 201)
  })

  test('gives a name once per owner, whatever the letter case', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await create(app, ann, {})

    assertError(await create(app, ann, {}), 409, TAKEN)
    assertError(await create(app, ann, { name: 'DEMO' }), 409, TAKEN)
    assertStatus(await create(app, bob, { name: 'Demo' }), 201)
    assert.equal(foldersOf(app).length, 2)
  })

  test('of one name twenty times at once makes one repository', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        create(app, ann, { name: index % 2 ? 'demo' : 'DEMO', auto_init: index % 3 === 0 }),
      ),
    )

    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    assert.equal(answers.filter(({ status }) => status === 409).length, 19)
    assert.equal(foldersOf(app).length, 1)
  })

  test('keeps within the limit of the owner; administrators are exempt', async (t) => {
    const app = await startApp(t, { repositories: { max_per_user: 1 } })
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const root = await app.addAdmin()
    await app.patch(root, '/admin/users/bob', { max_repo_creation: 0 })

    assertStatus(await create(app, ann, { name: 'one' }), 201)
    assertError(
      await create(app, ann, { name: 'two' }),
      403,
      'user has reached maximum limit of repositories [limit: -1]',
    )
    assertError(
      await create(app, bob, { name: 'one' }),
      403,
      'user has reached maximum limit of repositories [limit: 0]',
    )
    for (const name of ['one', 'two']) assertStatus(await create(app, root, { name }), 201)
    assertStatus(await app.post(root, '/admin/users/bob/repos', { name: 'given' }), 201)
  })

  test('follows the settings for new repositories', async (t) => {
    const app = await startApp(t, {
      repositories: {
        force_private: true,
        default_branch: 'trunk',
        auto_watch: false,
        disabled_units: ['repo.wiki'],
        default_merge_style: 'squash',
        delete_branch_after_merge: true,
      },
    })
    const ann = await app.addCaller('ann')

    const { body } = await create(app, ann, { private: false })

    assert.partialDeepStrictEqual(body, {
      private: true,
      default_branch: 'trunk',
      watchers_count: 0,
      has_wiki: false,
      default_merge_style: 'squash',
      default_delete_branch_after_merge: true,
    })
  })

  test('needs a signed-in caller with both scopes and no public-only token', async (t) => {
    const app = await startApp(t)
    const ann = (await app.addCaller('ann')).account

    assertError(await create(app, undefined, {}), 401, 'token is required')
    assertError(
      await create(app, await app.withToken(ann, ['write:repository']), {}),
      403,
      /required=\[write:user\]/,
    )
    assertError(
      await create(app, await app.withToken(ann, ['write:user']), {}),
      403,
      /required=\[write:repository\]/,
    )
    const outside = await app.withToken(ann, ['public-only', 'all'])
    assertError(
      await create(app, outside, {}),
      403,
      'this endpoint is not available for public-only tokens',
    )
  })
})

for (const route of ['/orgs/acme/repos', '/org/acme/repos']) {
  suite(`POST ${route.replace('acme', '{org}')}`, () => {
    const withOrganization = async (t: Parameters<typeof startApp>[0]) => {
      const app = await startApp(t)
      const ann = await app.addCaller('ann')
      await app.post(ann, '/orgs', { username: 'acme' })
      const enlist = async (name: string, team: object) => {
        const caller = await app.addCaller(name)
        const made = await app.post(ann, '/orgs/acme/teams', {
          permission: 'read',
          units: ['repo.code'],
          ...team,
        })
        await app.put(ann, `/teams/${made.body.id}/members/${name}`)
        return caller
      }
      return { app, ann, enlist }
    }

    test('is for owners and for teams that may create', async (t) => {
      const { app, ann, enlist } = await withOrganization(t)
      const maker = await enlist('maker', { name: 'makers', can_create_org_repo: true })
      const lead = await enlist('lead', { name: 'leads', permission: 'admin' })
      const stranger = await app.addCaller('stranger')
      const refused = 'User is not allowed to create repositories in this organization.'

      assertStatus(await app.post(ann, route, { name: 'one' }), 201)
      const made = await app.post(maker, route, { name: 'two', private: true })
      assertStatus(made, 201)
      assert.equal((await app.get(maker, '/repos/acme/two')).body.permissions.admin, true)
      assert.equal((await app.get(lead, '/repos/acme/two')).status, 404)
      assertError(await app.post(lead, route, { name: 'three' }), 403, refused)
      assertError(await app.post(stranger, route, { name: 'three' }), 403, refused)
      assertStatus(await app.post(await app.addAdmin(), route, { name: 'three' }), 201)
    })

    test('makes members of all-repositories teams watch', async (t) => {
      const { app, ann, enlist } = await withOrganization(t)
      await enlist('reader', { name: 'readers', includes_all_repositories: true })

      const { body } = await app.post(ann, route, { name: 'one' })

      assert.equal(body.watchers_count, 2)
    })

    test('tells an unknown organization after the body, and hides a private one', async (t) => {
      const { app, ann } = await withOrganization(t)
      const bob = await app.addCaller('bob')
      await app.post(ann, '/orgs', { username: 'hidden', visibility: 'private' })
      const to = (name: string) => route.replace('acme', name)

      assertError(
        await app.post(bob, to('nowhere'), { name: 'x' }),
        422,
        'org does not exist [id: 0, name: nowhere]',
      )
      assertError(
        await app.post(bob, to('ann'), { name: 'x' }),
        422,
        'org does not exist [id: 0, name: ann]',
      )
      assertError(await app.post(bob, to('nowhere'), {}), 422, '[Name]: Required')
      assertError(await app.post(undefined, to('nowhere'), { name: 'x' }), 401)
      assertError(await app.post(bob, to('hidden'), { name: 'x' }), 404, 'not found')
    })

    test('of a renamed organization', async (t) => {
      const { app, ann } = await withOrganization(t)
      await app.post(ann, '/orgs/acme/rename', { new_name: 'apex' })

      const answer = await app.post(ann, route, { name: 'x' })

      if (route.startsWith('/orgs/')) {
        assert.equal(answer.status, 307)
        assert.equal(answer.headers['location'], '/api/v1/orgs/apex/repos')
      } else assertError(answer, 422, /org does not exist/)
    })
  })
}

suite('POST /admin/users/{username}/repos', () => {
  test('makes a repository for somebody, watched and signed by the administrator', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')

    const { status, body } = await app.post(root, '/admin/users/ANN/repos', {
      name: 'demo',
      auto_init: true,
    })

    assert.equal(status, 201)
    assert.equal(body.full_name, 'ann/demo')
    assert.equal(git(app, 'log', '--format=%an').trim(), 'root')
    assertError(await app.post(root, '/admin/users/ann/repos', { name: 'DEMO' }), 409, TAKEN)
    assertError(await app.post(root, '/admin/users/nobody/repos', {}), 404)
  })
})
