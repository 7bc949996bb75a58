import { splitComparison } from '../../commits/compare.ts'
import { AppError } from '../../errors.ts'
import { createPull } from '../../pulls/create.ts'
import { assertReadsPulls } from '../../pulls/load.ts'
import { assertNotArchived } from '../../repositories/load.ts'
import { textIn } from '../issues/editor.ts'
import { issuePath } from '../issues/paths.ts'
import { renderComparison } from '../repository/compare.ts'
import type { Done, Submitted } from '../repository/form.ts'
import { restOf } from '../repository/visit.ts'

const problems = new Map<string, string>([
  ['invalid', 'Give it a title.'],
  ['conflict', 'There is an open pull request for these branches already.'],
])

/** Opens a pull request from the page that compares two branches. */
export async function openPull(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  assertReadsPulls(view)
  assertNotArchived(view)
  const { base, headText } = splitComparison(view.repo, restOf(submitted))
  const title = form.get('title') ?? ''
  const body = textIn(form)
  const allowsEdit = form.get('allow_edit') === 'true'
  try {
    const issue = await createPull(ctx, viewer, view, {
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
    })
    return { leadsTo: issuePath(submitted, issue) }
  } catch (error) {
    const problem = error instanceof AppError ? problems.get(error.code) : undefined
    if (problem === undefined) throw error
    return renderComparison(submitted, { title, body, allowsEdit, problem })
  }
}
