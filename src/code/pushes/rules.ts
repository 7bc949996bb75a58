import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { RefUpdate } from '../../platform/git/ref-update.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { wikiToRead, wikiToWrite } from '../wikis/folder.ts'
import { afterWikiPush } from '../wikis/after-push.ts'
import { headOf, planMeasuring } from '../wikis/after-change.ts'
import { afterPush } from './after-push.ts'
import { foreseeBrought, type Brought } from './brought.ts'
import { guardPush, openGuard, type PushGuard } from './guard.ts'
import type { Part } from './part.ts'
import { planOf, planRecording } from './plan-measuring.ts'

/** What a push has to keep to, and what comes of it. */
export interface PushRules {
  readonly folder: string
  /** The branch that cannot be deleted. */
  readonly keptBranch: string | undefined
  readonly guard: PushGuard
  /** From here on refs may move: should the server die before it records that, a job does. */
  readonly planMending: () => Promise<void>
  /** What the push brings: asked while git moves the refs, and answered when it has. */
  readonly foresee: (haveMoved: Promise<boolean>) => Promise<Brought | undefined>
  readonly record: (moved: readonly RefUpdate[], brought: Brought | undefined) => Promise<void>
}

const MENDING = { delaySeconds: 300 }

/** Where git reads what a fetch asks for. */
export async function folderToRead(ctx: Context, repo: Repository, part: Part): Promise<string> {
  return part === 'code' ? folderOf(ctx, repo) : wikiToRead(ctx, repo)
}

/** Where git works for those who may push: a wiki begins with their first look at it. */
export async function folderToWrite(ctx: Context, repo: Repository, part: Part): Promise<string> {
  return part === 'code' ? folderOf(ctx, repo) : wikiToWrite(ctx, repo)
}

export async function rulesFor(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  part: Part,
  updates: readonly RefUpdate[],
): Promise<PushRules> {
  const { repo } = view
  const folder = await folderToWrite(ctx, repo, part)
  if (part === 'wiki') return wikiRules(ctx, caller, repo, folder)
  const plan = planOf(caller, repo.id, updates, { isWhole: false })
  const settle = (on: Executor) => ctx.jobs.forget(on, 'record_moved', plan)
  return {
    folder,
    keptBranch: repo.isEmpty ? undefined : repo.defaultBranch,
    guard: await guardPush(ctx, caller, repo, updates),
    planMending: () => planRecording(ctx, plan),
    foresee: (haveMoved) => foreseeBrought(ctx, repo, updates, haveMoved),
    record: (moved, brought) =>
      moved.length === 0
        ? settle(ctx.db)
        : afterPush(ctx, caller, view, moved, { known: brought, settle }),
  }
}

/**
 * A push to the wiki is none to the code: its rules of branches do not apply, and its feed does not
 * hear of it.
 */
async function wikiRules(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  folder: string,
): Promise<PushRules> {
  return {
    folder,
    keptBranch: await headOf(folder),
    guard: openGuard,
    planMending: () => planMeasuring(ctx, repo.id, MENDING),
    foresee: async () => undefined,
    record: (moved) => afterWikiPush(ctx, caller, repo, folder, moved),
  }
}
