import { isSiteAdmin } from '../../context.ts'
import { signedIn } from '../../http/call.ts'
import type { Issue } from '../../issues/issue.ts'
import { isRunningOn, timesSeenBy } from '../../time-tracking/load.ts'
import { mayTrack, tracksTime } from '../../time-tracking/rights.ts'
import { describeSeconds, type TrackedTime } from '../../time-tracking/tracked-time.ts'
import { timeAgo } from '../figures.ts'
import { renderLoss, renderLossWithin } from '../forms/settings.ts'
import { html, type Html, type Part } from '../html.ts'
import type { Visit } from '../repository/visit.ts'
import { markWrong, renderFact, renderFactForm } from './fact.ts'
import { formPath } from './paths.ts'
import type { Rejected } from './rejected.ts'

/** More than anybody reads. */
const listed = { number: 1, limit: 1000, offset: 0 }

/** How long somebody worked on an issue: one sees one's own time, who administers that of all. */
export async function renderTimes(
  visit: Visit,
  issue: Issue,
  rejected?: Rejected<string>,
): Promise<Part> {
  const { ctx, view } = visit
  if (!visit.viewer.account || !tracksTime(ctx, view)) return undefined
  const viewer = signedIn(visit.viewer)
  const { items } = await timesSeenBy(ctx, viewer, view, issue, listed)
  const tracks = !view.repo.isArchived && (await mayTrack(ctx, viewer, view, issue))
  if (!tracks && items.length === 0) return undefined
  const total = items.reduce((sum, { seconds }) => sum + seconds, 0)
  const value = html`
${tracks && renderClock(visit, issue, await isRunningOn(ctx, viewer, issue))}
${items.length === 0 ? html`<p class="mute">None</p>` : html`<details class="times"><summary>${durationText(total)} in all</summary><ul class="plain related">${items.map((time) => renderTime(visit, issue, time, tracks))}</ul></details>`}`
  return renderFact('Time spent', value, tracks && renderForm(visit, issue, rejected))
}

function durationText(seconds: number): string {
  return describeSeconds(seconds) || 'no time'
}

function renderClock(visit: Visit, issue: Issue, isRunning: boolean): Html {
  const button = (action: string, label: string) =>
    html`<button class="button" name="action" value="${action}">${label}</button> `
  return html`
<form class="clock" method="post" action="${formPath(visit, issue, 'time')}">
${isRunning ? html`${button('stop', 'Stop the clock')}${renderLossWithin({ label: 'Forget it', warning: 'What it has counted is lost.' }, 'action', 'cancel')}` : button('start', 'Start the clock')}
</form>
${isRunning && html`<p class="mute">The clock is running for you.</p>`}`
}

function renderTime(visit: Visit, issue: Issue, time: TrackedTime, tracks: boolean): Html {
  const { ctx, viewer } = visit
  const isRemovable = tracks && (time.accountId === viewer.account?.id || isSiteAdmin(viewer))
  const text = durationText(time.seconds)
  const remove =
    isRemovable &&
    renderLoss(
      formPath(visit, issue, 'time'),
      {
        label: 'Delete',
        name: `${text} of ${time.accountName}`,
        warning: 'It no longer counts as time spent.',
      },
      { remove: time.id },
    )
  return html`<li><span>${time.accountName}: ${text} <span class="mute">${timeAgo(ctx.now(), time.createdAt)}</span></span>${remove}</li>`
}

function renderForm(visit: Visit, issue: Issue, rejected?: Rejected<string>): Html {
  const before = rejected?.form === 'time' ? rejected : undefined
  const field = (name: string, label: string) =>
    html`<label class="option">${label} <input type="number" name="${name}" min="0" value="${before?.fields?.get(name) ?? '0'}"${name === 'hours' && markWrong(before)}></label>`
  return renderFactForm({
    action: formPath(visit, issue, 'time'),
    what: 'time spent',
    before,
    fields: html`${field('hours', 'Hours')}${field('minutes', 'Minutes')}`,
    button: html`<button class="button" name="action" value="add">Add</button>`,
  })
}
