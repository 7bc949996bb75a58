import type { FilePatch, Patch, PatchLine } from '../../platform/git/patch.ts'
import { mapInTurns } from '../../platform/concurrency/give-way.ts'
import { hasInvisible, renderInvisibleNote } from '../highlight/invisible.ts'
import { highlightPatch, type ShowLine } from '../highlight/patch.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import { codePath, type NamedRef } from './source.ts'
import {
  mainSide,
  plainForm,
  renderAnchor,
  renderNumber,
  renderRemark,
  signs,
  type LinesForm,
} from './patch-line.ts'
import { patchStyleOf, renderStyles, whitespaceOf, type PatchStyle } from './patch-style.ts'
import { renderSplitLines } from './split-lines.ts'
import type { Visit } from './visit.ts'

/** What is said of a difference, where it is said. */
export interface Remarks {
  readonly ofLine: (file: FilePatch, line: PatchLine) => Part
  readonly ofFile: (file: FilePatch, number: number) => Part
}

const unremarked: Remarks = { ofLine: () => undefined, ofFile: () => undefined }

export interface PatchPlace {
  /** The address of the page. */
  readonly page: string
  /** What there is after the change. */
  readonly after?: NamedRef | undefined
  readonly remarks?: Remarks
}

/** What was changed, file by file, as the viewer wants to see it. */
export async function renderPatch(
  visit: Visit,
  patch: Patch,
  { page, after, remarks = unremarked }: PatchPlace,
): Promise<Html> {
  const { files, isCut } = patch
  const isWhole = whitespaceOf(visit) === 'show-all'
  if (files.length === 0 && isWhole) return html`<p class="sheet blank">No file differs.</p>`
  const form = { remarks, show: await highlightPatch(patch), style: patchStyleOf(visit) }
  return html`${renderStyles(visit, page)}
${files.length === 0 && html`<p class="sheet blank">No file differs in more than white space.</p>`}
${files.length > 1 && renderContents(files)}
${await mapInTurns(files, (file, index) => renderFile(visit, after, file, index + 1, form))}
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
  readonly style: PatchStyle
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
${renderBody(file, number, form)}
</section>`
}

function renderBody(file: FilePatch, number: number, { remarks, show, style }: Form): Html {
  const { isBinary, lines, isCut } = file
  if (isBinary) return html`<p class="blank">It is no text.</p>`
  if (lines.length === 0 && !isCut) return html`<p class="blank">Its lines are the same.</p>`
  const renderIn = style === 'split' ? renderSplitLines : renderLines
  const remark = (line: PatchLine) => remarks.ofLine(file, line)
  return html`${lines.some(({ text }) => hasInvisible(text)) && renderInvisibleNote()}
${renderIn(lines, { show, remark, place: `file-${number}` })}
${isCut && html`<p class="more mute">The rest of this file is not shown.</p>`}`
}

/** Lines of a difference, with what is said below some of them. */
export function renderLines(lines: readonly PatchLine[], form = plainForm): Html {
  return html`<div class="scroll"><table class="code diff"><tbody>
${lines.map((line) => [renderLine(line, form), renderRemark(form.remark(line))])}</tbody></table></div>`
}

function renderLine(line: PatchLine, form: LinesForm): Html {
  const side = mainSide(line)
  return html`<tr class="${line.kind}">${renderNumber(line, 'old', form)}${renderNumber(line, 'new', form)}<td data-sign="${signs[line.kind]}"></td><td${renderAnchor(line, side, form)}>${form.show(line, side)}</td></tr>
`
}
