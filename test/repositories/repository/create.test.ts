import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { createOwn as create, gitOf } from './support.ts'

/** Of what is neither a fork nor offered to anybody, in their order. */
const recordKeys = `
  id owner name full_name description empty private fork template mirror size language
  languages_url html_url url link ssh_url clone_url original_url website stars_count
  forks_count watchers_count branch_count open_issues_count open_pr_counter
  release_counter default_branch archived created_at updated_at archived_at permissions
  has_code has_issues internal_tracker has_wiki has_pull_requests has_projects
  projects_mode has_releases has_packages has_actions ignore_whitespace_conflicts
  allow_merge_commits allow_rebase allow_rebase_explicit allow_squash_merge
  allow_fast_forward_only_merge allow_merge_update allow_rebase_update allow_manual_merge
  autodetect_manual_merge default_delete_branch_after_merge default_merge_style
  default_update_style default_allow_maintainer_edit avatar_url internal mirror_interval
  object_format_name mirror_updated mirror_last_sync_at topics licenses
`
  .trim()
  .split(/\s+/)

suite('POST /user/repos', () => {
  test('makes an empty repository with everything at its default', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', { isAdmin: true })

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
      mirror_last_sync_at: '0001-01-01T00:00:00Z',
      size: 0,
      language: '',
      link: '',
      original_url: '',
      website: '',
      avatar_url: '',
      internal: false,
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
    assert.deepEqual(Object.keys(body as object), recordKeys)
    assert.partialDeepStrictEqual(body.owner, {
      login: 'ann',
      username: 'ann',
      email: 'ann@example.org',
      is_admin: false,
      active: false,
      last_login: '0001-01-01T00:00:00Z',
      visibility: 'public',
    })
    assert.equal(gitOf(app, 'symbolic-ref', 'HEAD').trim(), 'refs/heads/main')
    assert.equal(gitOf(app, 'fsck', '--strict'), '')
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
      ignore_whitespace_conflicts: false,
      default_delete_branch_after_merge: false,
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
    assert.equal(template.template, true)
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
      language: '',
    })
    const [, counted] = /^size: (\d+)$/m.exec(gitOf(app, 'count-objects', '-v')) ?? []
    assert.equal(body.size, Number(counted))
    assert.ok(body.size >= 4, `${body.size} KiB`)
    assert.equal((await app.get(ann, '/repos/ann/demo')).body.size, body.size)
    assert.equal(
      gitOf(app, 'log', '--format=%an|%ae|%s|%P', 'release/one'),
      'Ann AB|ann@example.org|Initial commit|\n',
    )
    assert.equal(gitOf(app, 'show', 'release/one:README.md'), '# demo\n\nhello')
    assert.match(gitOf(app, 'show', 'release/one:.gitignore'), /^# ---> Go\n/)
    assert.match(
      gitOf(app, 'show', 'release/one:LICENSE'),
      new RegExp(`Copyright \\(c\\) ${new Date().getUTCFullYear()} ann`),
    )
    assert.equal(gitOf(app, 'fsck', '--strict'), '')
  })

  test('hides a hidden address in the first commit', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.patch(ann, '/user/settings', { hide_email: true })

    const { body } = await create(app, ann, { auto_init: true })

    assert.equal(gitOf(app, 'log', '--format=%ae').trim(), `${ann.id}+ann@noreply.codestead.test`)
    assert.equal(body.owner.email, `${ann.id}+ann@noreply.codestead.test`)
  })

  test('in sha256 works the same', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const { body: usual } = await create(app, ann, { name: 'usual', object_format_name: 'sha1' })
    assertStatus(await app.delete(ann, '/repos/ann/usual'), 204)
    await app.ctx.jobs.runDue()
    const { body } = await create(app, ann, { auto_init: true, object_format_name: 'sha256' })

    assert.equal(usual.object_format_name, 'sha1')

    assert.equal(body.object_format_name, 'sha256')
    assert.match(gitOf(app, 'rev-parse', 'main').trim(), /^[0-9a-f]{64}$/)
  })

  test('records what happened and the labels asked for', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    await create(app, ann, { issue_labels: 'Default', private: true, auto_init: true })

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

  test('ignores readme and gitignores without auto_init, and records the license', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const { status, body } = await create(app, ann, {
      readme: 'Nope',
      gitignores: 'Nope',
      license: 'Anything',
    })

    assert.equal(status, 201)
    assert.partialDeepStrictEqual(body, { empty: true, licenses: ['Anything'] })
  })

  test('takes null for everything optional', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    assertStatus(
      await create(app, ann, {
        gitignores: null,
        license: null,
        issue_labels: null,
        readme: null,
        default_branch: null,
        trust_model: null,
        object_format_name: '',
        auto_init: null,
      }),
      201,
    )
    const logical = { Name: 'logical', name: 'wire', AutoInit: true, NAME: 5 }
    assert.partialDeepStrictEqual((await create(app, ann, logical)).body, {
      name: 'wire',
      empty: false,
    })
  })

  test('takes any text for a trust model, in any letter case and with blanks around it', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const models = {
      '': 'default',
      odd: 'default',
      default: 'default',
      ' Collaborator\t': 'collaborator',
      COMMITTER: 'committer',
      CollaboratorCommitter: 'collaboratorcommitter',
    }

    for (const [index, trust_model] of Object.keys(models).entries())
      assertStatus(await create(app, ann, { name: `r${index}`, trust_model }), 201)

    const rows = await app.ctx.db
      .selectFrom('repository')
      .select('trust_model')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map((row) => row.trust_model),
      Object.values(models),
    )
  })

  test('follows the settings for new repositories', async (t) => {
    const app = await startApp(t, {
      server: { url: 'https://codestead.test/git' },
      ssh: { user: 'forge', host: 'fd00::1', port: 2222 },
      users: { no_reply_domain: 'hidden.test' },
      repositories: {
        force_private: true,
        default_branch: 'trunk',
        default_object_format: 'sha256',
        auto_watch: false,
        disabled_units: ['repo.wiki'],
        default_units: ['repo.code', 'repo.issues', 'repo.pulls', 'repo.wiki'],
        default_template_units: ['repo.code'],
        time_tracking: false,
        only_contributors_track_time: false,
        issue_dependencies: false,
        default_merge_style: 'squash',
        delete_branch_after_merge: true,
      },
    })
    const ann = await app.addCaller('ann')
    await app.patch(ann, '/user/settings', { hide_email: true })

    const { body } = await create(app, ann, { private: false })
    const template = (await create(app, ann, { name: 'template', template: true })).body

    assert.partialDeepStrictEqual(body, {
      owner: { email: `${ann.id}+ann@hidden.test` },
      url: 'https://codestead.test/git/api/v1/repos/ann/demo',
      html_url: 'https://codestead.test/git/ann/demo',
      clone_url: 'https://codestead.test/git/ann/demo.git',
      ssh_url: 'ssh://forge@[fd00::1]:2222/ann/demo.git',
      private: true,
      default_branch: 'trunk',
      object_format_name: 'sha256',
      watchers_count: 0,
      has_issues: true,
      internal_tracker: {
        enable_time_tracker: false,
        allow_only_contributors_to_track_time: false,
        enable_issue_dependencies: false,
      },
      has_wiki: false,
      has_releases: false,
      default_merge_style: 'squash',
      default_delete_branch_after_merge: true,
    })
    assert.partialDeepStrictEqual(template, { has_code: true, has_issues: false })
  })
})
