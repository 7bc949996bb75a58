import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
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
      'data:text/html,x',
      'vbscript:x',
      'http://x.example/\u0007',
      'http://localhost/x',
      'http://localhost:99999',
      'http://x.example:8o/',
      'https://127.0.0.1/',
      'http://[::1]/',
      'http://codestead.test/api/v1',
      'http://CODESTEAD.test/API',
      '',
      'http://',
      'http:///path',
      'http:x.example',
      '//x.example',
      ' http://x.example',
      'http://x.example ',
      'http://x.example\\y',
      'http://x.example/\n',
      'HTTP://LocalHost:8080/x',
      'http://127.1.2.3',
      'http://[0:0:0:0:0:0:0:1]:80/',
      'http://localhost./',
      'http://[::ffff:127.0.0.1]/',
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
    for (const format of [
      '/{index}',
      'https://x.example/{user/x',
      'https://x.example/index}',
      'javascript:alert({index})',
      'https://localhost/{index}',
    ]) {
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
    const elsewhere = ['http://10.0.0.1/wiki', 'HTTPS://x.example', 'http://127.0.0.1.example/a b']
    for (const url of elsewhere)
      assertStatus(await edit({ has_wiki: true, external_wiki: { external_wiki_url: url } }), 200)
    const formats = ['', 'https://x.example/{user}/{repo}?n={index}', 'https://x.example/user/{x}']
    for (const format of formats) {
      const external_tracker = {
        ...tracker,
        external_tracker_format: format,
        external_tracker_style: 'odd',
      }
      const { body } = await edit({ has_issues: true, external_tracker })
      assert.equal(body.external_tracker.external_tracker_format, format)
      assert.equal(body.external_tracker.external_tracker_style, 'odd')
    }
  })

  test('are checked in the order of the contract, and not where they count for nothing', async (t) => {
    const { edit, read } = await withRepository(t)
    const noUrl = { external_tracker_url: 'x', external_tracker_format: 'x' }
    const noFormat = { ...tracker, external_tracker_format: 'x' }
    const external_wiki = { external_wiki_url: 'x' }
    const noStyle = { default_update_style: 'x', allow_merge_update: false }
    const issues = (external_tracker: object) => ({ has_issues: true, external_tracker })
    const wiki = { has_wiki: true, external_wiki }
    const before = await read()

    const refused: [object, string][] = [
      [{ ...issues(noUrl), ...wiki, ...noStyle }, 'External tracker URL not valid'],
      [{ ...issues(noFormat), ...wiki, ...noStyle }, 'External tracker URL format not valid'],
      [{ ...wiki, ...noStyle }, 'Invalid external wiki URL'],
      [{ ...noStyle, has_code: false }, 'default update style must be merge or rebase'],
      [{ default_update_style: '' }, 'default update style must be merge or rebase'],
    ]
    for (const [body, message] of refused) assertError(await edit(body), 422, message)
    const ignored = [
      { external_tracker: noUrl, internal_tracker: {}, external_wiki },
      { external_tracker: null, external_wiki: null, internal_tracker: null },
    ]
    for (const body of ignored) assertStatus(await edit(body), 200)
    assert.deepEqual(await read(), before)
    const off = { has_issues: false, external_tracker: noUrl, has_wiki: false, external_wiki }
    assertStatus(await edit({ ...off, has_pull_requests: false, ...noStyle }), 200)
    assertStatus(await edit(noStyle), 200)
    assertError(await edit({ has_pull_requests: true, ...noStyle }), 422)
    assert.partialDeepStrictEqual(await read(), { has_wiki: false, has_pull_requests: false })
  })

  test('hide what they hold while they are off, and show it again', async (t) => {
    const { app, ann, edit } = await withRepository(t)
    await app.post(ann, '/repos/ann/r/issues', { title: 'kept' })
    const statuses = async () => [
      (await app.get(ann, '/repos/ann/r/issues/1')).status,
      (await app.get(undefined, '/repos/ann/r/releases')).status,
    ]

    await edit({ has_issues: false, has_pull_requests: false, has_releases: false })
    assert.deepEqual(await statuses(), [404, 403])
    await edit({ has_issues: true, has_releases: true })

    assert.deepEqual(await statuses(), [200, 200])
    assert.equal((await app.get(ann, '/repos/ann/r/issues/1')).body.title, 'kept')
  })

  test('the built-in tracker keeps its settings; what is missing in new ones is false', async (t) => {
    const { edit } = await withRepository(t, {}, { repositories: { time_tracking: false } })
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
    await edit({ has_issues: false })
    assert.deepEqual((await edit({ has_issues: true })).body.internal_tracker, {
      enable_time_tracker: true,
      allow_only_contributors_to_track_time: true,
      enable_issue_dependencies: true,
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

  test('that the server does not have are not checked, and take nothing else with them', async (t) => {
    const { edit } = await withRepository(
      t,
      {},
      { repositories: { disabled_units: ['repo.wiki', 'repo.issues', 'repo.pulls'] } },
    )
    const external_wiki = { external_wiki_url: 'https://wiki.example' }
    await edit({ has_issues: true, external_tracker: tracker, has_wiki: true, external_wiki })

    const { status, body } = await edit({
      has_issues: true,
      has_wiki: true,
      has_pull_requests: true,
      default_update_style: 'x',
    })

    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, {
      external_tracker: tracker,
      external_wiki,
      has_pull_requests: false,
    })
  })
})
