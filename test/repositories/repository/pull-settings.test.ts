import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import { withRepository } from './support.ts'

const pullSettings = {
  ignore_whitespace_conflicts: 'IgnoreWhitespaceConflicts',
  allow_merge_commits: 'AllowMerge',
  allow_rebase: 'AllowRebase',
  allow_rebase_explicit: 'AllowRebaseMerge',
  allow_squash_merge: 'AllowSquash',
  allow_fast_forward_only_merge: 'AllowFastForwardOnly',
  allow_manual_merge: 'AllowManualMerge',
  autodetect_manual_merge: 'AutodetectManualMerge',
  allow_merge_update: 'AllowMergeUpdate',
  allow_rebase_update: 'AllowRebaseUpdate',
  default_delete_branch_after_merge: 'DefaultDeleteBranchAfterMerge',
  default_allow_maintainer_edit: 'DefaultAllowMaintainerEdit',
}
const every = (value: boolean) =>
  Object.fromEntries(Object.keys(pullSettings).map((name) => [name, value]))

suite('pull requests as a unit', () => {
  test('switched on again start from the fixed settings of the contract', async (t) => {
    const { edit } = await withRepository(t)

    const off = (await edit({ has_pull_requests: false, default_merge_style: 'squash' })).body
    assert.partialDeepStrictEqual(off, {
      ...every(false),
      has_pull_requests: false,
      allow_manual_merge: true,
      default_merge_style: 'merge',
      default_update_style: 'merge',
    })
    assert.equal((await edit({ allow_rebase: true })).body.has_pull_requests, false)
    const on = (await edit({ has_pull_requests: true, allow_rebase: false })).body

    assert.partialDeepStrictEqual(on, {
      ...every(true),
      has_pull_requests: true,
      allow_rebase: false,
      ignore_whitespace_conflicts: false,
      autodetect_manual_merge: false,
      default_delete_branch_after_merge: false,
      default_allow_maintainer_edit: false,
      default_merge_style: 'merge',
      default_update_style: 'merge',
    })
  })

  test('take each setting by itself, by its wire name and its logical one', async (t) => {
    const { edit, read } = await withRepository(t)

    for (const value of [false, true]) {
      for (const [name, logical] of Object.entries(pullSettings)) {
        if (name === 'allow_merge_update') continue
        const before = await read()
        const { body } = await edit({ [value ? name : logical]: value })
        assert.deepEqual(body, { ...before, [name]: value }, name)
      }
    }
    for (const style of ['rebase-merge', 'anything', '']) {
      assert.equal((await edit({ DefaultMergeStyle: style })).body.default_merge_style, style)
    }
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
})
