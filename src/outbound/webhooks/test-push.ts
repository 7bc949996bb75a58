import type { Context, SignedInCaller } from '../../platform/context.ts'
import { findHeadCommit } from '../../platform/git/pushed-commits.ts'
import { readTip } from '../../platform/git/tip.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { HookHome } from '../../events/webhooks/hook.ts'
import {
  presentPerson,
  presentPlace,
  viewPlace,
} from '../../repositories/repository/webhook-payload.ts'
import { presenterOf, presentPush, withPusher } from '../../code/pushes/webhook-events.ts'
import { findNewestRepository } from './queries.ts'

/** The repository whose latest commit a test tells of: of an account or the system, the newest. */
export async function findTestSubject(
  ctx: Context,
  home: HookHome,
): Promise<RepositoryView | undefined> {
  const id = home.kind === 'repository' ? home.id : await findNewestRepository(ctx.db, home)
  return id === undefined ? undefined : viewPlace(ctx, ctx.db, id)
}

/** A push of the latest commit; of a repository without any, of nothing. */
export async function testPayload(
  ctx: Context,
  { account }: SignedInCaller,
  view: RepositoryView,
): Promise<object> {
  const { repo } = view
  const folder = folderOf(ctx, repo)
  const tip = await readTip(folder, repo.defaultBranch)
  const commit = tip === undefined ? undefined : await findHeadCommit(ctx.git, folder, tip)
  const newest = commit ? [commit] : []
  const pushed = { newest, count: newest.length, head: commit }
  const present = await presenterOf(ctx, view, [pushed])
  const update = { ref: `refs/heads/${repo.defaultBranch}`, before: tip, after: tip }
  const zero = '0'.repeat(repo.objectFormat === 'sha256' ? 64 : 40)
  const repository = await presentPlace(ctx, ctx.db, repo.id)
  const sender = presentPerson(ctx, account)
  return {
    ...presentPush({ update, compareUrl: '', ...present(pushed) }, zero),
    ...withPusher({ repository, sender }),
  }
}
