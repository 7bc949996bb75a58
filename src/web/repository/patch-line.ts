import type { PatchLine } from '../../git/patch.ts'
import { html, type Part } from '../html.ts'

export const signs: Readonly<Record<PatchLine['kind'], string>> = {
  context: '',
  added: '+',
  removed: '-',
  place: '',
  note: '',
}

export function lineNumber(line: number | undefined): Part {
  return line !== undefined && html` data-line="${line}"`
}

/** Below a line, over the whole width. */
export function renderRemark(remark: Part): Part {
  return (
    remark &&
    html`<tr class="remark"><td colspan="4"><div>${remark}</div></td></tr>
`
  )
}
