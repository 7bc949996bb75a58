import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  accessOf,
  hasAnyAccess,
  unitLevel,
  type AccessFacts,
} from '../../../src/repositories/repository/access.ts'
import { Units } from '../../../src/repositories/repository/units.ts'
import { type UnitKey } from '../../../src/platform/units.ts'

const stranger: AccessFacts = {
  isPublic: true,
  ownerVisibility: 'public',
  isOwner: false,
  isSiteAdmin: false,
  isRestricted: false,
  isAnonymous: false,
  isMember: false,
  requiresSignIn: false,
  collaboration: 'none',
  teams: [],
}
const hidden = { isPublic: false }
const team = (
  level: 'none' | 'read' | 'write' | 'admin' | 'owner',
  units: Record<string, 'read' | 'write'> = {},
) => ({
  level,
  units: new Map(Object.entries(units)),
})
const units = (...keys: UnitKey[]) => new Units(new Map(keys.map((key) => [key, {}])))

const levels: [string, Partial<AccessFacts>, string][] = [
  ['anybody reads a public repository', {}, 'read'],
  ['anonymous callers read it too', { isAnonymous: true }, 'read'],
  ['a private one is nothing to strangers', hidden, 'none'],
  ['and nothing to the anonymous', { ...hidden, isAnonymous: true }, 'none'],
  [
    'a limited owner is hidden from the anonymous',
    { isAnonymous: true, ownerVisibility: 'limited' },
    'none',
  ],
  ['a limited owner is seen by who signs in', { ownerVisibility: 'limited' }, 'read'],
  ['a private owner is hidden from strangers', { ownerVisibility: 'private' }, 'none'],
  ['a private owner is seen by members', { ownerVisibility: 'private', isMember: true }, 'read'],
  [
    'a private owner does not hide it from collaborators',
    { ownerVisibility: 'private', collaboration: 'write' },
    'write',
  ],
  ['a restricted caller reads what is public to the world', { isRestricted: true }, 'read'],
  ['not of a limited owner', { isRestricted: true, ownerVisibility: 'limited' }, 'none'],
  ['not where sign-in is required', { isRestricted: true, requiresSignIn: true }, 'none'],
  [
    'but what they collaborate on',
    { isRestricted: true, ...hidden, collaboration: 'read' },
    'read',
  ],
  ['the owner owns', { ...hidden, isOwner: true }, 'owner'],
  [
    'a site administrator owns',
    { ...hidden, isSiteAdmin: true, ownerVisibility: 'private' },
    'owner',
  ],
  ['a collaborator has the level given', { ...hidden, collaboration: 'admin' }, 'admin'],
  ['an administrating team owns', { ...hidden, isMember: true, teams: [team('admin')] }, 'owner'],
  [
    'a team below that has no overall level',
    { ...hidden, isMember: true, teams: [team('write', { 'repo.code': 'write' })] },
    'none',
  ],
]

suite('the level on a repository', () => {
  for (const [name, facts, level] of levels) {
    test(name, () => {
      assert.equal(accessOf({ ...stranger, ...facts }).level, level)
    })
  }
})

suite('the level on a unit', () => {
  test('is the highest of the teams, and at least the overall one', () => {
    const access = accessOf({
      ...stranger,
      isMember: true,
      teams: [
        team('none', { 'repo.code': 'read', 'repo.issues': 'read' }),
        team('none', { 'repo.code': 'write' }),
      ],
    })

    assert.equal(unitLevel(access, units('repo.code'), 'repo.code'), 'write')
    assert.equal(unitLevel(access, units('repo.wiki'), 'repo.wiki'), 'read')
  })

  test('of a unit that is switched off is none, even for the owner', () => {
    const access = accessOf({ ...stranger, isOwner: true })

    assert.equal(unitLevel(access, units('repo.issues'), 'repo.code'), 'none')
  })

  test('alone lets a member see a private repository, while the unit is on', () => {
    const access = accessOf({
      ...stranger,
      ...hidden,
      isMember: true,
      teams: [team('none', { 'repo.issues': 'read' })],
    })

    assert.equal(hasAnyAccess(access, units('repo.issues')), true)
    assert.equal(hasAnyAccess(access, units('repo.code')), false)
  })
})
