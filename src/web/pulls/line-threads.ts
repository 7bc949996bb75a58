import type { FilePatch, Patch, PatchLine, Side } from '../../platform/git/patch.ts'
import type { Issue } from '../../collaboration/issues/issue.ts'
import type { Thread } from '../../collaboration/reviews/threads.ts'
import { counted } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Rejected } from '../issues/rejected.ts'
import { loadSpeech } from '../issues/speech.ts'
import type { Remarks } from '../repository/patch.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { renderThread, textsIn } from './review.ts'

type OfLine = (file: FilePatch, line: PatchLine) => readonly Thread[]

export interface PlacedThreads {
  readonly ofLine: OfLine
  readonly seen: readonly Thread[]
  /** Those whose lines are there but are not shown: they differ no longer, or too much is shown. */
  readonly unseen: readonly Thread[]
}

/** Puts each thread below the line that it is about now. Outdated threads have none. */
export function placeThreads({ files }: Patch, threads: readonly Thread[]): PlacedThreads {
  const placed = threads.flatMap((thread) => {
    const { place, oldLine } = thread
    if (!place) return []
    return { thread, key: keyOf(place.path, oldLine > 0 ? 'old' : 'new', place.line) }
  })
  const byLine = Map.groupBy(placed, ({ key }) => key)
  const shown = new Set(files.flatMap((file) => file.lines.flatMap((line) => keysOf(file, line))))
  const isSeen = ({ key }: { readonly key: string }) => shown.has(key)
  return {
    seen: placed.filter(isSeen).map(({ thread }) => thread),
    ofLine: (file, line) =>
      keysOf(file, line)
        .flatMap((key) => byLine.get(key) ?? [])
        .map(({ thread }) => thread),
    unseen: placed.filter((one) => !isSeen(one)).map(({ thread }) => thread),
  }
}

/** On the old side a file that moved has its earlier path. */
function keysOf({ path, previousPath = path }: FilePatch, line: PatchLine): readonly string[] {
  return placesOf(line).map(({ side, number }) =>
    keyOf(side === 'old' ? previousPath : path, side, number),
  )
}

function keyOf(path: string, side: Side, line: number): string {
  return `${side} ${line} ${path}`
}

/** The numbers that a line has, on the sides where it is. */
export function placesOf(line: PatchLine): readonly { side: Side; number: number }[] {
  return [
    ...(line.old === undefined ? [] : [{ side: 'old' as const, number: line.old }]),
    ...(line.new === undefined ? [] : [{ side: 'new' as const, number: line.new }]),
  ]
}

/** Each thread with the code that it is about, unless that is seen already. */
async function renderAll(
  visit: Visit,
  issue: Issue,
  threads: readonly Thread[],
  options: { readonly rejected: Rejected<string> | undefined; readonly showsCode: boolean },
): Promise<ReadonlyMap<Thread, Html>> {
  const speak = await loadSpeech(visit, textsIn(threads))
  const contents = threads.map(async (thread) => {
    const content = await renderThread(visit, issue, thread, { ...options, speak, on: 'files' })
    return [thread, content] as const
  })
  return new Map(await Promise.all(contents))
}

/** What is said of the lines that are shown. */
export async function renderOnLines(
  visit: Visit,
  issue: Issue,
  { ofLine, seen }: PlacedThreads,
  rejected: Rejected<string> | undefined,
): Promise<Remarks['ofLine']> {
  const contents = await renderAll(visit, issue, seen, { rejected, showsCode: false })
  return (file, line) => {
    const threads = ofLine(file, line)
    return threads.length > 0 && threads.map((thread) => contents.get(thread))
  }
}

/** The line is there, but people would look for what is said of it in vain. */
export async function renderUnseen(
  visit: Visit,
  issue: Issue,
  { unseen }: PlacedThreads,
  rejected: Rejected<string> | undefined,
): Promise<Part> {
  if (unseen.length === 0) return undefined
  const contents = await renderAll(visit, issue, unseen, { rejected, showsCode: true })
  return html`<section class="sheet earlier" id="unseen-lines" aria-label="Comments on lines that are not shown">
<p>These comments are on lines that are not shown above.</p>
${[...contents.values()]}</section>`
}

/** Outdated threads stand in the conversation. */
export function renderOutdated(visit: Visit, issue: Issue, threads: readonly Thread[]): Part {
  const outdated = threads.filter(({ place }) => !place).length
  if (outdated === 0) return undefined
  const path = pathTo(visit, 'pulls', String(issue.number))
  return html`<p class="sheet notice" id="outdated">${counted(outdated, 'thread is', 'threads are')} outdated: the lines have changed since. <a href="${path}">Show the conversation</a></p>`
}
