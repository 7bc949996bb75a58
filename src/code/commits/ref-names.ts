import type { Context } from '../../platform/context.ts'
import { keepWhileRefsStay } from '../../platform/git/kept-refs.ts'
import { listRefs } from '../../platform/git/list-refs.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'

interface FirstNames {
  readonly names: readonly string[]
  readonly total: number
}

export interface RefNames {
  /** In the order of their names. */
  readonly branches: FirstNames
  /** Newest first. */
  readonly tags: FirstNames
}

const HEADS = 'refs/heads/'
const TAGS = 'refs/tags/'

/** The first names of both kinds, by one process at most. */
export async function loadRefNames(
  ctx: Context,
  repo: Repository,
  limit: number,
): Promise<RefNames> {
  const folder = folderOf(ctx, repo)
  return keepWhileRefsStay(ctx.git, folder, `names ${limit}`, async () => {
    const all = await listRefs(ctx.git, folder, [HEADS, TAGS], { newestFirst: true })
    const refs = all.filter(({ type }) => type === 'commit' || type === 'tag')
    const below = (prefix: string) =>
      refs
        .filter(({ name }) => name.startsWith(prefix))
        .map(({ name }) => name.slice(prefix.length))
    const branches = firstOf(below(HEADS).toSorted(), limit)
    const tags = firstOf(below(TAGS), limit)
    return { value: { branches, tags }, weight: JSON.stringify([branches, tags]).length }
  })
}

function firstOf(names: readonly string[], limit: number): FirstNames {
  return { names: names.slice(0, limit), total: names.length }
}
