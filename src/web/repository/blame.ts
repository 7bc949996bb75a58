import { findAuthorsFor, type Authors } from '../../code/commits/authors.ts'
import { loadBlame, type WrittenLines } from '../../code/commits/blame.ts'
import { loadSeen, type Seen } from '../../code/content/browse.ts'
import type { ContentEntry } from '../../code/content/entries.ts'
import type { RefKind } from '../../code/content/places.ts'
import { notFound } from '../../platform/errors.ts'
import { mapInTurns } from '../../platform/concurrency/give-way.ts'
import { counted } from '../figures.ts'
import { highlightLines } from '../highlight/highlight.ts'
import { hasInvisible, renderInvisibleNote } from '../highlight/invisible.ts'
import { html, type Html } from '../../platform/html.ts'
import { authorOf, commitTime, subjectLink } from './commit-line.ts'
import { blamable, languageSetFor } from './file-view.ts'
import { leadToFiles, unlessChosen } from './nearest.ts'
import { loadRefs, renderRefMenu } from './ref-menu.ts'
import { assertReadsCode, codePath, refLabel, renderEmptyNote, renderPath } from './source.ts'
import { restOf, type Show, type Visit } from './visit.ts'

/** The lines of a file, each beside the commit that wrote it. */
export function showBlame(kind: RefKind): Show {
  return async (visit) => {
    assertReadsCode(visit)
    const blamed = await unlessChosen(visit, loadBlamed(visit, kind))
    if (!blamed) return leadToFiles(visit, kind)
    const { seen } = blamed
    return {
      tab: 'code',
      title: `Blame of ${seen.path} at ${refLabel(seen)}`,
      content: html`<div class="row">
${renderRefMenu(visit, 'blame', seen, await loadRefs(visit))}
${renderPath(visit, seen)}
</div>
${await renderBlamed(visit, blamed)}`,
    }
  }
}

async function renderBlamed(visit: Visit, { seen, entry, text }: Blamed): Promise<Html> {
  if (text === undefined) return renderNoBlame(visit, seen)
  const { ctx, view } = visit
  const attribute = await languageSetFor(visit, seen)
  const lines = await highlightLines({ id: entry.id, name: entry.name, text, attribute })
  const file = { commitId: seen.commit.id, path: seen.path }
  const written = await loadBlame(ctx, view.repo, file)
  if (!written) return renderEmptyNote('Git takes too long to find out who wrote this.')
  return html`<section class="sheet file" aria-label="${entry.name}">
<header><span class="mute">${counted(lines.length, 'line')}</span>
<span class="end"><a href="${codePath(visit, 'src', seen, seen.path)}">Without blame</a></span></header>
${hasInvisible(text) && renderInvisibleNote()}${await renderBlame(visit, lines, written)}
</section>`
}

function renderNoBlame(visit: Visit, seen: Seen): Html {
  const file = html`<a href="${codePath(visit, 'src', seen, seen.path)}">Show the file</a>`
  return html`<p class="sheet blank">This file has no blame: it is empty, not text, or too long.
${file}</p>`
}

interface Blamed {
  readonly seen: Seen
  readonly entry: ContentEntry
  /** Of a file whose lines can be told by who wrote them. */
  readonly text: string | undefined
}

async function loadBlamed(visit: Visit, kind: RefKind): Promise<Blamed> {
  const seen = await loadSeen(visit.ctx, visit.view.repo, kind, restOf(visit))
  if (seen.found.type !== 'file') throw notFound()
  const { entry } = seen.found
  return { seen, entry, text: blamable(entry) }
}

async function renderBlame(
  visit: Visit,
  lines: readonly Html[],
  written: readonly WrittenLines[],
): Promise<Html> {
  const { authors } = await findAuthorsFor(
    visit.ctx,
    visit.viewer,
    written.map(({ commit }) => commit),
  )
  let from = 0
  const runs: Html[] = []
  for (const run of written) {
    const of = lines.slice(from, from + run.count)
    runs.push(await renderRun(visit, run, of, from, authors))
    from += run.count
  }
  return html`<div class="scroll"><table class="blame">${runs}</table></div>`
}

/** A part of the table for each commit: it is told once, beside the first of its lines. */
async function renderRun(
  visit: Visit,
  { commit }: WrittenLines,
  lines: readonly Html[],
  before: number,
  authors: Authors,
): Promise<Html> {
  const rows = await mapInTurns(lines, (line, index) => {
    const number = before + index + 1
    const by =
      index === 0 &&
      html`<th scope="rowgroup" rowspan="${lines.length}"><span>${subjectLink(visit, commit)}</span><span class="mute">${authorOf(visit, commit, authors)} ${commitTime(visit, commit)}</span></th>`
    return html`<tr id="L${number}">${by}<td><a href="#L${number}" data-line="${number}" aria-label="Line ${number}"></a></td><td>${line}</td></tr>
`
  })
  return html`<tbody>${rows}</tbody>`
}
