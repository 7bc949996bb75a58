import type { FilesChange } from '../../code/content/change.ts'
import type { FileOperation } from '../../code/content/operations.ts'
import { loadProtection } from '../../code/protection/enforce.ts'
import { FormFields, formOfValues, typedText } from '../forms/fields.ts'
import type { FormProblem } from '../forms/problem.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Visit } from '../repository/visit.ts'

/** What somebody says about their commit, and where it goes. */
export interface CommitWish {
  readonly summary: string
  readonly details: string
  readonly toNewBranch: boolean
  readonly newBranch: string
}

export function readWish(form: URLSearchParams): CommitWish {
  return {
    summary: (form.get('commit_summary') ?? '').trim(),
    details: typedText(form, 'commit_message').trim(),
    toNewBranch: form.get('commit_choice') === 'commit-to-new-branch',
    newBranch: (form.get('new_branch_name') ?? '').trim(),
  }
}

/** The beginning: where the rules of the branch forbid to commit to it, a new one is offered. */
export async function firstWish(visit: Visit, branch: string, path: string): Promise<CommitWish> {
  const { ctx, viewer, view } = visit
  const protection = await loadProtection(ctx, viewer, view.repo)
  const planned = { branch, files: [path], isForce: false, isNew: view.repo.isEmpty }
  return {
    summary: '',
    details: '',
    toNewBranch: (await protection.refusalOfCommit(planned)) !== undefined,
    newBranch: `${viewer.account?.name ?? ''}-patch-1`,
  }
}

/** Nobody who wants a branch of their own commits to this one. */
export function wishProblem(branch: string, wish: CommitWish): FormProblem | undefined {
  if (!wish.toNewBranch || (wish.newBranch !== '' && wish.newBranch !== branch)) return undefined
  const message =
    wish.newBranch === '' ? 'Name the new branch.' : 'There is a branch of this name already.'
  return { field: 'new_branch_name', message }
}

export function changeOf(
  branch: string,
  { summary, details, toNewBranch, newBranch }: CommitWish,
  operations: readonly FileOperation[],
): FilesChange {
  return {
    operations,
    branch,
    newBranch: toNewBranch ? newBranch : '',
    message: [summary, details].filter((part) => part !== '').join('\n\n'),
    author: undefined,
    committer: undefined,
    authoredAt: undefined,
    committedAt: undefined,
    signOff: false,
    force: false,
  }
}

export interface WishState {
  readonly branch: string
  readonly wish: CommitWish
  /** What stands in the history without a summary. */
  readonly usual: string
  readonly problem: FormProblem | undefined
}

export function renderWish({ view }: Visit, { branch, wish, usual, problem }: WishState): Html {
  const fields = new FormFields({ form: formOfWish(wish), problem })
  return html`
${fields.text('commit_summary', 'What the commit does', { optional: true, hint: `Left empty, it is: ${usual}` })}
${fields.area('commit_message', 'More about it', { rows: 3, holds: 'prose' })}
${
  view.repo.isEmpty
    ? html`<p class="mute">It is the first commit of ${branch}.</p>`
    : html`<fieldset class="choice"><legend>Where it goes</legend>
${renderChoice('direct', html`To <b>${branch}</b>`, !wish.toNewBranch)}
${renderChoice('commit-to-new-branch', html`To a new branch, which can be compared and merged`, wish.toNewBranch)}
${fields.text('new_branch_name', 'Name of the new branch', { optional: true })}
</fieldset>`
}`
}

function formOfWish({ summary, details, newBranch }: CommitWish): URLSearchParams {
  const values = { commit_summary: summary, commit_message: details, new_branch_name: newBranch }
  return formOfValues(values)
}

function renderChoice(value: string, label: Html, isChosen: boolean): Part {
  return html`<label class="option"><input type="radio" name="commit_choice" value="${value}"${isChosen && html` checked`}> <span>${label}</span></label>`
}
