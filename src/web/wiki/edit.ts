import { AppError, notFound } from '../../platform/errors.ts'
import { createPage, editPage, removePage } from '../../code/wikis/edit.ts'
import { titleOfFile } from '../../code/wikis/name.ts'
import { loadPage, type WholePage } from '../../code/wikis/pages.ts'
import { FormFields, formOfValues, typedText } from '../forms/fields.ts'
import { explain, renderProblem, type Explanations, type FormProblem } from '../forms/problem.ts'
import { renderRemoval } from '../forms/removal.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Done, Submitted } from '../repository/form.ts'
import type { InShell } from '../repository/shell.ts'
import type { Show, Visit } from '../repository/visit.ts'
import { nameOf, newPath, pagePath } from './path.ts'
import { assertMayWrite, isEditable } from './rights.ts'

interface Draft {
  readonly title: string
  readonly content: string
  readonly message: string
}

interface WikiForm {
  readonly draft: Draft
  /** The one that is edited. */
  readonly page?: WholePage | undefined
  readonly problem?: FormProblem | undefined
}

export const showNewPage: Show = async (visit) => {
  assertMayWrite(visit)
  const title = visit.query.text('title') ?? ''
  return inTab(visit, { draft: { title, content: '', message: '' } })
}

export const showEdit: Show = async (visit) => {
  assertMayWrite(visit)
  const page = await loadOfPath(visit)
  return inTab(visit, { draft: draftOf(page), page })
}

export async function takeNewPage(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view } = submitted
  const draft = readDraft(submitted.form)
  return attempt(submitted, { draft }, () => createPage(ctx, viewer, view.repo, toEdit(draft)))
}

/** What may be done with a page that is there. */
export async function takeChange(submitted: Submitted): Promise<Done> {
  const action = submitted.query.text('action')
  if (action === 'edit') return takeEdit(submitted)
  if (action === 'delete') return takeDelete(submitted)
  throw notFound()
}

async function takeEdit(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const page = await loadOfPath(submitted)
  const draft = readDraft(form)
  const replaces = form.get('sha') ?? ''
  return attempt(submitted, { draft, page }, () =>
    editPage(ctx, viewer, view.repo, page.file, { ...toEdit(draft), replaces }),
  )
}

const changed: FormProblem = {
  message:
    'Somebody has changed this page since you began. Nothing is saved yet: look at what is there now, and save again to put yours in its place.',
}

async function takeDelete(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const page = await loadOfPath(submitted)
  const title = titleOfFile(page.file)
  if ((form.get('confirm') ?? '').trim() !== title.trim()) {
    const problem = { field: 'confirm', message: `Type ${title} to delete it.` }
    return inTab(submitted, { draft: draftOf(page), page, problem })
  }
  await removePage(ctx, viewer, view.repo, page.file)
  return { leadsTo: `${submitted.home}/wiki` }
}

async function attempt(
  submitted: Submitted,
  state: WikiForm,
  save: () => Promise<string>,
): Promise<Done> {
  if (state.draft.title === '') return inTab(submitted, { ...state, problem: untitled })
  try {
    return { leadsTo: pagePath(submitted, await save()) }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'conflict' && state.page) {
      return inTab(submitted, { ...state, page: await loadOfPath(submitted), problem: changed })
    }
    if (error.code !== 'bad_request') throw error
    const problem = explain(error, explanations) ?? untakable
    return inTab(submitted, { ...state, problem })
  }
}

const untitled: FormProblem = { field: 'title', message: 'Give it a title.' }

const untakable: FormProblem = { field: 'title', message: 'A page cannot have this title.' }

const explanations: Explanations = {
  name_taken: { field: 'title', message: 'There is a page of this title already.' },
  name_reserved: { field: 'title', message: 'This title is kept for other things.' },
}

function readDraft(form: URLSearchParams): Draft {
  return {
    title: (form.get('title') ?? '').trim(),
    content: typedText(form, 'content'),
    message: (form.get('message') ?? '').trim(),
  }
}

function draftOf({ file, content }: WholePage): Draft {
  return { title: titleOfFile(file), content: content.toString('utf8'), message: '' }
}

function toEdit({ title, content, message }: Draft) {
  return { title, content: Buffer.from(content), message }
}

async function loadOfPath(visit: Visit): Promise<WholePage> {
  const page = await loadPage(visit.ctx, visit.view.repo, nameOf(visit))
  if (!isEditable(page)) throw notFound()
  return page
}

function inTab(visit: Visit, form: WikiForm): InShell {
  const title = form.page ? `Edit ${titleOfFile(form.page.file)}` : 'New page'
  return { tab: 'wiki', title, content: renderForm(visit, form) }
}

function renderForm(visit: Visit, { draft, page, problem }: WikiForm): Html {
  const address = page ? pagePath(visit, page.file, 'edit') : newPath(visit)
  const back = page ? pagePath(visit, page.file) : `${visit.home}/wiki`
  const fields = new FormFields({ form: formOfValues({ ...draft }), problem })
  return html`<h2>${page ? 'Edit page' : 'New page'}</h2>
${renderProblem(problem, html`<a href="${back}">What is there now</a>`)}
<form class="form file-form" method="post" action="${address}">
${page && html`<input type="hidden" name="sha" value="${page.id}">`}
${fields.text('title', 'Title')}
${fields.area('content', 'Text', { rows: 20, holds: 'prose', hint: 'Markdown. Other pages are linked by their titles, with dashes for blanks, [so](How-To), or by [[How To]].' })}
${fields.text('message', 'What you changed', { optional: true })}
<p class="actions"><button class="button main">Save page</button> <a class="button" href="${back}">Cancel</a></p>
</form>
${
  page &&
  renderRemoval(fields, {
    action: pagePath(visit, page.file, 'delete'),
    what: 'page',
    label: 'Its title',
    hint: `Type ${titleOfFile(page.file)}. The page stays in the history of the wiki.`,
  })
}`
}
