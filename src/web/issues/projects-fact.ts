import { basePath } from '../../platform/config/urls.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import type { Project } from '../../collaboration/projects/project.ts'
import { boardsPath } from '../../collaboration/projects/present.ts'
import { placesFor, projectsToChoose } from '../../collaboration/projects/projects.ts'
import { projectsOfIssues, type ProjectView } from '../../collaboration/projects/view.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Visit } from '../repository/visit.ts'
import { renderFact, renderFactForm } from './fact.ts'
import { formPath } from './paths.ts'

/** The boards on which it is, where the repository has any. */
export async function renderProjectsFact(
  visit: Visit,
  issue: Issue,
  isOpen: boolean,
): Promise<Part> {
  const { ctx, viewer, view } = visit
  const places = await placesFor(ctx, viewer, view)
  if (places.length === 0) return undefined
  const seenBy = { config: ctx.config, caller: viewer }
  const views = (await projectsOfIssues(ctx.db, seenBy, [issue.id])).get(issue.id) ?? []
  const on = views.map(({ project }) => project)
  const offered = isOpen ? await projectsToChoose(ctx, places) : []
  const others = offered.filter(({ id }) => on.every((one) => one.id !== id))
  if (on.length + others.length === 0) return undefined
  return renderFact(
    'Projects',
    renderBoards(visit, views),
    isOpen && choose(visit, issue, on, others),
  )
}

function renderBoards({ ctx }: Visit, boards: readonly ProjectView[]): Part {
  if (boards.length === 0) return html`<p class="mute">None</p>`
  return boards.map(
    ({ project, home }) =>
      html`<p><a href="${basePath(ctx.config)}/${boardsPath(home)}/${project.id}">${project.title}</a></p>`,
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
