import type { PatchLine, Side } from '../../platform/git/patch.ts'
import { showPlain, type ShowLine } from '../highlight/patch.ts'
import { html, type Html, type Part } from '../../platform/html.ts'

/** How lines are shown, and what with them. */
export interface LinesForm {
  readonly show: ShowLine
  /** What is said below a line. */
  readonly remark: (line: PatchLine) => Part
  /** The place on the page that they belong to; without it nothing leads to them. */
  readonly place?: string
}

export const plainForm: LinesForm = { show: showPlain, remark: () => undefined }

export const signs: Readonly<Record<PatchLine['kind'], string>> = {
  context: '',
  added: '+',
  removed: '-',
  place: '',
  note: '',
}

/** What leads to a line leads to it as it is now, where it still is. */
function anchorOf(line: PatchLine, side: Side, { place }: LinesForm): string | undefined {
  if (place === undefined || line[side] === undefined) return undefined
  return side === mainSide(line) ? `${place}-${side}-${line[side]}` : undefined
}

export function mainSide(line: PatchLine): Side {
  return line.new === undefined ? 'old' : 'new'
}

/** The number of a line, which leads to it. */
export function renderNumber(line: PatchLine, side: Side, form: LinesForm, kind?: string): Html {
  const number = line[side]
  const anchor = anchorOf(line, side, form)
  const link =
    anchor !== undefined &&
    html`<a href="#${anchor}" aria-label="Line ${number}${side === 'old' && ' before'}"></a>`
  return html`<td${kind !== undefined && html` class="${kind}"`}${number !== undefined && html` data-line="${number}"`}>${link}</td>`
}

/** The attribute of the cell with the text of a line. */
export function renderAnchor(line: PatchLine, side: Side, form: LinesForm): Part {
  const anchor = anchorOf(line, side, form)
  return anchor !== undefined && html` id="${anchor}"`
}

/** Below a line, over the whole width. */
export function renderRemark(remark: Part): Part {
  return (
    remark &&
    html`<tr class="remark"><td colspan="4"><div>${remark}</div></td></tr>
`
  )
}
