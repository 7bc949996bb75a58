import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { AppError } from '../../../src/platform/errors.ts'
import {
  editedRights,
  newRights,
  type WantedRights,
} from '../../../src/identity/organizations/rights.ts'
import { everyUnit } from '../../../src/identity/organizations/team.ts'

type Levels = Readonly<Record<string, string>> | 'read' | 'write' | 'admin'

function show({ access, units }: ReturnType<typeof newRights>): [string, object] {
  return [access, Object.fromEntries(units)]
}

function levels(expected: Levels): object {
  return typeof expected === 'string' ? Object.fromEntries(everyUnit(expected)) : expected
}

suite('the rights of a new team', () => {
  const cases: readonly [string, WantedRights, string, Levels][] = [
    ['a permission covers every unit', { permission: 'read' }, 'read', 'read'],
    [
      'an administrating team has every unit, whatever else is asked for',
      { permission: 'admin', units: ['repo.code'], unitsMap: { 'repo.wiki': 'read' } },
      'admin',
      'admin',
    ],
    [
      'units get the permission each',
      { permission: 'write', units: ['repo.wiki', 'repo.code'] },
      'none',
      { 'repo.code': 'write', 'repo.wiki': 'write' },
    ],
    [
      'units without a permission get none',
      { units: ['repo.code'] },
      'none',
      { 'repo.code': 'none' },
    ],
    [
      'a level for each unit wins over a list of units',
      { permission: 'write', units: ['repo.code'], unitsMap: { 'repo.wiki': 'read' } },
      'none',
      { 'repo.wiki': 'read' },
    ],
    [
      'unknown units are left out, unknown levels are none',
      { unitsMap: { 'repo.nothing': 'read', 'repo.code': 'much', __proto__: 'read' } },
      'none',
      { 'repo.code': 'none' },
    ],
    ['unknown units of a list are left out', { permission: 'read', units: ['x'] }, 'none', {}],
    ['an unknown permission gives nothing', { permission: 'everything' }, 'none', {}],
    ['nobody is given ownership', { permission: 'owner' }, 'none', {}],
  ]
  for (const [name, wanted, access, units] of cases) {
    test(name, () => {
      assert.deepEqual(show(newRights(wanted)), [access, levels(units)])
    })
  }

  test('something must be asked for', () => {
    for (const wanted of [{}, { permission: '' }, { units: [], unitsMap: {} }]) {
      assert.throws(
        () => newRights(wanted),
        (error) => error instanceof AppError && error.code === 'bad_request',
      )
    }
  })
})

suite('the rights of a team after an edit', () => {
  const mixed = newRights({ unitsMap: { 'repo.code': 'write', 'repo.wiki': 'read' } })
  const writers = newRights({ permission: 'write' })
  const cases: readonly [string, typeof mixed, WantedRights, string, Levels][] = [
    ['stay without a word about them', mixed, {}, ...same(mixed)],
    ['stay when the client sends back none', mixed, { permission: 'none' }, ...same(mixed)],
    [
      'keep the units when a permission alone is given',
      mixed,
      { permission: 'read' },
      'none',
      { 'repo.code': 'read', 'repo.wiki': 'read' },
    ],
    ['cover every unit still when they did', writers, { permission: 'read' }, 'read', 'read'],
    ['become those of an administrating team', mixed, { permission: 'admin' }, 'admin', 'admin'],
    [
      'keep the levels when units alone are given',
      mixed,
      { units: ['repo.code', 'repo.pulls'] },
      'none',
      { 'repo.code': 'write', 'repo.pulls': 'none' },
    ],
    [
      'are replaced by a level for each unit',
      writers,
      { unitsMap: { 'repo.pulls': 'admin' } },
      'none',
      { 'repo.pulls': 'admin' },
    ],
  ]
  for (const [name, team, wanted, access, units] of cases) {
    test(name, () => {
      assert.deepEqual(show(editedRights(team, wanted)), [access, levels(units)])
    })
  }
})

function same(rights: ReturnType<typeof newRights>): [string, Levels] {
  const [access, units] = show(rights)
  return [access, units as Levels]
}
