import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  canChangeTag,
  canMerge,
  canPush,
  findRule,
  type Push,
  type Pusher,
} from '../../../src/code/protection/policy.ts'
import {
  newSettings,
  type Allowlist,
  type AllowlistName,
  type BranchRule,
  type BranchSettings,
} from '../../../src/code/protection/rule.ts'

let lastId = 0

function rule(name: string, priority = 1, settings: Partial<BranchSettings> = {}): BranchRule {
  const times = { createdAt: 0, updatedAt: 0 }
  return { id: ++lastId, name, priority, settings: { ...newSettings, ...settings }, ...times }
}

function listing(lists: Partial<Record<AllowlistName, Partial<Allowlist>>>) {
  const all = Object.entries(newSettings.lists).map(([name, list]) => [
    name,
    { ...list, ...lists[name as AllowlistName] },
  ])
  return { lists: Object.fromEntries(all) as BranchSettings['lists'] }
}

const listed: Pusher = { accountId: 1, teamIds: [], isDeployKey: false }
const inTeam: Pusher = { accountId: 2, teamIds: [7, 8], isDeployKey: false }
const other: Pusher = { accountId: 3, teamIds: [9], isDeployKey: false }
const deployKey: Pusher = { accountId: undefined, teamIds: [], isDeployKey: true }
const some = { isEnabled: true, accountIds: [1], teamIds: [8] }

suite('the rule of a branch', () => {
  const cases: [rules: readonly BranchRule[], branch: string, expected: string | undefined][] = [
    [[rule('main')], 'main', 'main'],
    [[rule('main')], 'Main', undefined],
    [[rule('main')], 'main2', undefined],
    [[rule('*', 1), rule('main', 2)], 'main', 'main'],
    [[rule('main', 2), rule('*', 1)], 'main', 'main'],
    [[rule('a*', 2), rule('*', 1)], 'ab', '*'],
    [[rule('a*', 1), rule('*', 1)], 'ab', 'a*'],
    [[rule('*', 1), rule('a/**', 2)], 'a/b', 'a/**'],
    [[], 'main', undefined],
  ]

  for (const [rules, branch, expected] of cases) {
    const names = rules.map(({ name, priority }) => `${name} (${priority})`).join(', ')
    test(`of ${names || 'none'} for ${branch} is ${expected ?? 'none'}`, () => {
      assert.equal(findRule(rules, branch)?.name, expected)
    })
  }
})

suite('pushing to a protected branch', () => {
  const open = { canPush: true }
  const forced = { canPush: true, canForcePush: true }
  const withKeys = { ...some, deployKeys: true }
  const force = { isForce: true }
  const cases: [
    name: string,
    settings: Partial<BranchSettings>,
    push: Push,
    allowed: readonly Pusher[],
  ][] = [
    ['is for nobody at first', {}, {}, []],
    ['is for everybody once it is allowed', open, {}, [listed, inTeam, other, deployKey]],
    ['is for those on the list', { ...open, ...listing({ push: some }) }, {}, [listed, inTeam]],
    ['is for nobody on a list that is not enabled by push', listing({ push: some }), {}, []],
    [
      'is for deploy keys when the list says so',
      { ...open, ...listing({ push: withKeys }) },
      {},
      [listed, inTeam, deployKey],
    ],
    ['deletes it for nobody', forced, { isDeletion: true }, []],
    ['with force is for nobody at first', open, force, []],
    ['with force is for pushers', forced, force, [listed, inTeam, other, deployKey]],
    [
      'with force is for those on its list',
      { ...forced, ...listing({ forcePush: some }) },
      force,
      [listed, inTeam],
    ],
    [
      'with force is for deploy keys when its list says so',
      { ...forced, ...listing({ forcePush: withKeys }) },
      force,
      [listed, inTeam, deployKey],
    ],
    [
      'with force needs both lists',
      { ...forced, ...listing({ push: some, forcePush: { ...some, accountIds: [1, 3] } }) },
      force,
      [listed, inTeam],
    ],
    ['with force is for nobody where pushing is off', { canForcePush: true }, force, []],
  ]

  for (const [name, settings, push, allowed] of cases) {
    test(name, () => {
      const protectedBranch = rule('main', 1, settings)

      const pushers = [listed, inTeam, other, deployKey]
      assert.deepEqual(
        pushers.filter((pusher) => canPush(protectedBranch, pusher, push)),
        allowed,
      )
    })
  }
})

suite('merging into a protected branch', () => {
  test('is for everybody who may write, unless there is a list', () => {
    const people = [listed, inTeam, other, deployKey]
    const withList = rule('main', 1, listing({ merge: some }))

    assert.deepEqual(
      people.filter((pusher) => canMerge(rule('main'), pusher)),
      [listed, inTeam, other],
    )
    assert.deepEqual(
      people.filter((pusher) => canMerge(withList, pusher)),
      [listed, inTeam],
    )
  })
})

suite('changing a tag', () => {
  const tagRule = (pattern: string, accountIds: number[], teamIds: number[] = []) => ({
    id: ++lastId,
    pattern,
    accountIds,
    teamIds,
    createdAt: 0,
    updatedAt: 0,
  })

  test('is for those whom one of the matching rules lists', () => {
    const rules = [tagRule('v*', [1]), tagRule('v1*', [3], [7]), tagRule('x', [])]
    const allowed = (tag: string) =>
      [listed, inTeam, other, deployKey].filter((pusher) => canChangeTag(rules, tag, pusher))

    assert.deepEqual(allowed('v2'), [listed])
    assert.deepEqual(allowed('v1.1'), [listed, inTeam, other])
    assert.deepEqual(allowed('x'), [])
    assert.deepEqual(allowed('free'), [listed, inTeam, other, deployKey])
  })
})
