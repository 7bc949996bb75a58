import { loadPlace } from '../../code/content/find.ts'
import type { RefKind } from '../../code/content/places.ts'
import {
  searchCode,
  type FoundCode,
  type FoundFile,
  type FoundLine,
} from '../../code/content/search.ts'
import { counted } from '../figures.ts'
import { hasInvisible, markInvisible, renderInvisibleNote } from '../highlight/invisible.ts'
import { html, verbatim, type Html } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import { MAX_LETTERS, MIN_LETTERS, searchWords } from './search-words.ts'
import { assertReadsCode, codePath, refLabel, renderEmptyNote, type NamedRef } from './source.ts'
import { pathTo, restOf, type Show, type Visit } from './visit.ts'

/** Of a long line, what stands around the words. */
const BEFORE = 80
const SHOWN = 300

/** Lines of a ref's files by what stands in them. */
export function showSearch(kind: RefKind): Show {
  return async (visit) => {
    const { ctx, view, query } = visit
    assertReadsCode(visit)
    const { revision } = await loadPlace(ctx, view.repo, kind, restOf(visit))
    const ref = { kind, name: revision.name }
    const words = searchWords(query)
    const isEnough = words.length >= MIN_LETTERS
    const found = isEnough && (await searchCode(ctx, view.repo, revision.commitId, words))
    return {
      tab: 'code',
      title: `Search at ${refLabel(ref)}`,
      content: html`<form class="row" role="search" aria-label="Code">
<label for="search">Search at <a href="${codePath(visit, 'src', ref)}">${refLabel(ref)}</a></label>
<input id="search" type="search" name="q" value="${words}" maxlength="${MAX_LETTERS}" spellcheck="false"${!isEnough && html` autofocus`}>
<button class="button">Search</button>
</form>
${found ? renderFound(visit, ref, words, found) : renderEmptyNote('Write at least two letters. They are found in all text files, in small and capital letters.')}`,
    }
  }
}

function renderFound(visit: Visit, ref: NamedRef, words: string, found: FoundCode): Html {
  const { files, isCut } = found
  if (files.length === 0) {
    return renderEmptyNote(isCut ? 'Git takes too long to find this.' : 'No line holds this.')
  }
  const count = counted(files.length, 'file')
  return html`<p class="mute">${isCut ? `The first ${count}` : count}</p>
${files.map((file) => renderFile(visit, ref, words, file))}`
}

function renderFile(visit: Visit, ref: NamedRef, words: string, file: FoundFile): Html {
  const { path, lines, more } = file
  const address = codePath(visit, 'src', ref, path)
  return html`<section class="sheet file" aria-label="${path}">
<header><a href="${address}">${icon('file')} ${path}</a>${more > 0 && html`<span class="mute end">${counted(more, 'more line')}</span>`}</header>
${lines.some(({ text }) => hasInvisible(text)) && renderInvisibleNote()}<div class="scroll"><table class="code">${lines.map((line) => renderLine(address, words, line))}</table></div>
</section>`
}

function renderLine(address: string, words: string, { number, text }: FoundLine): Html {
  return html`<tr><td><a href="${address}#L${number}" data-line="${number}" aria-label="Line ${number}"></a></td><td>${marked(text, words)}</td></tr>
`
}

/** The part of the line around the first match, which is marked. */
function marked(line: string, words: string): Html {
  const at = Math.max(line.toLowerCase().indexOf(words.toLowerCase()), 0)
  const from = at > BEFORE ? at - BEFORE : 0
  const end = at + words.length
  const rest = line.slice(end, from + SHOWN)
  const isCut = end + rest.length < line.length
  return markInvisible(
    html`${from > 0 && '…'}${verbatim(line.slice(from, at))}<mark>${verbatim(line.slice(at, end))}</mark>${verbatim(rest)}${isCut && '…'}`,
  )
}

export function renderSearchLink(visit: Visit, { kind, name }: NamedRef): Html {
  return html`<a class="button" href="${pathTo(visit, 'search', kind, name)}" data-keys="s" data-keys-label="Search the code">${icon('search')} Search</a>`
}
