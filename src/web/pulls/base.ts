import type { PullView } from '../../collaboration/pulls/view.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import { html, type Part } from '../../platform/html.ts'
import { mayEdit } from '../issues/editing.ts'
import { issuePath } from '../issues/paths.ts'
import type { Rejected } from '../issues/rejected.ts'
import { loadRefs } from '../repository/ref-menu.ts'
import { pathTo, type Visit } from '../repository/visit.ts'

/** Those who edit it, as long as it can be merged somewhere. */
export function mayChangeBase(visit: Visit, { issue }: PullView): boolean {
  return !issue.isClosed && mayEdit(visit, issue, issue)
}

/** Which branch a pull request is to be merged into, when somebody wants to change that. */
export async function renderBaseForm(
  visit: Visit,
  shown: PullView,
  rejected?: Rejected<string>,
): Promise<Part> {
  const { issue, pull } = shown
  const before = rejected?.form === 'base' ? rejected : undefined
  const isWanted = before !== undefined || visit.query.text('edit') === 'base'
  if (!isWanted || !mayChangeBase(visit, shown)) return undefined
  return html`
<form class="retitle" method="post" action="${pathTo(visit, 'pulls', String(issue.number), 'base')}">
<label for="base">Branch to merge into</label>
<input id="base" name="base" value="${before?.text ?? pull.baseBranch}" list="branches" required autofocus autocomplete="off" autocapitalize="none" spellcheck="false"${before && html` aria-invalid="true" aria-describedby="base-problem"`}>
<datalist id="branches">${(await branchesFor(visit)).map((name) => html`<option value="${name}">`)}</datalist>
<span class="row"><button class="button main">Save</button><a class="button" href="${issuePath(visit, issue)}">Cancel</a></span>
${before && html`<p class="problem" id="base-problem" role="alert">${before.problem}</p>`}
</form>`
}

/** Who does not read the code has to know the name. */
async function branchesFor(visit: Visit): Promise<readonly string[]> {
  if (!readsUnit(visit.view, 'repo.code')) return []
  return (await loadRefs(visit)).branches.names
}
