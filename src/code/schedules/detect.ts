import type { Context } from '../../platform/context.ts'
import { lock } from '../../platform/db/lock.ts'
import { withObjects } from '../../platform/git/object-pool.ts'
import { readTip } from '../../platform/git/tip.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { isUnitAvailable } from '../../repositories/repository/units.ts'
import { nextTime } from './cron.ts'
import { deleteSchedules, findScheduling, findSchedules, upsertSchedules } from './queries.ts'
import { findWantedRuns, type WantedRun } from './workflows.ts'

interface Detected {
  readonly branch: string
  readonly commitId: string
  readonly wanted: readonly (WantedRun & { readonly nextAt: number })[]
}

const nothing: Detected = { branch: '', commitId: '', wanted: [] }

/**
 * The job: the schedules of a repository become those that its default branch asks for, none where
 * nothing may run.
 */
export async function detectSchedules(ctx: Context, repositoryId: number): Promise<void> {
  const { branch, commitId, wanted } = await detect(ctx, repositoryId)
  if (wanted.length === 0 && (await findSchedules(ctx.db, repositoryId)).length === 0) return
  const now = ctx.now()
  await ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'repository', repositoryId)
    const kept = new Set(wanted.map(keyOf))
    const old = await findSchedules(tx, repositoryId)
    const gone = old.filter((schedule) => !kept.has(keyOf(schedule)))
    await deleteSchedules(
      tx,
      gone.map(({ id }) => id),
    )
    if (!(await findScheduling(tx, repositoryId))) return
    await upsertSchedules(
      tx,
      wanted.map(({ workflow, title, cron, nextAt }) => ({
        repository_id: repositoryId,
        workflow,
        title,
        cron,
        branch,
        commit_id: commitId,
        next_at: nextAt,
        created_at: now,
      })),
    )
  })
}

function keyOf({ workflow, cron }: Pick<WantedRun, 'workflow' | 'cron'>): string {
  return `${workflow}\0${cron}`
}

async function detect(ctx: Context, repositoryId: number): Promise<Detected> {
  if (!isUnitAvailable(ctx.config, 'repo.actions')) return nothing
  const repo = await findScheduling(ctx.db, repositoryId)
  if (!repo) return nothing
  const folder = folderOf(ctx, repo)
  const commitId = await readTip(folder, repo.defaultBranch)
  if (commitId === undefined) return nothing
  const found = await withObjects(ctx.git, folder, (objects) => findWantedRuns(objects, commitId))
  const wanted: (WantedRun & { nextAt: number })[] = []
  for (const run of found) {
    const nextAt = await nextTime(run.cron, ctx.now())
    if (nextAt !== undefined) wanted.push({ ...run, nextAt })
  }
  return { branch: repo.defaultBranch, commitId, wanted }
}
