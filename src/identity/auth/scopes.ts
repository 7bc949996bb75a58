import type { Credential } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'

/** In the order in which scopes are stored and shown. */
export const scopeCategories = [
  'activitypub',
  'admin',
  'misc',
  'notification',
  'organization',
  'package',
  'issue',
  'repository',
  'user',
] as const

export type ScopeCategory = (typeof scopeCategories)[number]
export type ScopeLevel = 'read' | 'write'

/**
 * What a token may be used for: a level for each category, and whether it is limited to what is
 * public.
 */
export interface Scopes {
  readonly levels: ReadonlyMap<ScopeCategory, ScopeLevel>
  readonly publicOnly: boolean
}

/** From the names that a client gives; an empty one says nothing, an unknown one is refused. */
export function readScopes(names: readonly string[]): Scopes {
  const levels = new Map<ScopeCategory, ScopeLevel>()
  let publicOnly = false
  for (const name of names) {
    if (name === 'all') for (const category of scopeCategories) levels.set(category, 'write')
    else if (name === 'public-only') publicOnly = true
    else if (name !== '') raise(levels, name)
  }
  return { levels, publicOnly }
}

function raise(levels: Map<ScopeCategory, ScopeLevel>, name: string): void {
  const [, level, word] = /^(read|write):(.+)$/.exec(name) ?? []
  const category = scopeCategories.find((known) => known === word)
  if (!category) {
    throw new AppError(
      'bad_request',
      `invalid access token scope provided: invalid access token scope: ${name}`,
    )
  }
  if (level === 'write' || !levels.has(category)) levels.set(category, level as ScopeLevel)
}

/** Without repetition, in a fixed order, `all` in place of the nine write scopes. */
export function scopeNames({ levels, publicOnly }: Scopes): readonly string[] {
  const all = scopeCategories.every((category) => levels.get(category) === 'write')
  const names = all
    ? ['all']
    : scopeCategories
        .filter((category) => levels.has(category))
        .map((category) => `${levels.get(category)}:${category}`)
  return publicOnly ? ['public-only', ...names] : names
}

export function storedScopes(text: string): Scopes {
  return readScopes(text.split(','))
}

export function holds(scopes: Scopes, category: ScopeCategory, level: ScopeLevel): boolean {
  const held = scopes.levels.get(category)
  return held === 'write' || held === level
}

/**
 * A token without any right is none; one that is limited to what is public is a token by that
 * alone.
 */
export function isEmptyScope({ levels, publicOnly }: Scopes): boolean {
  return levels.size === 0 && !publicOnly
}

/** How far a credential reaches; only what a program calls with is limited. */
export function limitsOf(credential: Credential): Scopes | undefined {
  return 'scopes' in credential ? credential.scopes : undefined
}

/** Whether everything in `wanted` is within `held`. */
export function covers(held: Scopes, wanted: Scopes): boolean {
  return [...wanted.levels].every(([category, level]) => holds(held, category, level))
}
