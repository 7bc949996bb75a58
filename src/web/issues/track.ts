import { AppError, notFound } from '../../platform/errors.ts'
import { readInteger } from '../../platform/http/query.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import { estimateTime } from '../../collaboration/time-tracking/estimate.ts'
import { assertMayTrack } from '../../collaboration/time-tracking/rights.ts'
import {
  addTime,
  cancelStopwatch,
  removeTime,
  startStopwatch,
  stopStopwatch,
} from '../../collaboration/time-tracking/track.ts'
import type { Done, Submitted } from '../repository/form.ts'
import { showAgain } from './again.ts'
import { loadForChange } from './change.ts'
import { factPath } from './fact.ts'

const clocks = new Map([
  ['start', startStopwatch],
  ['stop', stopStopwatch],
  ['cancel', cancelStopwatch],
])

/** The clock of the viewer, and time that is added by hand or taken back. */
export async function changeTime(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const issue = await loadForChange(submitted)
  await assertMayTrack(ctx, viewer, view, issue)
  const removed = form.get('remove')
  if (removed !== null) {
    await removeTime(ctx, viewer, issue, readInteger(removed))
    return { leadsTo: factPath(submitted, issue, 'Time spent') }
  }
  const action = form.get('action') ?? ''
  return action === 'add' ? addByHand(submitted, issue) : turnClock(submitted, issue, action)
}

async function turnClock(submitted: Submitted, issue: Issue, action: string): Promise<Done> {
  const turn = clocks.get(action)
  if (!turn) throw notFound()
  try {
    await turn(submitted.ctx, submitted.viewer, issue)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
    const problem =
      action === 'start' ? 'The clock is running already.' : 'The clock is not running.'
    return showAgain(submitted, issue, { form: 'time', text: '', problem })
  }
  return { leadsTo: factPath(submitted, issue, 'Time spent') }
}

/** More than anybody works. */
const MAX_HOURS = 10_000

async function addByHand(submitted: Submitted, issue: Issue): Promise<Done> {
  const { ctx, viewer, form } = submitted
  const seconds = readDuration(form)
  if (!seconds) {
    const problem = 'Say how long it took, in hours and minutes.'
    return showAgain(submitted, issue, { form: 'time', text: '', problem, fields: form })
  }
  await addTime(ctx, issue, { accountId: viewer.account.id, seconds, at: ctx.now() })
  return { leadsTo: factPath(submitted, issue, 'Time spent') }
}

/** Says how long it will take; no time at all takes back what was said. */
export async function changeEstimate(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const issue = await loadForChange(submitted)
  const seconds = readDuration(form)
  if (seconds === undefined) {
    const problem = 'Say how long it will take, in hours and minutes.'
    return showAgain(submitted, issue, { form: 'estimate', text: '', problem, fields: form })
  }
  await estimateTime(ctx, viewer, view, issue, seconds)
  return { leadsTo: factPath(submitted, issue, 'Time estimate') }
}

/** In seconds; nothing for what is no duration. */
function readDuration(form: URLSearchParams): number | undefined {
  const hours = readInteger(form.get('hours') ?? '')
  const minutes = readInteger(form.get('minutes') ?? '')
  const seconds = hours * 3600 + minutes * 60
  const isTime = hours >= 0 && minutes >= 0 && seconds <= MAX_HOURS * 3600
  return isTime ? seconds : undefined
}
