import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Issue } from '../issues/issue.ts'
import { changeIssue } from '../issues/load.ts'
import { isDraft, type Pull } from '../pulls/pull.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { planOwnerRequests } from './code-owners.ts'
import { findInvolved } from './queries.ts'
import { requestReviews, type Requests } from './request.ts'

/**
 * Asks the code owners of a pull request that has changed, but for those who have been asked or
 * have spoken.
 */
export async function askCodeOwners(
  ctx: Context,
  caller: SignedInCaller,
  view: RepositoryView,
  { issue, pull }: { readonly issue: Issue; readonly pull: Pull },
): Promise<void> {
  if (isDraft(issue.title)) return
  const plan = await planOwnerRequests(ctx, view, issue.authorId, pull)
  if (plan.people.length + plan.teams.length === 0) return
  await changeIssue(ctx, issue, async (tx, current) => {
    if (current.isClosed) return
    const known = await findInvolved(tx, issue.id)
    await requestReviews(ctx, tx, caller, current, {
      people: plan.people.filter(({ person }) => !known.people.has(person.id)),
      teams: plan.teams.filter(({ id }) => !known.teams.has(id)),
    })
  })
  ctx.jobs.wake()
}

/** All of both, each once. */
export function joinRequests(first: Requests, second: Requests): Requests {
  const people = new Map([...second.people, ...first.people].map((one) => [one.person.id, one]))
  const teams = new Map([...second.teams, ...first.teams].map((team) => [team.id, team]))
  return { people: [...people.values()], teams: [...teams.values()] }
}
