import { createBranch, deleteBranch, renameBranch } from '../../code/branches/change.ts'
import { AppError } from '../../platform/errors.ts'
import { signedIn } from '../../platform/http/call.ts'
import { statuses } from '../../platform/http/errors.ts'
import { assertNotArchived, assertWrites } from '../../repositories/repository/load.ts'
import { deleteTag } from '../../code/tags/tags.ts'
import type { Done, Submitted } from './form.ts'
import type { RefProblem } from './ref-forms.ts'
import { showBranches, showTags } from './refs.ts'
import type { InShell } from './shell.ts'
import { assertReadsCode } from './source.ts'
import { pathTo, type Visit } from './visit.ts'

/** In the order of the API. */
export function assertMayChangeRefs(visit: Visit): void {
  assertReadsCode(visit)
  signedIn(visit.viewer)
  assertNotArchived(visit.view)
  assertWrites(visit.view, 'repo.code')
}

export async function takeNewBranch(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view } = submitted
  const typed = textOf(submitted, 'branch')
  const name = textOf(submitted, 'from')
  return attempt(submitted, showBranches, { action: 'new', name, typed }, async () => {
    await createBranch(ctx, viewer, view, { name: typed, from: name, fromBranch: '' })
    return pathTo(submitted, 'src/branch', typed)
  })
}

export async function takeRename(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view } = submitted
  const name = textOf(submitted, 'name')
  const typed = textOf(submitted, 'to')
  return attempt(submitted, showBranches, { action: 'rename', name, typed }, async () => {
    await renameBranch(ctx, viewer, view, { from: name, to: typed })
    return pathTo(submitted, 'branches')
  })
}

export async function takeBranchDelete(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view } = submitted
  return takeDelete(submitted, showBranches, async (name) => {
    await deleteBranch(ctx, viewer, view, name)
    return pathTo(submitted, 'branches')
  })
}

export async function takeTagDelete(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view } = submitted
  return takeDelete(submitted, showTags, async (name) => {
    await deleteTag(ctx, viewer, view, name)
    return pathTo(submitted, 'tags')
  })
}

type ShowAgain = (visit: Visit, problem: RefProblem) => Promise<InShell>

/** What cannot be undone asks for the name once more. */
async function takeDelete(
  submitted: Submitted,
  show: ShowAgain,
  remove: (name: string) => Promise<string>,
): Promise<Done> {
  const name = textOf(submitted, 'name')
  const typed = textOf(submitted, 'confirm')
  if (typed !== name) {
    const message = `Type ${name} to delete it.`
    return show(submitted, { action: 'delete', name, typed, message })
  }
  return attempt(submitted, show, { action: 'delete', name, typed }, () => remove(name))
}

/** What the sender can do something about is told on the list; what is not there is missing. */
async function attempt(
  submitted: Submitted,
  show: ShowAgain,
  sent: Omit<RefProblem, 'message'>,
  act: () => Promise<string>,
): Promise<Done> {
  try {
    return { leadsTo: await act() }
  } catch (error) {
    if (!(error instanceof AppError) || !isTold(sent.action, error)) throw error
    const shown = await show(submitted, { ...sent, message: wordsFor(error) })
    return error.code === 'forbidden' ? { ...shown, status: statuses.forbidden } : shown
  }
}

/** Where a new branch begins is typed; other refs come from the page. */
function isTold(action: RefProblem['action'], { code }: AppError): boolean {
  if (code === 'not_found') return action === 'new'
  return ['invalid', 'conflict', 'forbidden'].includes(code)
}

function wordsFor({ broken, message }: AppError): string {
  return broken?.field === 'BranchName' && broken.rule === 'GitRefName'
    ? 'Git does not take this as the name of a branch.'
    : message
}

function textOf({ form }: Submitted, name: string): string {
  return (form.get(name) ?? '').trim()
}
