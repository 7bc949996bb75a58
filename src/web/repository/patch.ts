import type { FilePatch, Patch, PatchLine } from '../../git/patch.ts'
import { highlightPatch, showPlain, type ShowLine } from '../highlight/patch.ts'
import { html, type Html, type Part } from '../html.ts'
import { icon } from '../icons.ts'
import { codePath, type NamedRef } from './source.ts'
import type { Visit } from './visit.ts'

/** What is said of a difference, where it is said. */
export interface Remarks {
  readonly ofLine: (file: FilePatch, line: PatchLine) => Part
  readonly ofFile: (file: FilePatch, number: number) => Part
}

const unremarked: Remarks = { ofLine: () => undefined, ofFile: () => undefined }

/** What was changed, file by file, with links to what there is after it. */
export async function renderPatch(
  visit: Visit,
  after: NamedRef | undefined,
  patch: Patch,
  remarks = unremarked,
): Promise<Html> {
  const { files, isCut } = patch
  if (files.length === 0) return html`<p class="sheet blank">No file differs.</p>`
  const show = await highlightPatch(patch)
  return html`${files.length > 1 && renderContents(files)}
${files.map((file, index) => renderFile(visit, after, file, index + 1, { remarks, show }))}
${isCut && html`<p class="sheet blank">There is more, which is too much to be shown here.</p>`}`
}

const labels: Readonly<Record<FilePatch['kind'], string | undefined>> = {
  added: 'Added',
  removed: 'Removed',
  renamed: 'Renamed',
  copied: 'Copied',
  changed: undefined,
}

function renderContents(files: readonly FilePatch[]): Html {
  return html`<details class="sheet contents"><summary>Files</summary>
<ul class="plain">${files.map(({ path, kind }, index) => html`<li><a href="#file-${index + 1}">${path}</a> <span class="mute">${labels[kind]}</span></li>`)}</ul>
</details>`
}

/** How lines are shown, and what is said of them. */
interface Form {
  readonly remarks: Remarks
  readonly show: ShowLine
}

function renderFile(
  visit: Visit,
  after: NamedRef | undefined,
  file: FilePatch,
  number: number,
  form: Form,
): Html {
  const { path, previousPath, kind } = file
  const view =
    after &&
    kind !== 'removed' &&
    html`<a href="${codePath(visit, 'src', after, path)}">${icon('file')} View</a>`
  return html`<section class="sheet patch" id="file-${number}" aria-label="${path}">
<header><span class="name">${previousPath !== undefined && html`${previousPath} → `}${path}</span>${labels[kind] && html` <span class="tag">${labels[kind]}</span>`}<span class="end">${view}</span></header>
${form.remarks.ofFile(file, number)}
${renderBody(file, form)}
</section>`
}

function renderBody(file: FilePatch, { remarks, show }: Form): Html {
  const { isBinary, lines, isCut } = file
  if (isBinary) return html`<p class="blank">It is no text.</p>`
  if (lines.length === 0 && !isCut) return html`<p class="blank">Its lines are the same.</p>`
  return html`${renderLines(lines, show, (line) => remarks.ofLine(file, line))}
${isCut && html`<p class="more mute">The rest of this file is not shown.</p>`}`
}

/** Lines of a difference, with what is said below some of them. */
export function renderLines(
  lines: readonly PatchLine[],
  show: ShowLine = showPlain,
  remark: (line: PatchLine) => Part = () => undefined,
): Html {
  return html`<div class="scroll"><table class="code diff"><tbody>
${lines.map((line) => [renderLine(line, show), renderRemark(remark(line))])}</tbody></table></div>`
}

function renderRemark(remark: Part): Part {
  return (
    remark &&
    html`<tr class="remark"><td colspan="4"><div>${remark}</div></td></tr>
`
  )
}

const signs: Readonly<Record<PatchLine['kind'], string>> = {
  context: '',
  added: '+',
  removed: '-',
  place: '',
  note: '',
}

function renderLine(line: PatchLine, show: ShowLine): Html {
  const { kind, old, new: now } = line
  return html`<tr class="${kind}"><td${lineNumber(old)}></td><td${lineNumber(now)}></td><td data-sign="${signs[kind]}"></td><td>${show(line, now === undefined ? 'old' : 'new')}</td></tr>
`
}

function lineNumber(line: number | undefined): Part {
  return line !== undefined && html` data-line="${line}"`
}
