import type { MergeOutlook } from '../../pulls/merge-rights.ts'
import { isStyleAllowed, mergeStyles, type MergeStyle } from '../../pulls/merge-style.ts'
import type { PullView } from '../../pulls/view.ts'
import { html, type Html, type Part } from '../html.ts'
import type { Rejected } from '../issues/rejected.ts'
import { pathTo, type Visit } from '../repository/visit.ts'

const labels: Readonly<Record<MergeStyle, string>> = {
  merge: 'Make a merge commit',
  rebase: 'Rebase, then fast-forward',
  'rebase-merge': 'Rebase, then make a merge commit',
  squash: 'Squash to one commit',
  'fast-forward-only': 'Fast-forward only',
  'manually-merged': 'Merged by hand',
}

/** For those who may merge, as far as it can be done here. */
export function renderMergeForm(
  visit: Visit,
  shown: PullView,
  outlook: MergeOutlook,
  before?: Rejected<string>,
): Part {
  if (!outlook.mayMerge) {
    return html`<p class="line mute">Those who may write to <code>${shown.pull.baseBranch}</code> merge it here.</p>`
  }
  const settings = visit.view.units.settings('repo.pulls')
  const styles = mergeStyles.filter((style) => isStyleAllowed(settings, style))
  const { isDraft, isConflicting, hasNothing, isBlocked, needsSignature } = outlook
  const isStopped = isDraft || isConflicting || hasNothing || isBlocked || needsSignature
  const usual = styles.filter((style) => style !== 'manually-merged')
  return html`
${before && html`<p class="problem" role="alert">${before.problem}</p>`}
${!isStopped && usual.length > 0 && renderUsual(visit, shown, outlook, usual, before)}
${styles.includes('manually-merged') && renderManual(visit, shown)}`
}

function renderUsual(
  visit: Visit,
  { issue, pull }: PullView,
  { missing, mayOverrule }: MergeOutlook,
  styles: readonly MergeStyle[],
  before?: Rejected<string>,
): Html {
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
<p class="field"><label for="merge-title">First line of the message</label><input id="merge-title" name="title" autocomplete="off" value="${before?.fields?.get('title')}" placeholder="${issue.title} (#${issue.number})"><span class="hint">Empty for the usual one.</span></p>
<p class="field"><label for="merge-message">More of the message</label><textarea id="merge-message" name="message" rows="3">
${before?.text}</textarea></p>
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
