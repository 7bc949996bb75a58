import { reaches } from '../../platform/access-level.ts'
import type { Protection } from '../../code/protection/enforce.ts'
import { writesUnit } from '../../repositories/repository/load.ts'
import { FormFields, formOfValues } from '../forms/fields.ts'
import { renderProblem } from '../forms/problem.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { isHome } from './source.ts'
import { pathTo, type Visit } from './visit.ts'

type Action = 'new' | 'rename' | 'delete'

/** A form that came back. */
export interface RefProblem {
  readonly action: Action
  /** Of the ref that it was about; where a new branch was to begin. */
  readonly name: string
  readonly typed: string
  readonly message: string
}

/** Whether the ways to change refs are shown. */
export function mayChangeRefs({ viewer, view }: Visit): boolean {
  const { isArchived, isMirror, isEmpty } = view.repo
  if (!viewer.account || isArchived || isMirror || isEmpty) return false
  return reaches(view.access.level, 'admin') || writesUnit(view, 'repo.code')
}

export function renderRefProblem(problem: RefProblem | undefined): Part {
  if (!problem || problem.action === 'new') return undefined
  return renderProblem({ message: `${problem.name}: ${problem.message}` })
}

export function renderNewBranch(visit: Visit, problem: RefProblem | undefined): Part {
  if (!mayChangeRefs(visit)) return undefined
  const sent = problem?.action === 'new' ? problem : undefined
  const from = sent?.name || visit.query.text('from') || visit.view.repo.defaultBranch
  const fields = new FormFields({
    form: formOfValues({ branch: sent?.typed ?? '', from }),
    problem: sent && { field: 'branch', message: sent.message },
  })
  return html`<details class="sheet opened-form"${sent && html` open`}><summary>New branch</summary>
<form class="form" method="post" action="${pathTo(visit, 'branches/new')}">
${fields.text('branch', 'Name')}
${fields.text('from', 'From', { hint: 'A branch, a tag or a commit.' })}
<button class="button main">Create branch</button>
</form></details>`
}

/** What may be done with a branch: the default one stays, and rules protect others. */
export function renderBranchForms(
  visit: Visit,
  protection: Protection,
  name: string,
  problem: RefProblem | undefined,
): Part {
  if (!mayChangeRefs(visit)) return undefined
  const isDefault = isHome(visit, { kind: 'branch', name })
  const isProtected = protection.ruleOf(name) !== undefined
  const administers = reaches(visit.view.access.level, 'admin')
  const sent = problem?.name === name ? problem : undefined
  return html`<div class="ref-forms">
${(administers || (!isDefault && !isProtected)) && renderRename(visit, name, sent)}
${!isDefault && !isProtected && renderDelete(visit, 'branches/delete', name, sent)}
</div>`
}

function renderRename(visit: Visit, name: string, problem: RefProblem | undefined): Html {
  const sent = problem?.action === 'rename' ? problem : undefined
  return html`<details${sent && html` open`}><summary>Rename<span class="unseen"> ${name}</span></summary>
<form method="post" action="${pathTo(visit, 'branches/rename')}"><input type="hidden" name="name" value="${name}">
<label><span>New name</span> <input name="to" value="${sent?.typed ?? name}" required autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<button class="button">Rename</button></form></details>`
}

export function renderDelete(
  visit: Visit,
  path: string,
  name: string,
  problem: RefProblem | undefined,
): Html {
  const sent = problem?.action === 'delete' && problem.name === name ? problem : undefined
  return html`<details${sent && html` open`}><summary>Delete<span class="unseen"> ${name}</span></summary>
<form method="post" action="${pathTo(visit, path)}"><input type="hidden" name="name" value="${name}">
<label><span>Type <b>${name}</b> to delete it</span> <input name="confirm" value="${sent?.typed ?? ''}" required autocomplete="off" autocapitalize="none" spellcheck="false"></label>
<button class="button danger">Delete</button></form></details>`
}
