import { recordEvents, type NewEvent } from '../comments/record.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { loadAssignable } from '../issues/assignees.ts'
import type { Issue } from '../issues/issue.ts'
import { notifyAsked } from '../../events/notify-asked.ts'
import type { Team } from '../../identity/organizations/team.ts'
import { findShownNames } from '../../code/protection/people.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { findPeopleByName } from '../../identity/users/load.ts'
import { announcePull } from '../pulls/webhook-events.ts'
import { findOfficialReviewers } from './official.ts'
import { deleteReviews, findRequests, insertReviews } from './queries.ts'
import type { Review } from './review.ts'
import { findTeamsNamed } from './summary-queries.ts'

export interface WantedReviewers {
  readonly people: readonly string[]
  readonly teams: readonly string[]
}

/** Whose review is asked for, looked up and found able to give one. */
export interface Requests {
  readonly people: readonly { readonly person: Account; readonly isOfficial: boolean }[]
  readonly teams: readonly Team[]
}

/** More than anybody asks. */
export const MAX_REVIEWERS = 100

export async function planRequests(
  ctx: Context,
  view: RepositoryView,
  authorId: number,
  wanted: WantedReviewers,
  branch: string,
): Promise<Requests> {
  const people = await loadPeople(ctx, wanted.people)
  if (people.some(({ id }) => id === authorId)) throw invalid("poster of pr can't be reviewer")
  await loadAssignable(ctx, view, wanted.people)
  const asked = await officially(ctx, view, branch, people)
  return { people: asked, teams: await loadTeams(ctx, view, wanted.teams) }
}

/** Each with whether their word counts. */
export async function officially(
  ctx: Context,
  view: RepositoryView,
  branch: string,
  people: readonly Account[],
): Promise<Requests['people']> {
  const official = await findOfficialReviewers(ctx, view, branch, people)
  return people.map((person) => ({ person, isOfficial: official.has(person.id) }))
}

async function loadPeople(ctx: Context, names: readonly string[]): Promise<readonly Account[]> {
  if (names.length > MAX_REVIEWERS) throw invalid(`more than ${MAX_REVIEWERS} reviewers`)
  const people = await findPeopleByName(ctx.db, names)
  const unknown = names.find((name) => !people.has(name.toLowerCase()))
  if (unknown !== undefined) throw notFound(`user does not exist [uid: 0, name: ${unknown}]`)
  return [...people.values()]
}

/** Only organizations have teams; elsewhere none is looked for. */
async function loadTeams(
  ctx: Context,
  { repo, owner }: RepositoryView,
  names: readonly string[],
): Promise<readonly Team[]> {
  if (owner.kind !== 'organization') return []
  const teams = await findTeamsNamed(ctx.db, owner.id, names)
  const unknown = names.find((name) => !teams.has(name.toLowerCase()))
  if (unknown !== undefined) {
    throw notFound(`team does not exist [org_id ${owner.id}, team_id 0, name: ${unknown}]`)
  }
  const found = [...teams.values()]
  const admitted = await admittedTeams(ctx, repo, found)
  const stranger = found.find((team) => !admitted.includes(team))
  if (stranger) throw invalid(`reviewing team ${stranger.name} can't read the repository`)
  return found
}

/** Those that can read the repository. */
export async function admittedTeams(
  ctx: Context,
  repo: Repository,
  teams: readonly Team[],
): Promise<readonly Team[]> {
  const lists = [{ accountIds: [], teamIds: teams.map(({ id }) => id) }]
  const { teams: admitted } = await findShownNames(ctx, repo, lists)
  return teams.filter(({ id }) => admitted.has(id))
}

/** Asks those who are not asked already; in the transaction that holds the pull request. */
export async function requestReviews(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  issue: Pick<Issue, 'id' | 'repositoryId'>,
  { people, teams }: Requests,
): Promise<readonly Review[]> {
  const now = ctx.now()
  const open = await findRequests(tx, issue.id)
  const askedPeople = people.filter(
    ({ person }) => !open.some(({ reviewerId }) => reviewerId === person.id),
  )
  const askedTeams = teams.filter(({ id }) => !open.some(({ teamId }) => teamId === id))
  const row = { issue_id: issue.id, state: 'REQUEST_REVIEW', created_at: now, updated_at: now }
  const made = await insertReviews(tx, [
    ...askedPeople.map(({ person, isOfficial }) => ({
      ...row,
      reviewer_id: person.id,
      is_official: isOfficial ? (1 as const) : (0 as const),
    })),
    ...askedTeams.map(({ id }) => ({ ...row, team_id: id, is_official: 1 as const })),
  ])
  const asked = askedPeople.map(({ person }) => person)
  await tell(ctx, tx, account, issue, { reviews: made, people: asked, removed: false })
  return made
}

/** Those who are not asked are passed over. */
export async function withdrawRequests(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  issue: Pick<Issue, 'id' | 'repositoryId'>,
  { people, teams }: { readonly people: readonly Account[]; readonly teams: readonly Team[] },
): Promise<void> {
  const open = await findRequests(tx, issue.id)
  const reviews = open.filter(
    ({ reviewerId, teamId }) =>
      people.some(({ id }) => id === reviewerId) || teams.some(({ id }) => id === teamId),
  )
  await deleteReviews(
    tx,
    reviews.map(({ id }) => id),
  )
  await tell(ctx, tx, account, issue, { reviews, people, removed: true })
}

interface Told {
  readonly reviews: readonly Review[]
  readonly people: readonly Account[]
  readonly removed: boolean
}

async function tell(
  ctx: Context,
  tx: Executor,
  actor: Account,
  issue: Pick<Issue, 'id' | 'repositoryId'>,
  { reviews, people, removed }: Told,
): Promise<void> {
  if (reviews.length === 0) return
  const events = reviews.map(({ id, reviewerId, teamId }): NewEvent => {
    const who = reviewerId === undefined ? {} : { assigneeId: reviewerId }
    const team = teamId === undefined ? {} : { teamId }
    return { kind: 'review_request', details: { reviewId: id, removed, ...who, ...team } }
  })
  const deed = { issueId: issue.id, actorId: actor.id, at: ctx.now() }
  await notifyAsked(ctx, tx, deed, events, await recordEvents(tx, deed, events))
  const action = removed ? 'review_request_removed' : 'review_requested'
  const news = reviews.map(({ reviewerId }) => {
    const reviewer = people.find(({ id }) => id === reviewerId)
    return { kind: 'pull_request_review_request' as const, action, reviewer }
  })
  await announcePull(ctx, tx, actor, issue, news)
}

export async function loadWithdrawn(
  ctx: Context,
  view: RepositoryView,
  wanted: WantedReviewers,
): Promise<{ readonly people: readonly Account[]; readonly teams: readonly Team[] }> {
  return {
    people: await loadPeople(ctx, wanted.people),
    teams: await loadTeams(ctx, view, wanted.teams),
  }
}
