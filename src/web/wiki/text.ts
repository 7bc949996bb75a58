import { posix } from 'node:path'
import { findWikiFiles } from '../../code/wikis/files.ts'
import { html, type Html } from '../../platform/html.ts'
import {
  beginningOf,
  inProse,
  keepRendered,
  type Lead,
  type Rendered,
} from '../repository/markdown.ts'
import { loadReferencesHere } from '../repository/references.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { filePath } from './path.ts'

/** Of one text: each is looked for. */
const MAX_PICTURES = 100

/**
 * Names of pages lead to these. Pictures that lie in the wiki are shown, and none that does not.
 */
export async function renderText(visit: Visit, file: string, content: Buffer): Promise<Html> {
  const text = content.toString('utf8')
  const shown = beginningOf(text)
  const { markup } = await render(visit, shown)
  return html`${await inProse(markup)}${shown.length < text.length && renderCut(visit, file)}`
}

function renderCut(visit: Visit, file: string): Html {
  return html`<p class="more">This is the beginning of a long page. The rest is in <a href="${filePath(visit, file)}">the raw file</a>.</p>`
}

async function render(visit: Visit, text: string): Promise<Rendered> {
  const refer = await loadReferencesHere(visit, text)
  const renderWith = (files: ReadonlySet<string>) =>
    keepRendered(text, {
      refer,
      lead: leadAmong(visit, files),
      place: [pathTo(visit, 'wiki'), ...[...files].map((path) => filePath(visit, path))].join(' '),
      options: { linksPages: true },
    })
  const plain = await renderWith(new Set())
  if (plain.pictures.length === 0) return plain
  const wanted = new Set(plain.pictures.slice(0, MAX_PICTURES).map(pathOf))
  const found = await findWikiFiles(visit.ctx, visit.view.repo, wanted)
  return found.size === 0 ? plain : renderWith(found)
}

function leadAmong(visit: Visit, files: ReadonlySet<string>): Lead {
  return (written, of) => {
    if (of === 'image') {
      const path = pathOf(written)
      return files.has(path) ? { address: filePath(visit, path), isDocument: false } : undefined
    }
    const name = written.replace(/^(?:\.?\/)+/, '').replace(/\.md$/, '')
    return { address: pathTo(visit, 'wiki', name), isDocument: true }
  }
}

/** From the root of the wiki. */
function pathOf(written: string): string {
  return posix.resolve('/', written).slice(1)
}
