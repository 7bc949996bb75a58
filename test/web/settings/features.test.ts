import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { assertForAdministrators, complaintIn, settings, startWithSettings } from './setup.ts'

const path = `${settings}/features`
const form = {
  has_code: 'true',
  has_releases: 'true',
  issues: 'here',
  enable_time_tracker: 'true',
  wiki: 'here',
  has_pull_requests: 'true',
  allow_squash_merge: 'true',
  allow_rebase_update: 'true',
  default_merge_style: 'squash',
  default_update_style: 'rebase',
}

suite('/{owner}/{repo}/settings/features', () => {
  test('switches units, and sets what they allow', async (t) => {
    const setup = await startWithSettings(t)
    const { app, ann, byAnn } = setup
    await assertForAdministrators(setup, path, path, form)
    assert.equal((await app.get(ann, '/repos/ann/one')).body.allow_rebase, true)

    assertStatus(await byAnn.post(path, form), 303)

    const { body } = await app.get(ann, '/repos/ann/one')
    assert.partialDeepStrictEqual(body, {
      has_code: true,
      has_releases: true,
      has_projects: false,
      has_actions: false,
      has_issues: true,
      internal_tracker: {
        enable_time_tracker: true,
        allow_only_contributors_to_track_time: false,
        enable_issue_dependencies: false,
      },
      has_wiki: true,
      has_pull_requests: true,
      allow_squash_merge: true,
      allow_merge_commits: false,
      allow_rebase: false,
      default_merge_style: 'squash',
      default_update_style: 'rebase',
    })
    const page = await byAnn.get(path)
    assert.match(page.text, /name="allow_squash_merge"[^>]* checked/)
    assert.doesNotMatch(page.text, /name="allow_rebase"[^>]* checked/)
    assert.match(page.text, /<option value="squash" selected>/)
  })

  test('switches units off, and has issues and wikis elsewhere', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t)
    const elsewhere = {
      issues: 'elsewhere',
      external_tracker_url: 'https://bugs.example.org',
      external_tracker_format: 'https://bugs.example.org/{index}',
      external_tracker_style: 'numeric',
      wiki: 'elsewhere',
      external_wiki_url: 'https://wiki.example.org',
    }

    assertStatus(await byAnn.post(path, elsewhere), 303)
    const moved = (await app.get(ann, '/repos/ann/one')).body
    assertStatus(await byAnn.post(path, { issues: 'off', wiki: 'off' }), 303)
    const off = (await app.get(ann, '/repos/ann/one')).body

    assert.partialDeepStrictEqual(moved, {
      has_issues: true,
      external_tracker: { external_tracker_url: 'https://bugs.example.org' },
      external_wiki: { external_wiki_url: 'https://wiki.example.org' },
      has_pull_requests: false,
      has_code: false,
    })
    assert.deepEqual([off.has_issues, off.has_wiki], [false, false])
  })

  test('tells what is wrong where it is wrong, and changes nothing', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t)
    const elsewhere = { issues: 'elsewhere', external_tracker_url: 'https://bugs.example.org' }
    const wrong: [Record<string, string>, RegExp][] = [
      [{ issues: 'elsewhere', external_tracker_url: 'x' }, /^external_tracker_url: /],
      [{ ...elsewhere, external_tracker_format: 'x' }, /^external_tracker_format: /],
      [
        { ...elsewhere, external_tracker_regexp_pattern: '(' },
        /^external_tracker_regexp_pattern: /,
      ],
      [{ wiki: 'elsewhere', external_wiki_url: 'javascript:x' }, /^external_wiki_url: /],
      [{ default_update_style: 'merge' }, /^default_update_style: /],
    ]

    for (const [changes, complaint] of wrong) {
      const answer = await byAnn.post(path, { ...form, ...changes })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.doesNotMatch(answer.text, /name="has_projects"[^>]* checked/)
    }
    assert.equal((await app.get(ann, '/repos/ann/one')).body.has_projects, true)
  })

  test('offers no unit that the server does not have', async (t) => {
    const { byAnn } = await startWithSettings(t, {
      repositories: { disabled_units: ['repo.wiki', 'repo.actions'] },
    })

    const { text } = await byAnn.get(path)

    assert.doesNotMatch(text, /name="(has_actions|wiki)"/)
    assert.match(text, /name="has_code"/)
  })
})
