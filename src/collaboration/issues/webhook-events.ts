import type { NewEvent } from '../comments/record.ts'
import { anonymous, type Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Issue } from './issue.ts'
import { issuesById } from './load.ts'
import { presentIssue } from './present.ts'
import { viewIssue } from './view.ts'
import type { Account } from '../../identity/users/account.ts'
import { announce, type News } from '../../events/webhooks/announce.ts'
import {
  presentChanges,
  presentPerson,
  presentPlace,
} from '../../repositories/repository/webhook-payload.ts'
import { announcePull } from '../pulls/webhook-events.ts'

/** What is told of an issue, and by which event. */
export interface IssueNews {
  readonly kind: 'issues' | 'issue_assign' | 'issue_label' | 'issue_milestone'
  readonly action: string
  /** What something was before. */
  readonly changes?: Readonly<Record<string, { readonly from: string }>>
}

export const opened: IssueNews = { kind: 'issues', action: 'opened' }
/** An attachment that comes to an issue counts as an edit of it. */
export const touched: IssueNews = { kind: 'issues', action: 'edited' }
export const labelsCleared: IssueNews = { kind: 'issue_label', action: 'label_cleared' }

export async function announceIssue(
  ctx: Context,
  tx: Executor,
  actor: Account,
  { id, repositoryId, isPull }: Pick<Issue, 'id' | 'repositoryId' | 'isPull'>,
  told: readonly IssueNews[],
): Promise<void> {
  if (isPull) return announcePull(ctx, tx, actor, { id, repositoryId }, told)
  const news = told.map(({ kind, action, changes }): News => {
    const payload = async () => {
      const issue = await presentNow(ctx, tx, id)
      return {
        action,
        number: issue.number,
        ...(changes ? { changes: presentChanges(changes) } : {}),
        issue,
        repository: await presentPlace(ctx, tx, repositoryId),
        sender: presentPerson(ctx, actor),
        commit_id: '',
        is_pull: false,
      }
    }
    return { kind, payload }
  })
  await announce(ctx, tx, repositoryId, news)
}

async function presentNow(ctx: Context, tx: Executor, id: number) {
  const issue = (await issuesById(tx, [id])).get(id)
  if (!issue) throw new Error(`issue ${id} is missing`)
  return presentIssue(ctx.config, anonymous, await viewIssue(tx, issue))
}

/** The edit of an issue as it is told: its text at once, the rest one by one. */
export function newsOfEdit(before: Issue, after: Issue): readonly IssueNews[] {
  const changes = {
    ...(before.title === after.title ? {} : { title: { from: before.title } }),
    ...(before.body === after.body ? {} : { body: { from: before.body } }),
    ...(before.ref === after.ref ? {} : { ref: { from: before.ref } }),
  }
  return Object.keys(changes).length === 0 ? [] : [{ kind: 'issues', action: 'edited', changes }]
}

/** What its history says happened. */
export function newsOfEvents(events: readonly NewEvent[]): readonly IssueNews[] {
  const news = events.flatMap(newsOfEvent)
  // Several labels at once are one change.
  return news.filter(({ kind }, index) => kind !== 'issue_label' || isFirst(news, index))
}

function isFirst(news: readonly IssueNews[], index: number): boolean {
  return news.findIndex(({ kind }) => kind === 'issue_label') === index
}

function newsOfEvent({ kind, details = {} }: NewEvent): readonly IssueNews[] {
  switch (kind) {
    case 'close':
      return [{ kind: 'issues', action: 'closed' }]
    case 'reopen':
      return [{ kind: 'issues', action: 'reopened' }]
    case 'label':
      return [{ kind: 'issue_label', action: 'label_updated' }]
    case 'assignees':
      return [{ kind: 'issue_assign', action: details.removed ? 'unassigned' : 'assigned' }]
    case 'milestone':
      return [
        { kind: 'issue_milestone', action: details.milestoneId ? 'milestoned' : 'demilestoned' },
      ]
    default:
      return []
  }
}
