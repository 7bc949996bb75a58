import { lastElement } from '../../platform/files/name.ts'
import { changeFiles } from '../../code/content/change.ts'
import type { FileOperation } from '../../code/content/operations.ts'
import { tidyPath } from '../../code/content/path.ts'
import { AppError } from '../../platform/errors.ts'
import { sizeText } from '../figures.ts'
import { FormFields, formOfValues } from '../forms/fields.ts'
import { html, type Html } from '../../platform/html.ts'
import { isOfScript } from '../of-script.ts'
import type { AgainInShell, Done, Submitted } from '../repository/form.ts'
import type { Show, Visit } from '../repository/visit.ts'
import {
  changeOf,
  firstWish,
  readWish,
  renderWish,
  wishProblem,
  type CommitWish,
} from './commit-wish.ts'
import { committedPath, formPath, placeOf, renderPlace, sourcePath, type Place } from './place.ts'
import { commitProblem, type CommitProblem } from './problem.ts'
import { assertMayEdit } from './rights.ts'

/** Of one commit. */
const MAX_FILES = 50

interface Uploading {
  readonly place: Place
  readonly folder: string
  readonly wish: CommitWish
  readonly problem?: CommitProblem | undefined
}

export const showUpload: Show = async (visit) => {
  assertMayEdit(visit)
  const place = await placeOf(visit)
  const wish = await firstWish(visit, place.branch, place.path)
  return inTab(visit, { place, folder: place.path, wish })
}

export async function takeUpload(submitted: Submitted): Promise<Done> {
  const { ctx, viewer, view, form } = submitted
  const place = await placeOf(submitted)
  const folder = tidyPath((form.get('tree_path') ?? '').trim().replace(/^\/+|\/+$/g, ''))
  const uploading = { place, folder, wish: readWish(form) }
  const operations = operationsOf(submitted, folder)
  const problem = countProblem(operations.length) ?? wishProblem(place.branch, uploading.wish)
  if (problem) return inTab(submitted, { ...uploading, problem })
  try {
    const change = changeOf(place.branch, uploading.wish, operations)
    const { branch } = await changeFiles(ctx, viewer, view, change)
    return { leadsTo: committedPath(submitted, place, { branch, path: folder }) }
  } catch (error) {
    const found = error instanceof AppError ? commitProblem(error) : undefined
    if (!found) throw error
    return inTab(submitted, { ...uploading, problem: found })
  }
}

function countProblem(count: number): CommitProblem | undefined {
  if (count === 0) return { message: 'Choose at least one file.' }
  return count > MAX_FILES ? { message: `At most ${MAX_FILES} files at once.` } : undefined
}

function operationsOf({ files }: Submitted, folder: string): readonly FileOperation[] {
  return files
    .filter(({ field }) => field === 'files')
    .map(({ name, content }) => ({
      kind: 'upload',
      path: folder === '' ? lastElement(name) : `${folder}/${lastElement(name)}`,
      fromPath: '',
      content,
      sha: '',
    }))
}

/** What browsers refuse before anything is sent; the rest is found out with the files. */
const FOLDER = {
  source: String.raw`(?!(.*\/)?(\.|\.\.|\.[gG][iI][tT])(\/|$)).*`,
  title: 'No part of it may be a dot, two dots or .git.',
}

/** Browsers forget which files were chosen; a script does not. */
function renderChoice({ ctx, request }: Visit, isAgain: boolean): Html {
  const limit = sizeText(ctx.config.api.default_max_blob_size)
  return html`
<chosen-files>
<ul class="attach plain" aria-live="polite"></ul>
<p class="drop"><label>Files <input name="files" type="file" multiple required aria-describedby="files-hint"></label>
<span class="hint" id="files-hint">${isAgain && !isOfScript(request) && html`<b>Choose the files again.</b> `}Up to ${MAX_FILES} files, ${limit} together. One of the same name is replaced.</span></p>
</chosen-files>`
}

function inTab(visit: Visit, uploading: Uploading): AgainInShell {
  const { place, folder, wish, problem } = uploading
  const fields = new FormFields({ form: formOfValues({ tree_path: folder }), problem })
  return {
    tab: 'code',
    title: 'Upload files',
    content: html`${renderPlace(visit, 'Upload files', place)}
<form class="form file-form" method="post" enctype="multipart/form-data" action="${formPath(visit, '_upload', place)}">
${fields.complaint}
${renderChoice(visit, problem !== undefined)}
${fields.text('tree_path', 'Folder', { optional: true, hint: 'Left empty, they lie at the top.', pattern: FOLDER })}
${renderWish(visit, { branch: place.branch, wish, usual: 'Add, and the names of the files', problem })}
<p class="actions"><button class="button main" type="submit">Commit</button> <a class="button" href="${sourcePath(visit, place)}">Cancel</a></p>
</form>`,
    status: problem?.status,
  }
}
