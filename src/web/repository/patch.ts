import type { FilePatch, Patch, PatchLine } from '../../git/patch.ts'
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
export function renderPatch(
  visit: Visit,
  after: NamedRef | undefined,
  { files, isCut }: Patch,
  remarks = unremarked,
): Html {
  if (files.length === 0) return html`<p class="sheet blank">No file differs.</p>`
  return html`${files.length > 1 && renderContents(files)}
${files.map((file, index) => renderFile(visit, after, file, index + 1, remarks))}
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

function renderFile(
  visit: Visit,
  after: NamedRef | undefined,
  file: FilePatch,
  number: number,
  remarks: Remarks,
): Html {
  const { path, previousPath, kind } = file
  const view =
    after &&
    kind !== 'removed' &&
    html`<a href="${codePath(visit, 'src', after, path)}">${icon('file')} View</a>`
  return html`<section class="sheet patch" id="file-${number}" aria-label="${path}">
<header><span class="name">${previousPath !== undefined && html`${previousPath} → `}${path}</span>${labels[kind] && html` <span class="tag">${labels[kind]}</span>`}<span class="end">${view}</span></header>
${remarks.ofFile(file, number)}
${renderBody(file, remarks)}
</section>`
}

function renderBody(file: FilePatch, { ofLine }: Remarks): Html {
  const { isBinary, lines, isCut } = file
  if (isBinary) return html`<p class="blank">It is no text.</p>`
  if (lines.length === 0 && !isCut) return html`<p class="blank">Its lines are the same.</p>`
  return html`${renderLines(lines, (line) => ofLine(file, line))}
${isCut && html`<p class="more mute">The rest of this file is not shown.</p>`}`
}

/** Lines of a difference, with what is said below some of them. */
export function renderLines(
  lines: readonly PatchLine[],
  remark: (line: PatchLine) => Part = () => undefined,
): Html {
  return html`<div class="scroll"><table class="code diff"><tbody>
${lines.map((line) => [renderLine(line), renderRemark(remark(line))])}</tbody></table></div>`
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

function renderLine({ kind, text, old, new: now }: PatchLine): Html {
  return html`<tr class="${kind}"><td${lineNumber(old)}></td><td${lineNumber(now)}></td><td data-sign="${signs[kind]}"></td><td>${text}</td></tr>
`
}

function lineNumber(line: number | undefined): Part {
  return line !== undefined && html` data-line="${line}"`
}
