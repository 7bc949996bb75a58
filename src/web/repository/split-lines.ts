import type { PatchLine, Side } from '../../platform/git/patch.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { renderAnchor, renderNumber, renderRemark, signs, type LinesForm } from './patch-line.ts'

/** Lines as they were and as they are, side by side, with what is said below some of them. */
export function renderSplitLines(lines: readonly PatchLine[], form: LinesForm): Html {
  return html`<div class="scroll"><table class="code diff sides"><colgroup><col class="number"><col><col class="number"><col></colgroup><tbody>
${pairLines(lines).map((pair) => [renderPair(pair, form), renderRemarks(pair, form)])}</tbody></table></div>`
}

/**
 * What stands in one row: a line of each side, of one of them, or one that is the same line on
 * both.
 */
export interface Pair {
  readonly old: PatchLine | undefined
  readonly new: PatchLine | undefined
}

/** Lines that were removed are put beside those that came in their place. */
export function pairLines(lines: readonly PatchLine[]): readonly Pair[] {
  const pairs: Pair[] = []
  const waiting: Record<Side, PatchLine[]> = { old: [], new: [] }
  const pairWaiting = () => {
    const { old, new: now } = waiting
    for (let row = 0; row < Math.max(old.length, now.length); row++)
      pairs.push({ old: old[row], new: now[row] })
    waiting.old = []
    waiting.new = []
  }
  for (const line of lines) {
    const side = sideOf(line, waiting)
    if (side === undefined || (side === 'old' && waiting.new.length > 0)) pairWaiting()
    if (side === undefined) pairs.push({ old: line, new: line })
    else waiting[side].push(line)
  }
  pairWaiting()
  return pairs
}

/** What git notes of a line belongs to the side of that line. */
function sideOf({ kind }: PatchLine, waiting: Readonly<Record<Side, readonly unknown[]>>) {
  if (kind === 'removed') return 'old'
  if (kind === 'added') return 'new'
  if (kind !== 'note') return undefined
  if (waiting.new.length > 0) return 'new'
  return waiting.old.length > 0 ? 'old' : undefined
}

function renderPair({ old, new: now }: Pair, form: LinesForm): Html {
  if (old && old === now && old.kind !== 'context') {
    return html`<tr class="${old.kind}"><td colspan="4">${form.show(old, 'old')}</td></tr>
`
  }
  return html`<tr>${renderCells(old, 'old', form)}${renderCells(now, 'new', form)}</tr>
`
}

function renderCells(line: PatchLine | undefined, side: Side, form: LinesForm): Html {
  if (!line) return html`<td class="none"></td><td class="none"></td>`
  const { kind } = line
  return html`${renderNumber(line, side, form, kind)}<td class="${kind}" data-sign="${signs[kind]}"${renderAnchor(line, side, form)}>${form.show(line, side)}</td>`
}

/** What is said of both sides goes below them, anything else below its own. */
function renderRemarks({ old, new: now }: Pair, { remark }: LinesForm): Part {
  if (old === now) return renderRemark(old && remark(old))
  const [before, after] = [old && remark(old), now && remark(now)]
  if (!before && !after) return undefined
  return html`<tr class="remark"><td colspan="2"><div>${before}</div></td><td colspan="2"><div>${after}</div></td></tr>
`
}
