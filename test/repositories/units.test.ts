import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../support/expect.ts'
import { withRepository } from './support.ts'

const tracker = {
  external_tracker_url: 'https://tracker.example.org',
  external_tracker_format: 'https://tracker.example.org/{user}/{repo}/{index}',
  external_tracker_style: 'alphanumeric',
}

suite('units of a repository', () => {
  test('switch on and off, each by itself', async (t) => {
    const { edit } = await withRepository(t)
    const units = [
      'has_code',
      'has_releases',
      'has_packages',
      'has_actions',
      'has_wiki',
      'has_projects',
      'has_issues',
      'has_pull_requests',
    ]
    const after = async (changes: object) => {
      const { body } = await edit(changes)
      return units.filter((unit) => body[unit] === true)
    }

    for (const unit of units) {
      const others = units.filter((other) => other !== unit)
      assert.deepEqual(await after({ [unit]: false }), others, unit)
      assert.deepEqual(await after({ [unit]: true }), units, unit)
    }
  })

  test('of code: the answer to an edit shows the permission from before it', async (t) => {
    const { edit, read } = await withRepository(t)
    const all = { admin: true, push: true, pull: true }
    const none = { admin: true, push: false, pull: false }

    assert.partialDeepStrictEqual((await edit({ has_code: false })).body, {
      has_code: false,
      permissions: all,
    })
    assert.deepEqual((await read()).permissions, none)
    assert.deepEqual((await edit({ description: 'x' })).body.permissions, none)
    assert.deepEqual((await edit({ has_code: true })).body.permissions, none)
    assert.deepEqual((await read()).permissions, all)
  })

  test('a tracker elsewhere and back', async (t) => {
    const { edit, read } = await withRepository(t)

    const external = (await edit({ has_issues: true, external_tracker: tracker })).body
    assert.deepEqual(external.external_tracker, { ...tracker, external_tracker_regexp_pattern: '' })
    assert.equal(external.internal_tracker, undefined)
    await edit({ has_issues: true })
    assert.equal((await read()).external_tracker, undefined)
    assert.equal((await read()).internal_tracker.enable_time_tracker, true)
    await edit({ external_tracker: tracker })
    assert.equal((await read()).external_tracker, undefined)
    await edit({
      HasIssues: true,
      ExternalTracker: { ExternalTrackerURL: 'https://x.example', ExternalTrackerStyle: 'numeric' },
      HasWiki: true,
      ExternalWiki: { ExternalWikiURL: 'https://w.example' },
    })
    assert.partialDeepStrictEqual(await read(), {
      external_tracker: {
        external_tracker_url: 'https://x.example',
        external_tracker_style: 'numeric',
      },
      external_wiki: { external_wiki_url: 'https://w.example' },
    })
  })

  test('addresses elsewhere are checked', async (t) => {
    const { edit } = await withRepository(t)
    const far = { external_tracker_url: 'http://user:1@tracker.example:99999?x=1' }
    assertStatus(await edit({ has_issues: true, external_tracker: far }), 200)
    const urls = [
      'htp://x.example',
      'nowhere',
      'javascript:alert(1)',
      'http://localhost/x',
      'http://localhost:99999',
      'http://x.example:8o/',
      'https://127.0.0.1/',
      'http://[::1]/',
      'http://codestead.test/api/v1',
      'http://CODESTEAD.test/API',
    ]

    for (const url of urls) {
      assertError(
        await edit({ has_issues: true, external_tracker: { external_tracker_url: url } }),
        422,
        'External tracker URL not valid',
      )
      assertError(
        await edit({ has_wiki: true, external_wiki: { external_wiki_url: url } }),
        422,
        'Invalid external wiki URL',
      )
    }
    for (const format of ['/{index}', 'https://x.example/{user/x', 'https://x.example/index}']) {
      const answer = await edit({
        has_issues: true,
        external_tracker: { ...tracker, external_tracker_format: format },
      })
      assertError(answer, 422, 'External tracker URL format not valid')
    }
    for (const pattern of ['(a', '(?=x)', '(a)\\1', 'x'.repeat(257)]) {
      const answer = await edit({
        has_issues: true,
        external_tracker: { ...tracker, external_tracker_regexp_pattern: pattern },
      })
      assertError(answer, 422, 'invalid external tracker regexp pattern')
    }
    assertStatus(
      await edit({ has_wiki: true, external_wiki: { external_wiki_url: 'http://10.0.0.1/wiki' } }),
      200,
    )
  })

  test('the built-in tracker keeps its settings; what is missing in new ones is false', async (t) => {
    const { edit } = await withRepository(t)
    const settings = {
      enable_time_tracker: true,
      allow_only_contributors_to_track_time: false,
      enable_issue_dependencies: false,
    }

    const changed = await edit({
      has_issues: true,
      internal_tracker: { enable_time_tracker: true },
    })

    assert.deepEqual(changed.body.internal_tracker, settings)
    assert.deepEqual((await edit({ has_issues: true })).body.internal_tracker, settings)
    assert.deepEqual((await edit({ internal_tracker: {} })).body.internal_tracker, settings)
  })

  test('pull requests switched on again start from the fixed settings of the contract', async (t) => {
    const { edit } = await withRepository(t)

    const off = (await edit({ has_pull_requests: false, allow_squash_merge: false })).body
    assert.partialDeepStrictEqual(off, {
      has_pull_requests: false,
      allow_manual_merge: true,
      allow_squash_merge: false,
      default_merge_style: 'merge',
    })
    assert.equal((await edit({ allow_rebase: true })).body.has_pull_requests, false)
    const on = (await edit({ has_pull_requests: true, allow_rebase: false })).body

    assert.partialDeepStrictEqual(on, {
      has_pull_requests: true,
      allow_manual_merge: true,
      default_allow_maintainer_edit: false,
      allow_rebase: false,
      allow_squash_merge: true,
    })
  })

  test('a pull request can always be updated in some way', async (t) => {
    const { edit, read } = await withRepository(t)

    assertError(
      await edit({ default_update_style: 'squash' }),
      422,
      'default update style must be merge or rebase',
    )
    assertError(
      await edit({ allow_merge_update: false, allow_rebase_update: false }),
      422,
      'at least one pull request branch update style must be enabled',
    )
    assertError(
      await edit({ allow_merge_update: false }),
      422,
      'default update style must be enabled',
    )
    assertStatus(await edit({ allow_merge_update: false, default_update_style: 'rebase' }), 200)
    assert.partialDeepStrictEqual(await read(), {
      allow_merge_update: false,
      default_update_style: 'rebase',
    })
  })

  test('projects keep their mode while they are on', async (t) => {
    const { edit } = await withRepository(t)
    const mode = async (body: object) => (await edit(body)).body.projects_mode

    assert.equal(await mode({ has_projects: true, projects_mode: 'owner' }), 'owner')
    assert.equal(await mode({ has_projects: true }), 'owner')
    assert.equal(await mode({ projects_mode: 'repo' }), 'owner')
    assert.equal(await mode({ has_projects: true, projects_mode: '' }), 'owner')
    assert.equal(await mode({ has_projects: false }), 'all')
    assert.equal(await mode({ has_projects: true }), 'all')
  })

  test('that the server does not have any more are gone, whatever is stored', async (t) => {
    const gone = ['repo.issues', 'repo.wiki']
    const { app, edit, read } = await withRepository(
      t,
      {},
      { repositories: { disabled_units: gone } },
    )
    const { id } = await read()
    const rows = gone.map((unit) => ({ repository_id: id, unit, settings: '{}' }))
    await app.ctx.db.insertInto('repository_unit').values(rows).execute()

    const body = (await edit({ has_issues: false, description: 'now' })).body

    assert.partialDeepStrictEqual(body, { has_issues: false, has_wiki: false, has_code: true })
    assert.equal(body.internal_tracker, undefined)
    assertStatus(await app.get(undefined, '/repos/ann/r/issues/1'), 404)
    const kept = await app.ctx.db.selectFrom('repository_unit').select('unit').execute()
    assert.ok(kept.some(({ unit }) => unit === 'repo.issues'))
  })

  test('that the server does not have cannot be switched on', async (t) => {
    const { edit } = await withRepository(
      t,
      {},
      { repositories: { disabled_units: ['repo.wiki', 'repo.ext_issues', 'repo.ext_wiki'] } },
    )
    const nowhere = { external_tracker_url: 'nowhere', external_wiki_url: 'nowhere' }

    assert.equal((await edit({ has_wiki: true })).body.has_wiki, false)
    assert.equal(
      (await edit({ has_issues: true, external_tracker: tracker })).body.external_tracker,
      undefined,
    )
    assertStatus(await edit({ has_issues: true, external_tracker: nowhere }), 200)
    assertStatus(await edit({ has_wiki: true, external_wiki: nowhere }), 200)
  })
})
