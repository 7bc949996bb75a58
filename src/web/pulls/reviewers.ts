import { reviewersToChoose, type NamedPerson } from '../../repositories/collaborators/candidates.ts'
import { isSiteAdmin } from '../../platform/context.ts'
import { signedIn } from '../../platform/http/call.ts'
import type { Team } from '../../identity/organizations/team.ts'
import type { PullView } from '../../collaboration/pulls/view.ts'
import { canChooseReviewers } from '../../collaboration/reviews/ask.ts'
import { admittedTeams } from '../../collaboration/reviews/request.ts'
import { isDecision } from '../../collaboration/reviews/review.ts'
import type { Reviewed } from '../../collaboration/reviews/threads.ts'
import type { ReviewView } from '../../collaboration/reviews/view.ts'
import { teamsOf } from '../../repositories/team-repositories/teams.ts'
import type { Account } from '../../identity/users/account.ts'
import { avatar } from '../avatar.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { markWrong, renderFact, renderFactForm } from '../issues/fact.ts'
import { issuePath } from '../issues/paths.ts'
import type { Rejected } from '../issues/rejected.ts'
import { personLink } from '../person.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { mayReview, verdicts } from './review.ts'

/** Who has looked at the changes and who is asked to; those who may ask others here. */
export async function renderReviewers(
  visit: Visit,
  shown: PullView,
  reviewed: Reviewed,
  rejected?: Rejected<string>,
): Promise<Html> {
  const { requested, requestedTeams } = shown.reviews
  const asked = html`${requested.map((one) => renderOne(visit, one, verdicts.REQUEST_REVIEW))}
${requestedTeams.map(({ name }) => html`<p>${name} <span class="mute">${verdicts.REQUEST_REVIEW}</span></p>`)}`
  const said = lastWords(reviewed).map(
    ({ reviewer, review }) => reviewer && renderOne(visit, reviewer, verdicts[review.state]),
  )
  const isEmpty = said.length + requested.length + requestedTeams.length === 0
  const review =
    mayReview(visit, shown.issue) &&
    html`<p><a href="${issuePath(visit, shown.issue)}/files#review">Review the changes</a></p>`
  const value = html`${isEmpty && html`<p class="mute">None</p>`}${said}${asked}${review}`
  return renderFact('Reviewers', value, await chooseReviewers(visit, shown, rejected))
}

function renderOne({ ctx: { config } }: Visit, person: Account, words: string): Html {
  return html`<p>${avatar(config, person, 22)} ${personLink(config, person)} <span class="mute">${words}</span></p>`
}

/** What each decided last, as far as it counts still. */
function lastWords({ reviews }: Reviewed): readonly ReviewView[] {
  const decided = reviews.filter(
    ({ review, reviewer }) => reviewer && isDecision(review) && !review.isDismissed,
  )
  return [...new Map(decided.map((one) => [one.review.reviewerId, one])).values()]
}

async function chooseReviewers(
  visit: Visit,
  { issue, pull, reviews: { requested, requestedTeams } }: PullView,
  rejected?: Rejected<string>,
): Promise<Part> {
  const { ctx, viewer, view } = visit
  if (!viewer.account || view.repo.isArchived || issue.isClosed) return undefined
  if (!(await canChooseReviewers(ctx, signedIn(viewer), view, { issue, pull }))) return undefined
  const before = rejected?.form === 'reviewers' ? rejected : undefined
  const offered = await offeredTo(visit)
  const others = offered.filter(
    ({ id }) => id !== issue.authorId && requested.every((one) => one.id !== id),
  )
  const option = ({ name }: Pick<Account, 'name'>, isChosen: boolean) =>
    html`<label class="option"><input type="checkbox" name="reviewer" value="${name}"${isChosen && html` checked`}> ${name}</label>`
  const teams = await teamsToAsk(visit)
  const otherTeams = teams.filter(({ id }) => requestedTeams.every((one) => one.id !== id))
  const teamOption = ({ name }: Team, isChosen: boolean) =>
    html`<label class="option"><input type="checkbox" name="team" value="${name}"${isChosen && html` checked`}> Team ${name}</label>`
  return renderFactForm({
    action: pathTo(visit, 'pulls', String(issue.number), 'reviewers'),
    what: 'reviewers',
    before,
    fields: html`${requested.map((one) => option(one, true))}${others.map((one) => option(one, false))}
${requestedTeams.map((one) => teamOption(one, true))}${otherTeams.map((one) => teamOption(one, false))}
<label class="option">Somebody else <input name="other" autocomplete="off" autocapitalize="none" spellcheck="false" value="${before?.text}"${markWrong(before)}></label>`,
  })
}

/** Only organizations have teams. */
async function teamsToAsk({ ctx, view }: Visit): Promise<readonly Team[]> {
  if (view.owner.kind !== 'organization') return []
  return admittedTeams(ctx, view.repo, await teamsOf(ctx, view))
}

/** Who works on a repository is for those to know who do so themselves. */
async function offeredTo({ ctx, viewer, view }: Visit): Promise<readonly NamedPerson[]> {
  const people = await reviewersToChoose(ctx, view)
  const isOne = people.some(({ id }) => id === viewer.account?.id)
  return isOne || isSiteAdmin(viewer) ? people : []
}
