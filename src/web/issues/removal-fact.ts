import type { Issue } from '../../collaboration/issues/issue.ts'
import { renderLoss } from '../forms/settings.ts'
import type { Html } from '../../platform/html.ts'
import type { Visit } from '../repository/visit.ts'
import { renderFact } from './fact.ts'
import { formPath } from './paths.ts'

/** For those who administer. */
export function renderRemovalFact(visit: Visit, issue: Issue): Html {
  const kind = issue.isPull ? 'pull request' : 'issue'
  const warning = `The ${kind}, its comments and its files are lost. Its number is not given again.`
  const loss = { label: `Delete this ${kind}`, sure: 'Delete for good', warning }
  return renderFact('Deletion', renderLoss(formPath(visit, issue, 'delete'), loss))
}
