import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { wikiFolder } from '../../platform/git/layout.ts'
import { setHead } from '../../platform/git/refs.ts'
import { listBranchNames } from '../../platform/git/written-refs.ts'
import { firstDefaultBranch } from '../pushes/default-branch.ts'
import { updateGitSize } from '../../repositories/repository/size.ts'
import { repositoriesById } from '../../repositories/repository/load.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { announceWiki, type PageNews } from './webhook-events.ts'

/** After pages have changed: who listens is told, and a job measures what is there now. */
export async function afterWikiChange(
  ctx: Context,
  { account }: SignedInCaller,
  { id }: Repository,
  pages: readonly PageNews[],
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await announceWiki(ctx, tx, account, id, pages)
    await ctx.jobs.enqueue(tx, 'measure_wiki', { id })
  })
  ctx.jobs.wake()
}

export async function planMeasuring(
  ctx: Context,
  id: number,
  { delaySeconds = 0 } = {},
): Promise<void> {
  await ctx.jobs.enqueue(ctx.db, 'measure_wiki', { id }, { delaySeconds })
}

/** The job: also mends what a push left whose server died. */
export async function measureWiki(ctx: Context, id: number): Promise<void> {
  const repo = (await repositoriesById(ctx.db, [id])).get(id)
  if (!repo) return
  const folder = wikiFolder(ctx.config, repo.folder)
  if (existsSync(folder)) await mendHead(ctx, folder)
  await updateGitSize(ctx, repo)
}

/** What clones of a wiki check out: no row says it, its HEAD does. */
export async function headOf(folder: string): Promise<string> {
  const text = await readFile(join(folder, 'HEAD'), 'utf8')
  return text.trim().replace(/^ref: refs\/heads\//, '')
}

/** Leads to a branch that is there, if there is any. */
export async function mendHead(ctx: Context, folder: string): Promise<void> {
  const head = await headOf(folder)
  const branch = firstDefaultBranch(head, await listBranchNames(folder))
  if (branch !== undefined) await setHead(ctx.git, folder, branch)
}
