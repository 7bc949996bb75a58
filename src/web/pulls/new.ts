import { splitComparison } from '../../code/commits/compare.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import type { FileTerms } from '../../platform/http/stored-form.ts'
import { createPullWithFiles } from '../../collaboration/issue-attachments/pull-with-files.ts'
import { assertReadsPulls } from '../../collaboration/pulls/load.ts'
import { assertNotArchived } from '../../repositories/repository/load.ts'
import { textIn } from '../issues/editor.ts'
import { mayAttachToNew } from '../issues/files-path.ts'
import { issuePath } from '../issues/paths.ts'
import { isAboutRoom, noRoom, termsOf, whatNow, whyRefused } from '../issues/sent-files.ts'
import { renderComparison } from '../repository/compare.ts'
import type { Done, Submitted } from '../repository/form.ts'
import { restOf, type Visit } from '../repository/visit.ts'

const problems = new Map<string, string>([
  ['invalid', 'Give it a title.'],
  ['conflict', 'There is an open pull request for these branches already.'],
])

/** From those who may open one. */
export async function takeFilesOfPull(visit: Visit): Promise<FileTerms> {
  assertReadsPulls(visit.view)
  assertNotArchived(visit.view)
  if (!mayAttachToNew(visit)) throw notFound()
  return termsOf(visit.ctx)
}

/** Opens a pull request from the page that compares two branches. */
export async function openPull(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form, stored, refused } = submitted
  assertReadsPulls(view)
  assertNotArchived(view)
  const { base, headText } = splitComparison(view.repo, restOf(submitted))
  const title = form.get('title') ?? ''
  const body = textIn(form)
  const allowsEdit = form.get('allow_edit') === 'true'
  const filesProblem = stored.count > 0 ? whatNow(submitted) : undefined
  const state = { title, body, allowsEdit, filesProblem }
  if (refused) {
    const why = whyRefused(submitted, refused)
    return renderComparison(submitted, { ...state, filesProblem: why })
  }
  try {
    const wanted = {
      head: headText,
      base,
      title,
      body,
      assignees: [],
      labelIds: [],
      milestoneId: 0,
      dueAt: 0,
      allowsMaintainerEdit: allowsEdit,
      reviewers: { people: [], teams: [] },
    }
    const issue = await createPullWithFiles(ctx, viewer, view, wanted, stored.take())
    return { leadsTo: issuePath(submitted, issue) }
  } catch (error) {
    if (isAboutRoom(error)) {
      return renderComparison(submitted, { ...state, filesProblem: noRoom(submitted) })
    }
    const problem = error instanceof AppError ? problems.get(error.code) : undefined
    if (problem === undefined) throw error
    return renderComparison(submitted, { ...state, problem })
  }
}
