import { findPaths, loadPlace } from '../../code/content/find.ts'
import type { RefKind } from '../../code/content/places.ts'
import { countText, counted } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import { assertReadsCode, codePath, isHome, refLabel, type NamedRef } from './source.ts'
import { pathTo, restOf, type Show, type Visit } from './visit.ts'

const MAX_FOUND = 100

/** Files of a ref by parts of their paths. */
export function showFinder(kind: RefKind): Show {
  return async (visit) => {
    const { ctx, view, query } = visit
    assertReadsCode(visit)
    const { revision } = await loadPlace(ctx, view.repo, kind, restOf(visit))
    const ref = { kind, name: revision.name }
    const text = (query.text('q') ?? '').slice(0, 200)
    const found = await findPaths(ctx, view.repo, revision.commitId, { text, limit: MAX_FOUND })
    return {
      tab: 'code',
      title: `Find a file at ${refLabel(ref)}`,
      content: html`<file-finder>
<form class="row" role="search" aria-label="Files">
<label for="find">Find a file at <a href="${isHome(visit, ref) ? visit.home : codePath(visit, 'src', ref)}">${refLabel(ref)}</a></label>
<input id="find" type="search" name="q" value="${text}" autocomplete="off" spellcheck="false" autofocus>
</form>
<div class="found" aria-live="polite">
${renderFound(visit, ref, found.paths)}
${note(found.paths.length, found.total)}
</div>
</file-finder>`,
    }
  }
}

function renderFound(visit: Visit, ref: NamedRef, paths: readonly string[]): Html {
  if (paths.length === 0) return html`<p class="sheet blank">No file is called that.</p>`
  const item = (path: string) =>
    html`<li>${icon('file')} <a href="${codePath(visit, 'src', ref, path)}">${path}</a></li>`
  return html`<section class="sheet"><ul class="entries paths">${paths.map(item)}</ul></section>`
}

function note(shown: number, total: number): Part {
  if (total <= shown) return total > 0 && html`<p class="mute">${counted(total, 'file')}</p>`
  return html`<p class="mute">The first ${countText(shown)} of ${counted(total, 'file')}</p>`
}

/** The way to the finder, also by a key. */
export function renderFinderLink(visit: Visit, { kind, name }: NamedRef): Html {
  return html`<a class="button end" href="${pathTo(visit, 'find', kind, name)}" data-keys="t">${icon('file')} Go to file</a>`
}
