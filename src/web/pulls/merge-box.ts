import { reaches } from '../../platform/access-level.ts'
import { signedIn } from '../../platform/http/call.ts'
import { conflictsOf } from '../../collaboration/pulls/check.ts'
import { canDropHead } from '../../collaboration/pulls/drop-head.ts'
import { loadMergeOutlook, type MergeOutlook } from '../../collaboration/pulls/merge-rights.ts'
import { updateStylesFor } from '../../collaboration/pulls/update.ts'
import type { PullView } from '../../collaboration/pulls/view.ts'
import { counted, timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon, type IconName } from '../icons.ts'
import { mayEdit } from '../issues/editing.ts'
import { formPath } from '../issues/paths.ts'
import type { Rejected } from '../issues/rejected.ts'
import { mayTurn } from '../issues/reply.ts'
import { personLink } from '../person.ts'
import { renderChecks } from '../repository/checks.ts'
import { cloneUrls, renderCommands } from '../repository/clone.ts'
import { idLink } from '../repository/commit-line.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { renderMergeForm } from './merge-form.ts'

/** More files are counted. */
const MAX_CONFLICTS = 20

/** Whether a pull request can be merged, and by whom it is. */
export async function renderMergeBox(
  visit: Visit,
  shown: PullView,
  rejected?: Rejected<string>,
): Promise<Part> {
  const { ctx, viewer, view } = visit
  if (shown.pull.isMerged) return renderMerged(visit, shown, rejected)
  if (shown.issue.isClosed) return undefined
  const outlook = await loadMergeOutlook(ctx, viewer, view, shown)
  const before = rejected?.form === 'merge' ? rejected : undefined
  return html`
<section class="sheet merge-box" id="merge" aria-label="Merge">
${await renderChecks(visit, shown.pull.headCommitId)}
${await renderObstacles(visit, shown, outlook)}
${!outlook.hasNothing && renderSchedule(visit, shown)}
${!view.repo.isArchived && (await renderMergeForm(visit, shown, outlook, before))}
${renderCheckout(visit, shown)}
</section>`
}

/** How to try it out, wherever its branch is. */
function renderCheckout(visit: Visit, { issue: { number } }: PullView): Part {
  const { http, ssh } = cloneUrls(visit)
  const address = http ?? ssh
  if (address === undefined) return undefined
  const lines = [
    `git fetch ${address} pull/${number}/head`,
    `git switch -c pull-${number} FETCH_HEAD`,
  ]
  const path = pathTo(visit, 'pulls', String(number))
  return html`<details class="checks"><summary>On your machine</summary>
${renderCommands(lines)}
<p class="mute">Or as a file: <a href="${path}.diff">diff</a>, <a href="${path}.patch">patch</a></p></details>`
}

function actionOf(visit: Visit, { issue }: PullView, action: string): string {
  return pathTo(visit, 'pulls', String(issue.number), action)
}

async function renderMerged(
  visit: Visit,
  shown: PullView,
  rejected?: Rejected<string>,
): Promise<Html> {
  const { ctx, viewer } = visit
  const { pull, mergedBy } = shown
  const isDroppable =
    viewer.account !== undefined && (await canDropHead(ctx, signedIn(viewer), shown))
  const drop =
    isDroppable &&
    html`<form method="post" action="${actionOf(visit, shown, 'branch')}"><button class="button">Delete the branch ${pull.headBranch}</button></form>`
  return html`
<section class="sheet merge-box" id="merge" aria-label="Merge">
${renderLine('merge', 'merged', html`${mergedBy ? personLink(ctx.config, mergedBy) : 'Somebody'} merged this as ${idLink(visit, pull.mergeCommitId)} ${timeAgo(ctx.now(), pull.mergedAt)}.`, drop)}
${rejected?.form === 'branch' && html`<p class="problem" role="alert">${rejected.problem}</p>`}
</section>`
}

type Mood = 'good' | 'bad' | 'waiting' | 'merged'

function renderLine(picture: IconName, mood: Mood, text: Part, action?: Part): Html {
  return html`<div class="line"><span class="mood-${mood}">${icon(picture)}</span><p>${text}</p>${action}</div>`
}

async function renderObstacles(
  visit: Visit,
  shown: PullView,
  outlook: MergeOutlook,
): Promise<Html> {
  const { issue, pull } = shown
  const { isDraft, isConflicting, hasNothing, isBlocked, needsSignature, missing } = outlook
  if (hasNothing) return renderNothing(visit, shown)
  const isFree =
    !isDraft && !isConflicting && !isBlocked && !needsSignature && missing === undefined
  const turn = (draft: boolean, label: string) =>
    mayEdit(visit, issue, issue) &&
    html`<form method="post" action="${actionOf(visit, shown, 'draft')}"><button class="button" name="draft" value="${draft ? 'true' : 'false'}">${label}</button></form>`
  return html`
${isDraft && renderLine('clock', 'waiting', 'This is a draft, which is not merged.', turn(false, 'Ready for review'))}
${isConflicting && renderLine('branch', 'bad', html`There are conflicts with <code>${pull.baseBranch}</code>, which are to be solved in the branch.`, renderConflicts(await conflictsOf(visit.ctx, visit.view, pull)))}
${isBlocked && renderLine('link', 'bad', 'It depends on something that is open still.')}
${needsSignature && renderLine('lock', 'bad', html`Only signed commits come into <code>${pull.baseBranch}</code>: merge on your own machine.`)}
${missing !== undefined && renderLine('clock', 'waiting', html`The rules of <code>${pull.baseBranch}</code> want more: ${missing}.`)}
${isFree && renderLine('check', 'good', 'It can be merged.', turn(true, 'Make it a draft'))}
${await renderUpdate(visit, shown)}`
}

/** Somebody has pushed it to the base branch, or merged it by hand. */
function renderNothing(visit: Visit, { issue, pull }: PullView): Html {
  const close =
    mayTurn(visit, issue) &&
    html`<form method="post" action="${formPath(visit, issue, 'comments')}"><button class="button" name="action" value="close">Close pull request</button></form>`
  return renderLine(
    'merge',
    'merged',
    html`Nothing to merge: all commits are in <code>${pull.baseBranch}</code>.`,
    close,
  )
}

function renderConflicts(files: readonly string[]): Part {
  if (files.length === 0) return undefined
  const shown = files.slice(0, MAX_CONFLICTS).map((file) => html`<li><code>${file}</code></li>`)
  const more = files.length - shown.length
  return html`<ul class="plain conflicts" aria-label="In conflict">${shown}${more > 0 && html`<li class="mute">and ${counted(more, 'more file')}</li>`}</ul>`
}

async function renderUpdate(visit: Visit, shown: PullView): Promise<Part> {
  const { ctx, viewer, view } = visit
  const { pull } = shown
  if (pull.mergeBase === pull.baseCommitId) return undefined
  const styles =
    viewer.account && !view.repo.isArchived
      ? await updateStylesFor(ctx, signedIn(viewer), view, shown)
      : []
  const labels = { merge: 'Update by merge', rebase: 'Update by rebase' }
  const form =
    styles.length > 0 &&
    html`<form method="post" action="${actionOf(visit, shown, 'update')}">${styles.map((style) => html`<button class="button" name="style" value="${style}">${labels[style]}</button> `)}</form>`
  return renderLine(
    'history',
    'waiting',
    html`<code>${pull.baseBranch}</code> has commits that this branch lacks.`,
    form,
  )
}

function renderSchedule(visit: Visit, shown: PullView): Part {
  const { viewer, view } = visit
  const { pull } = shown
  if (pull.autoMerge === '') return undefined
  const mayStop = pull.autoMergeById === viewer.account?.id || reaches(view.access.level, 'admin')
  const stop =
    mayStop &&
    viewer.account !== undefined &&
    html`<form method="post" action="${actionOf(visit, shown, 'merge')}"><button class="button" name="action" value="cancel">Do not merge by itself</button></form>`
  return renderLine(
    'clock',
    'waiting',
    'It will be merged by itself as soon as nothing is missing.',
    stop,
  )
}
