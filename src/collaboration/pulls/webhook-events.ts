import { anonymous, type Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { issuesById } from '../issues/load.ts'
import { presentPull } from './present.ts'
import { viewPull } from './view.ts'
import { asOwner } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { announce, type News } from '../../events/webhooks/announce.ts'
import type { EventKind } from '../../events/webhooks/events.ts'
import {
  presentChanges,
  presentPerson,
  presentPlace,
} from '../../repositories/repository/webhook-payload.ts'

/** What is told of a pull request, and by which event. */
export interface PullNews {
  readonly kind: EventKind
  /** What receivers are told it is, where they know several under one kind. */
  readonly exactly?: string
  readonly action: string
  readonly changes?: Readonly<Record<string, { readonly from: string }>>
  /** Whose review is asked for, or no longer. */
  readonly reviewer?: Account | undefined
  readonly commitId?: string
  readonly review?: { readonly type: string; readonly content: string }
}

const kindOfIssue: Readonly<Record<string, EventKind>> = {
  issues: 'pull_request',
  issue_assign: 'pull_request_assign',
  issue_label: 'pull_request_label',
  issue_milestone: 'pull_request_milestone',
}

/** What issues tell is told of pull requests by events of their own. */
export async function announcePull(
  ctx: Context,
  tx: Executor,
  actor: Account,
  { id, repositoryId }: { readonly id: number; readonly repositoryId: number },
  told: readonly PullNews[],
): Promise<void> {
  const news = told.map((one): News => {
    const payload = async () => {
      const pull = await presentNow(ctx, tx, id)
      return {
        action: one.action,
        number: pull.number,
        ...(one.changes ? { changes: presentChanges(one.changes) } : {}),
        pull_request: pull,
        requested_reviewer: one.reviewer ? presentPerson(ctx, one.reviewer) : null,
        repository: await presentPlace(ctx, tx, repositoryId),
        sender: presentPerson(ctx, actor),
        commit_id: one.commitId ?? '',
        review: one.review ?? null,
      }
    }
    return { kind: kindOfIssue[one.kind] ?? one.kind, exactly: one.exactly, payload }
  })
  await announce(ctx, tx, repositoryId, news)
}

/** As those see it to whom the two repositories belong. */
async function presentNow(ctx: Context, tx: Executor, id: number) {
  const issue = (await issuesById(tx, [id])).get(id)
  if (!issue) throw new Error(`pull request ${id} is missing`)
  const { config, now } = ctx
  const view = await viewPull({ config, now, db: tx }, anonymous, issue)
  const head = view.head && asOwner(view.head)
  return presentPull(config, anonymous, { ...view, base: asOwner(view.base), head })
}
