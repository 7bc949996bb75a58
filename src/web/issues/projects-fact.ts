import type { Issue } from '../../issues/issue.ts'
import type { Project } from '../../projects/project.ts'
import { projectsToChoose, readsProjects } from '../../projects/projects.ts'
import { projectsOfIssues } from '../../projects/view.ts'
import { html, type Html, type Part } from '../html.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { renderFact, renderFactForm } from './fact.ts'
import { formPath } from './paths.ts'

/** The boards on which it is, where the repository has any. */
export async function renderProjectsFact(
  visit: Visit,
  issue: Issue,
  isOpen: boolean,
): Promise<Part> {
  const { ctx, viewer, view } = visit
  if (!readsProjects(view)) return undefined
  const seenBy = { config: ctx.config, caller: viewer }
  const views = (await projectsOfIssues(ctx.db, seenBy, [issue.id])).get(issue.id) ?? []
  const on = views.map(({ project }) => project)
  const offered = isOpen ? await projectsToChoose(ctx, view) : []
  const others = offered.filter(({ id }) => on.every((one) => one.id !== id))
  if (on.length + others.length === 0) return undefined
  return renderFact('Projects', renderBoards(visit, on), isOpen && choose(visit, issue, on, others))
}

function renderBoards(visit: Visit, boards: readonly Project[]): Part {
  if (boards.length === 0) return html`<p class="mute">None</p>`
  return boards.map(
    ({ id, title }) => html`<p><a href="${pathTo(visit, 'projects', String(id))}">${title}</a></p>`,
  )
}

function choose(
  visit: Visit,
  issue: Issue,
  on: readonly Project[],
  others: readonly Project[],
): Html {
  const option = ({ id, title }: Project, isChosen: boolean) =>
    html`<label class="option"><input type="checkbox" name="project" value="${id}"${isChosen && html` checked`}> ${title}</label>`
  const fields = html`${on.map((one) => option(one, true))}${others.map((one) => option(one, false))}`
  return renderFactForm({ action: formPath(visit, issue, 'projects'), what: 'projects', fields })
}
