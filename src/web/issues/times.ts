import { isSiteAdmin } from '../../platform/context.ts'
import { signedIn } from '../../platform/http/call.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { mayEstimate } from '../../collaboration/time-tracking/estimate.ts'
import { isRunningOn, timesSeenBy } from '../../collaboration/time-tracking/load.ts'
import { mayTrack, tracksTime } from '../../collaboration/time-tracking/rights.ts'
import {
  describeSeconds,
  type TrackedTime,
} from '../../collaboration/time-tracking/tracked-time.ts'
import { timeAgo } from '../figures.ts'
import { renderLoss, renderLossWithin } from '../forms/settings.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
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
  return renderFactForm({
    action: formPath(visit, issue, 'time'),
    what: 'time spent',
    before,
    fields: renderDuration(before),
    button: html`<button class="button" name="action" value="add">Add</button>`,
  })
}

function renderDuration(before: Rejected<string> | undefined, seconds = 0): Html {
  const field = (name: string, label: string, value: number) =>
    html`<label class="option">${label} <input type="number" name="${name}" min="0" value="${before?.fields?.get(name) ?? String(value)}"${name === 'hours' && markWrong(before)}></label>`
  const minutes = Math.floor(seconds / 60)
  return html`${field('hours', 'Hours', Math.floor(minutes / 60))}${field('minutes', 'Minutes', minutes % 60)}`
}

/** How long an issue will take: who writes issues, or has written this one, says so. */
export function renderEstimate(visit: Visit, issue: Issue, rejected?: Rejected<string>): Part {
  const { ctx, view } = visit
  if (!visit.viewer.account || !tracksTime(ctx, view)) return undefined
  const mayChange = !view.repo.isArchived && mayEstimate(ctx, signedIn(visit.viewer), view, issue)
  if (!mayChange && issue.timeEstimate === 0) return undefined
  const before = rejected?.form === 'estimate' ? rejected : undefined
  const value = html`<p${issue.timeEstimate === 0 && html` class="mute"`}>${describeSeconds(issue.timeEstimate) || 'None'}</p>`
  const form =
    mayChange &&
    renderFactForm({
      action: formPath(visit, issue, 'estimate'),
      what: 'time estimate',
      before,
      fields: renderDuration(before, issue.timeEstimate),
    })
  return renderFact('Time estimate', value, form)
}
