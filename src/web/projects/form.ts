import { templateNames, type Project, type Template } from '../../collaboration/projects/project.ts'
import { createProject, editProject, removeProject } from '../../collaboration/projects/projects.ts'
import { FormFields, formOfValues, typedText } from '../forms/fields.ts'
import type { FormProblem } from '../forms/problem.ts'
import { html, type Html } from '../../platform/html.ts'
import { renderRemoval } from '../tracker/removal.ts'
import {
  boardPath,
  loadOfPage,
  type BoardsForm,
  type BoardsLook,
  type BoardsPage,
  type Done,
} from './look.ts'

const MAX_TITLE = 255

const templateLabels: Readonly<Record<Template, string>> = {
  basic_kanban: 'Backlog, To Do, In Progress, Done',
  bug_triage: 'Backlog, Needs Triage, High Priority, Low Priority, Closed',
  none: 'Backlog alone',
}

interface Draft {
  readonly title: string
  readonly description: string
  /** Of a new one. */
  readonly template: string
}

interface ProjectForm {
  readonly draft: Draft
  /** The one that is edited. */
  readonly project?: Project | undefined
  readonly problem?: FormProblem | undefined
  readonly mistyped?: string
}

export async function showNewProject(look: BoardsLook): Promise<BoardsPage> {
  return pageWith(look, { draft: { title: '', description: '', template: 'basic_kanban' } })
}

export async function showProjectEdit(look: BoardsLook): Promise<BoardsPage> {
  const project = await loadOfPage(look)
  return pageWith(look, { draft: project, project })
}

export async function takeNewProject(submitted: BoardsForm): Promise<Done> {
  const { ctx, viewer, boards } = submitted
  const draft = readDraft(submitted.form)
  const problem = draftProblem(draft)
  const template = templateNames.find((name) => name === draft.template) ?? 'none'
  if (problem) return pageWith(submitted, { draft, problem })
  const wanted = { ...draft, template, cardType: 'text_only' } as const
  return { leadsTo: boardPath(submitted, await createProject(ctx, viewer, boards.place, wanted)) }
}

export async function takeProjectEdit(submitted: BoardsForm): Promise<Done> {
  const project = await loadOfPage(submitted)
  const draft = readDraft(submitted.form)
  const problem = draftProblem(draft)
  if (problem) return pageWith(submitted, { draft, project, problem })
  const { title, description } = draft
  await editProject(submitted.ctx, project, { ...unchanged, title, description })
  return { leadsTo: boardPath(submitted, project) }
}

const unchanged = {
  title: undefined,
  description: undefined,
  cardType: undefined,
  isClosed: undefined,
}

export async function takeProjectState(submitted: BoardsForm): Promise<Done> {
  const project = await loadOfPage(submitted)
  const isClosed = submitted.form.get('action') === 'close'
  await editProject(submitted.ctx, project, { ...unchanged, isClosed })
  return { leadsTo: boardPath(submitted, project) }
}

export async function takeProjectDelete(submitted: BoardsForm): Promise<Done> {
  const project = await loadOfPage(submitted)
  const typed = (submitted.form.get('confirm') ?? '').trim()
  if (typed !== project.title.trim()) {
    return pageWith(submitted, { draft: project, project, mistyped: typed })
  }
  await removeProject(submitted.ctx, project)
  return { leadsTo: submitted.path }
}

function readDraft(form: URLSearchParams): Draft {
  return {
    title: (form.get('title') ?? '').trim(),
    description: typedText(form, 'description'),
    template: form.get('template') ?? '',
  }
}

function draftProblem({ title }: Draft): FormProblem | undefined {
  if (title === '') return { field: 'title', message: 'Give it a title.' }
  if (title.length <= MAX_TITLE) return undefined
  return { field: 'title', message: `A title has at most ${MAX_TITLE} characters.` }
}

function pageWith(look: BoardsLook, form: ProjectForm): BoardsPage {
  const title = form.project ? `Edit ${form.project.title}` : 'New project'
  return { title, content: renderForm(look, form) }
}

function renderForm(look: BoardsLook, { draft, project, problem, mistyped }: ProjectForm): Html {
  const path = project ? boardPath(look, project) : look.path
  const { title, description, template } = draft
  const fields = new FormFields({ form: formOfValues({ title, description, template }), problem })
  const templates = templateNames.map((value) => ({ value, label: templateLabels[value] }))
  const warning = 'Its issues stay, without it.'
  return html`<h2>${project ? 'Edit project' : 'New project'}</h2>
<form class="form release-form" method="post" action="${path}/${project ? 'edit' : 'new'}">
${fields.text('title', 'Title')}
${fields.area('description', 'Description', { rows: 6, holds: 'prose', hint: 'Markdown.' })}
${!project && fields.select('template', 'Columns', templates, 'They can be changed later.')}
<p class="actions"><button class="button main">Save project</button> <a class="button" href="${path}">Cancel</a></p>
</form>
${
  project &&
  html`<form class="row" method="post" action="${path}/state"><button class="button" name="action" value="${project.isClosed ? 'open' : 'close'}">${project.isClosed ? 'Reopen project' : 'Close project'}</button></form>
<div class="ref-forms">${renderRemoval({ action: `${path}/delete`, name: project.title, warning, mistyped })}</div>`
}`
}
