import type { MergeOutlook } from '../../collaboration/pulls/merge-rights.ts'
import {
  isStyleAllowed,
  mergeStyles,
  type MergeStyle,
} from '../../collaboration/pulls/merge-style.ts'
import type { PullView } from '../../collaboration/pulls/view.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Rejected } from '../issues/rejected.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { renderMessages } from './merge-message.ts'

const labels: Readonly<Record<MergeStyle, string>> = {
  merge: 'Make a merge commit',
  rebase: 'Rebase, then fast-forward',
  'rebase-merge': 'Rebase, then make a merge commit',
  squash: 'Squash to one commit',
  'fast-forward-only': 'Fast-forward only',
  'manually-merged': 'Merged by hand',
}

/** For those who may merge, as far as it can be done here. */
export async function renderMergeForm(
  visit: Visit,
  shown: PullView,
  outlook: MergeOutlook,
  before?: Rejected<string>,
): Promise<Part> {
  if (!outlook.mayMerge) {
    return html`<p class="line mute">Those who may write to <code>${shown.pull.baseBranch}</code> merge it here.</p>`
  }
  const settings = visit.view.units.settings('repo.pulls')
  const styles = mergeStyles.filter((style) => isStyleAllowed(settings, style))
  const { isDraft, isConflicting, hasNothing, isBlocked, needsSignature } = outlook
  const isStopped = isDraft || isConflicting || hasNothing || isBlocked || needsSignature
  const { mergeBase, baseCommitId, baseBranch } = shown.pull
  const isBehind = mergeBase !== baseCommitId
  const unfit = isBehind ? ['manually-merged', 'fast-forward-only'] : ['manually-merged']
  const usual = styles.filter((style) => !unfit.includes(style))
  const needsUpdate = isBehind && styles.includes('fast-forward-only')
  return html`
${before && html`<p class="problem" role="alert">${before.problem}</p>`}
${!isStopped && usual.length > 0 && (await renderUsual(visit, shown, outlook, usual, before))}
${!isStopped && needsUpdate && html`<p class="line mute">Fast-forward only is possible once this branch has all commits of <code>${baseBranch}</code>.</p>`}
${styles.includes('manually-merged') && renderManual(visit, shown)}`
}

async function renderUsual(
  visit: Visit,
  shown: PullView,
  { missing, mayOverrule }: MergeOutlook,
  styles: readonly MergeStyle[],
  before?: Rejected<string>,
): Promise<Html> {
  const { issue, pull } = shown
  const settings = visit.view.units.settings('repo.pulls')
  const chosen = before?.fields?.get('style') ?? settings?.defaultMergeStyle
  const option = (style: MergeStyle) =>
    html`<option value="${style}"${style === chosen && html` selected`}>${labels[style]}</option>`
  const drops = before?.fields
    ? before.fields.has('delete_branch')
    : settings?.deleteBranchAfterMerge
  const waits = missing !== undefined && pull.autoMerge === ''
  return html`
<form class="form" method="post" action="${pathTo(visit, 'pulls', String(issue.number), 'merge')}">
<input type="hidden" name="head_commit_id" value="${pull.headCommitId}">
<p class="field"><label for="merge-style">How</label><select id="merge-style" name="style">${styles.map(option)}</select></p>
${await renderMessages(visit, shown, styles, before)}
<p><label class="option"><input type="checkbox" name="delete_branch" value="true"${drops && html` checked`}> Delete the branch <code>${pull.headBranch}</code> afterwards</label></p>
${missing !== undefined && mayOverrule && html`<p><label class="option"><input type="checkbox" name="force" value="true"> Merge although something is missing</label></p>`}
<p class="row">${(missing === undefined || mayOverrule) && html`<button class="button main" name="action" value="merge">Merge</button>`}${waits && html`<button class="button" name="action" value="wait">Merge when nothing is missing</button>`}</p>
</form>`
}

function renderManual(visit: Visit, { issue }: PullView): Html {
  return html`
<details class="checks"><summary>It was merged by hand</summary>
<form class="form" method="post" action="${pathTo(visit, 'pulls', String(issue.number), 'merge')}">
<input type="hidden" name="style" value="manually-merged">
<p class="field"><label for="merge-commit">The commit that did it</label><input id="merge-commit" name="merge_commit_id" required autocomplete="off" spellcheck="false"></p>
<p><button class="button" name="action" value="merge">It is merged</button></p>
</form></details>`
}
