import type { Context } from '../../platform/context.ts'
import { countCommits } from '../../platform/git/history.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { Compared } from './compare.ts'

export interface Distance {
  /** What the head has and the base lacks. */
  readonly ahead: number
  readonly behind: number
}

/** How far two commits are apart. */
export async function distanceOf(
  ctx: Context,
  repo: Repository,
  { base, head, environment }: Compared,
): Promise<Distance> {
  const count = (from: string, without: string) =>
    countCommits(ctx.git, folderOf(ctx, repo), { from, without: [without], environment })
  return { ahead: await count(head, base), behind: await count(base, head) }
}
