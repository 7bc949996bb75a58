import { posix } from 'node:path'
import type { FilePatch, Patch, PatchLine, Side } from '../../platform/git/patch.ts'
import { verbatim, type Html } from '../../platform/html.ts'
import { highlightCode, idOf, MAX_CHARACTERS, startHighlighting } from './highlight.ts'
import { markInvisible } from './invisible.ts'

/** What comes after this time stays plain: somebody waits for the page. */
const MAX_MS = 1_000

/** A line as it is shown: on one side it may be part of a comment, and on the other not. */
export type ShowLine = (line: PatchLine, side: Side) => Html

export const showPlain: ShowLine = ({ text }) => markInvisible(verbatim(text))

type Coloured = Readonly<Record<Side, Map<PatchLine, Html>>>

/**
 * Colours both sides of a difference, each file by its language where that is known and does not
 * take long.
 */
export async function highlightPatch({ files }: Patch): Promise<ShowLine> {
  // To start the thread takes a while, for whoever comes first.
  await startHighlighting()
  const end = performance.now() + MAX_MS
  const coloured: Coloured = { old: new Map(), new: new Map() }
  for (const file of files) await colourFile(file, coloured, end)
  return (line, side) => {
    const shown = coloured[side].get(line)
    return shown ? markInvisible(shown) : showPlain(line, side)
  }
}

async function colourFile(file: FilePatch, coloured: Coloured, end: number): Promise<void> {
  const { path, previousPath = path } = file
  const names = { old: posix.basename(previousPath), new: posix.basename(path) }
  if (lengthOf(file) > MAX_CHARACTERS) return
  for (const { side, lines } of piecesOf(file)) {
    if (performance.now() > end) return
    const text = lines.map((line) => `${line.text}\n`).join('')
    const shown = await highlightCode({ id: idOf(text), name: names[side], text })
    // What is true of one piece is true of the others: nobody knows its language, or has time for
    // it.
    if (shown?.length !== lines.length) return
    for (const [index, line] of lines.entries()) coloured[side].set(line, shown[index] as Html)
  }
}

interface Piece {
  readonly side: Side
  readonly lines: readonly PatchLine[]
}

/** Each place by itself: what lies between two of them is not known. */
function piecesOf({ lines }: FilePatch): readonly Piece[] {
  const places: PatchLine[][] = []
  for (const line of lines) {
    if (line.kind === 'place') places.push([])
    else places.at(-1)?.push(line)
  }
  return places
    .flatMap((place) => [onSide(place, 'old'), onSide(place, 'new')])
    .filter((piece) => piece.lines.length > 0)
}

function onSide(place: readonly PatchLine[], side: Side): Piece {
  return { side, lines: place.filter((line) => line[side] !== undefined) }
}

function lengthOf({ lines }: FilePatch): number {
  return lines.reduce((sum, { text }) => sum + text.length, 0)
}
