import { readScopes, type Scopes } from '../auth/scopes.ts'
import { AppError } from '../../platform/errors.ts'

/** About who somebody is, beside what may be done for them. */
const ofIdentity = ['openid', 'profile', 'email', 'groups'] as const
export type IdentityScope = (typeof ofIdentity)[number]

/** What is known of what was asked for, without repetition and always in one order. */
export function normalScope(asked: string): string {
  const words = new Set(asked.split(/[\s,]+/))
  const ofApi = [...words].filter(isOfApi).toSorted()
  return [...ofIdentity.filter((word) => words.has(word)), ...ofApi].join(' ')
}

/** A grant that names no scope of the API reaches as far as whoever gave it. */
export function scopesOf(scope: string): Scopes {
  const given = readScopes(scope.split(' ').filter(isOfApi))
  return given.levels.size > 0 ? given : { ...readScopes(['all']), publicOnly: given.publicOnly }
}

export function tells(scope: string, of: IdentityScope): boolean {
  return scope.split(' ').includes(of)
}

function isOfApi(word: string): boolean {
  try {
    readScopes([word])
    return true
  } catch (error) {
    if (error instanceof AppError) return false
    throw error
  }
}
