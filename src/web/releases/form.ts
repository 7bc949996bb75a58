import type { Attachment } from '../../repositories/attachments/attachment.ts'
import { basePath } from '../../platform/config/urls.ts'
import type { Release } from '../../delivery/releases/release.ts'
import { readsUnit } from '../../repositories/repository/load.ts'
import { FormFields, formOfValues, typedText } from '../forms/fields.ts'
import { renderProblem, type FormProblem } from '../forms/problem.ts'
import { renderRemoval } from '../forms/removal.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import { describeFile, kindOf, renderDelete } from '../issues/comment.ts'
import { loadRefs } from '../repository/ref-menu.ts'
import { pathTo, type Visit } from '../repository/visit.ts'

/** A release as somebody has typed it. */
export interface Draft {
  readonly tagName: string
  readonly target: string
  readonly title: string
  readonly note: string
  readonly isPrerelease: boolean
}

export interface ReleaseForm {
  readonly draft: Draft
  /** The one that is edited. */
  readonly release?: Release | undefined
  readonly files?: readonly Attachment[]
  readonly problem?: FormProblem | undefined
}

export function readDraft(form: URLSearchParams): Draft {
  const text = (name: string) => (form.get(name) ?? '').trim()
  return {
    tagName: text('tag_name'),
    target: text('target'),
    title: text('title'),
    note: typedText(form, 'content'),
    isPrerelease: form.get('prerelease') !== null,
  }
}

export async function renderReleaseForm(visit: Visit, state: ReleaseForm): Promise<Html> {
  const { draft, release, files = [], problem } = state
  const fields = new FormFields({ form: formOf(draft), problem })
  const address = release ? editPath(visit, release) : pathTo(visit, 'releases/new')
  return html`<h2>${release ? 'Edit release' : 'New release'}</h2>
${renderProblem(problem)}
<form class="form release-form" method="post" action="${address}">
${release && !release.isDraft ? html`<p class="mute">${icon('tag')} ${release.tagName}</p>` : await renderTagFields(visit, fields)}
${fields.text('title', 'Title', { optional: true })}
${fields.area('content', 'Notes', { rows: 12, holds: 'prose', hint: 'Markdown.' })}
${fields.check('prerelease', 'Pre-release', { hint: 'Not ready for everybody: it is never shown as the latest.' })}
<p class="actions">${renderButtons(visit, release)} <a class="button" href="${pathTo(visit, 'releases')}">Cancel</a></p>
</form>
${release && renderFiles(visit, release, files)}
${
  release &&
  renderRemoval(fields, {
    action: pathTo(visit, 'releases/delete', release.tagName),
    what: 'release',
    label: 'The name of its tag',
    hint: `Type ${release.tagName}. Notes and files are gone then; the tag stays.`,
  })
}`
}

function formOf({ tagName, target, title, note, isPrerelease }: Draft): URLSearchParams {
  const values = { tag_name: tagName, target, title, content: note, prerelease: isPrerelease }
  return formOfValues(values)
}

export function editPath(visit: Visit, { tagName }: Pick<Release, 'tagName'>): string {
  return pathTo(visit, 'releases/edit', tagName)
}

/** The tag of what is published stays what it is. */
async function renderTagFields(visit: Visit, fields: FormFields): Promise<Html> {
  return html`
${fields.text('tag_name', 'Tag', { hint: 'One that is there, or a new one that is made with the release.' })}
${fields.text('target', 'Target of a new tag', { optional: true, hint: `A branch or a commit${await renderExamples(visit)}.` })}`
}

async function renderExamples(visit: Visit): Promise<string> {
  if (!readsUnit(visit.view, 'repo.code')) return ''
  const { names } = (await loadRefs(visit)).branches
  return names.length === 0 ? '' : `, such as ${names.slice(0, 5).join(', ')}`
}

function renderButtons({ view }: Visit, release: Release | undefined): Part {
  if (release && !release.isDraft) return html`<button class="button main">Save</button>`
  return html`<button class="button main" name="action" value="publish">Publish</button>
<button class="button" name="action" value="draft">Save as a draft</button>
${readsUnit(view, 'repo.code') && html`<button class="button" name="action" value="notes">Write notes from the commits</button>`}`
}

/** Without script one file at a time; with it any number, by choosing, dropping or pasting. */
function renderFiles(visit: Visit, release: Release, files: readonly Attachment[]): Part {
  const { config } = visit.ctx
  if (!config.attachment.enabled) return undefined
  const assets = pathTo(visit, 'releases', String(release.id), 'assets')
  const item = (file: Attachment) => html`<li>
<span class="kind" aria-hidden="true">${kindOf(file.name)}</span>
<span class="grow"><a href="${basePath(config)}/attachments/${file.uuid}">${file.name}</a><span class="mute">${describeFile(file)}</span></span>
${renderDelete(`${assets}/${file.id}/delete`, file.name)}
</li>`
  return html`<h3 id="files">Files</h3>
${files.length > 0 && html`<ul class="attach plain">${files.map(item)}</ul>`}
<upload-files>
<form method="post" enctype="multipart/form-data" action="${assets}">
<ul class="attach plain" aria-live="polite"></ul>
<p class="drop"><label>Attach to the release <input type="file" name="attachment" required></label> <button class="button">Upload</button></p>
</form>
</upload-files>`
}
