import { posix } from 'node:path'
import { findWikiFiles } from '../../wikis/files.ts'
import type { Refer } from '../../markup/references.ts'
import type { Html } from '../html.ts'
import { renderLinked, type Lead } from '../repository/markdown.ts'
import { loadReferencesHere } from '../repository/references.ts'
import { pathTo, type Visit } from '../repository/visit.ts'
import { filePath } from './path.ts'

/** Of one text: each is looked for. */
const MAX_PICTURES = 100

/** Names of pages lead to these. Pictures that lie in the wiki are shown, and none that does not. */
export async function renderText(visit: Visit, content: Buffer): Promise<Html> {
  const text = content.toString('utf8')
  const wanted = new Set<string>()
  const refer = await loadReferencesHere(visit, text)
  const plain = await renderWith(visit, text, refer, (path) => {
    if (wanted.size < MAX_PICTURES) wanted.add(path)
    return false
  })
  if (wanted.size === 0) return plain
  const found = await findWikiFiles(visit.ctx, visit.view.repo, wanted)
  return found.size === 0 ? plain : renderWith(visit, text, refer, (path) => found.has(path))
}

function renderWith(
  visit: Visit,
  text: string,
  refer: Refer,
  isShown: (path: string) => boolean,
): Promise<Html> {
  const lead: Lead = (written, of) => {
    const path = posix.resolve('/', written).slice(1)
    if (of === 'image') {
      return isShown(path) ? { address: filePath(visit, path), isDocument: false } : undefined
    }
    const name = written.replace(/^(?:\.?\/)+/, '').replace(/\.md$/, '')
    return { address: pathTo(visit, 'wiki', name), isDocument: true }
  }
  return renderLinked(text, lead, refer, { linksPages: true })
}
