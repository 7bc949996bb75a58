import { isUtf8 } from 'node:buffer'
import { changeFiles } from '../../code/content/change.ts'
import { loadSeen, MAX_SHOWN_BYTES } from '../../code/content/browse.ts'
import type { ContentEntry } from '../../code/content/entries.ts'
import type { FileOperation } from '../../code/content/operations.ts'
import { tidyPath } from '../../code/content/path.ts'
import { AppError, isNotFound, notFound } from '../../platform/errors.ts'
import { parsePointer } from '../../code/lfs/object.ts'
import { FormFields, formOfValues, typedText } from '../forms/fields.ts'
import { renderProblem } from '../forms/problem.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { AgainInShell, Done, Submitted } from '../repository/form.ts'
import { pathTo, restOf, type Show, type Visit } from '../repository/visit.ts'
import {
  changeOf,
  firstWish,
  readWish,
  renderWish,
  wishProblem,
  type CommitWish,
} from './commit-wish.ts'
import {
  committedPath,
  formPath,
  placeOf,
  renderPlace,
  sourcePath,
  type Place,
  type Section,
} from './place.ts'
import { commitProblem, isStale, type CommitProblem } from './problem.ts'
import { assertMayEdit } from './rights.ts'

type LineEnds = 'lf' | 'crlf'

/** A text on its way into a commit. */
interface Draft {
  readonly path: string
  readonly content: string
  /** Of the file as its author knows it; empty for a new one. */
  readonly sha: string
  readonly lineEnds: LineEnds
  readonly wish: CommitWish
}

interface Editing {
  readonly section: Section
  /** Of a file that is edited, or the folder of a new one. */
  readonly place: Place
  readonly draft: Draft
  readonly problem?: CommitProblem | undefined
}

export const showNewFile: Show = async (visit) => {
  assertMayEdit(visit)
  const place = await placeOf(visit)
  const path = place.path === '' ? '' : `${place.path}/`
  const wish = await firstWish(visit, place.branch, path)
  const draft: Draft = { path, content: '', sha: '', lineEnds: 'lf', wish }
  return inTab(visit, { section: '_new', place, draft })
}

export const showEdit: Show = async (visit) => {
  assertMayEdit(visit)
  const { name, path, found } = await loadSeen(visit.ctx, visit.view.repo, 'branch', restOf(visit))
  const text = found.type === 'file' ? editableText(found.entry) : undefined
  if (found.type !== 'file' || text === undefined) throw notFound()
  const place = { branch: name, path }
  const draft = {
    path,
    content: text,
    sha: found.entry.id,
    lineEnds: lineEndsOf(text),
    wish: await firstWish(visit, name, path),
  }
  return inTab(visit, { section: '_edit', place, draft })
}

/** What a field of a form can hold and give back as it was. */
export function editableText({ kind, content, size }: ContentEntry): string | undefined {
  if (kind !== 'file' || !content || size > MAX_SHOWN_BYTES) return undefined
  if (content.includes(0) || !isUtf8(content) || parsePointer(content)) return undefined
  return content.toString('utf8')
}

/** A file keeps its own way of ending lines. */
function lineEndsOf(text: string): LineEnds {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text) ? 'crlf' : 'lf'
}

export function takeText(section: '_new' | '_edit') {
  return async (submitted: Submitted): Promise<Done> => {
    const { ctx, viewer, view, form } = submitted
    const place = await placeOf(submitted)
    const draft = readDraft(form)
    const editing = { section, place, draft, problem: wishProblem(place.branch, draft.wish) }
    if (editing.problem) return inTab(submitted, editing)
    try {
      const change = changeOf(place.branch, draft.wish, [operationOf(section, place, draft)])
      const { branch } = await changeFiles(ctx, viewer, view, change)
      return { leadsTo: committedPath(submitted, place, { branch, path: draft.path }) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (section === '_edit' && isStale(error)) return showChanged(submitted, editing)
      const problem = commitProblem(error)
      if (!problem) throw error
      return inTab(submitted, { ...editing, problem })
    }
  }
}

function readDraft(form: URLSearchParams): Draft {
  return {
    path: tidyPath((form.get('tree_path') ?? '').trim().replace(/^\/+/, '')),
    content: typedText(form, 'content'),
    sha: form.get('sha') ?? '',
    lineEnds: form.get('line_ends') === 'crlf' ? 'crlf' : 'lf',
    wish: readWish(form),
  }
}

function operationOf(section: Section, place: Place, draft: Draft): FileOperation {
  const { path, content, lineEnds, sha } = draft
  const bytes = Buffer.from(lineEnds === 'crlf' ? content.replaceAll('\n', '\r\n') : content)
  const isNew = section === '_new' || sha === ''
  return {
    kind: isNew ? 'create' : 'update',
    path,
    fromPath: isNew || path === place.path ? '' : place.path,
    content: bytes,
    sha,
  }
}

/**
 * What was typed stays; what is there now is taken as known, so that the next commit replaces it
 * knowingly.
 */
async function showChanged(submitted: Submitted, editing: Editing): Promise<Done> {
  const { ctx, view } = submitted
  const { place } = editing
  const now = await loadSeen(ctx, view.repo, 'branch', restOf(submitted)).catch(absent)
  const sha = now?.found.type === 'file' ? now.found.entry.id : ''
  const message = now
    ? 'Somebody has changed this file since you began. Nothing is committed yet: look at what is there now, and commit again to put yours in its place.'
    : 'Somebody has deleted this file since you began. Nothing is committed yet: commit again to make it anew.'
  const draft = { ...editing.draft, sha }
  const content = html`${now && html`<p><a href="${pathTo(submitted, 'commits/branch', place.branch, place.path)}">What was changed</a> · <a href="${sourcePath(submitted, place)}">What is there now</a></p>`}`
  return inTab(submitted, { ...editing, draft, problem: { message } }, content)
}

function absent(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}

function inTab(visit: Visit, editing: Editing, more?: Part): AgainInShell {
  const { section, place, problem } = editing
  const title = section === '_new' ? 'New file' : `Edit ${place.path}`
  return {
    tab: 'code',
    title,
    content: renderForm(visit, editing, section === '_new' ? 'New file' : 'Edit a file', more),
    status: problem?.status,
  }
}

function renderForm(visit: Visit, editing: Editing, heading: string, more: Part): Html {
  const { section, place, draft, problem } = editing
  const usual = section === '_new' ? 'Add the file' : `Update ${place.path}`
  const form = formOfValues({ tree_path: draft.path, content: draft.content })
  const fields = new FormFields({ form, problem })
  return html`${renderPlace(visit, heading, place)}
${renderProblem(problem)}
${more}
<form class="form file-form" method="post" action="${formPath(visit, section, place)}">
${section === '_edit' && html`<input type="hidden" name="sha" value="${draft.sha}">`}
<input type="hidden" name="line_ends" value="${draft.lineEnds}">
${fields.text('tree_path', 'Path', { hint: 'Slashes make folders.' })}
${fields.area('content', 'Content', { rows: 24, holds: 'source' })}
${renderWish(visit, { branch: place.branch, wish: draft.wish, usual, problem })}
<p class="actions"><button class="button main" type="submit">Commit</button> <a class="button" href="${sourcePath(visit, place)}">Cancel</a></p>
</form>`
}
