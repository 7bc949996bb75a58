import type { ObjectReader } from '../../platform/git/objects.ts'
import { findBranch, findRevision, findTag, type Revision } from '../../platform/git/revisions.ts'
import type { Repository } from '../../repositories/repository/repository.ts'

export type RefKind = Revision['kind']

/** A commit, and a path in it. */
export interface Place {
  readonly revision: Revision
  readonly path: string
}

/** No name of a ref has more parts, and each is a question to git. */
const MAX_REF_PARTS = 64

/**
 * Where an address may lead in which a ref stands in front of a path: the longest leading part that
 * names one comes first.
 */
export async function* placesOf(
  objects: ObjectReader,
  repo: Repository,
  kind: RefKind | 'any',
  parts: readonly string[],
  longest = parts.length,
): AsyncGenerator<Place> {
  for (let length = Math.min(longest, MAX_REF_PARTS); length > 0; length--) {
    const revision = await findOfKind(objects, repo, kind, parts.slice(0, length).join('/'))
    if (revision) yield { revision, path: parts.slice(length).join('/') }
  }
}

export async function findOfKind(
  objects: ObjectReader,
  { defaultBranch }: Repository,
  kind: RefKind | 'any',
  name: string,
): Promise<Revision | undefined> {
  if (kind === 'branch') return findBranch(objects, name)
  if (kind === 'tag') return findTag(objects, name)
  const found = await findRevision(objects, name, { defaultBranch, shortIds: kind === 'commit' })
  return kind === 'any' || found?.kind === 'commit' ? found : undefined
}
