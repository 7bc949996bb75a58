import { loadBlob } from '../../code/commits/tree.ts'
import type { Seen, SeenFolder } from '../../code/content/browse.ts'
import type { ContentEntry } from '../../code/content/entries.ts'
import { isMarkdownFile } from '../../platform/markup/modes.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import { renderDocument } from './markdown.ts'
import { codePath } from './source.ts'
import type { Visit } from './visit.ts'

const MAX_BYTES = 512 * 1024

/** What explains a folder, below its files. */
export async function renderReadme(visit: Visit, seen: Seen, folder: SeenFolder): Promise<Part> {
  const entry = findReadme(folder)
  if (!entry) return undefined
  const { content } = await loadBlob(visit.ctx, visit.view.repo, entry.id, MAX_BYTES)
  if (!content || content.includes(0)) return undefined
  return html`<section class="sheet readme" aria-label="${entry.name}">
<header>${icon('book')} <a href="${codePath(visit, 'src', seen, entry.path)}">${entry.name}</a></header>
${await renderText(visit, seen, entry, content.toString('utf8'))}
</section>`
}

async function renderText(
  visit: Visit,
  seen: Seen,
  { path, name }: ContentEntry,
  text: string,
): Promise<Html> {
  if (isMarkdownFile(name)) return renderDocument(visit, seen, path, text)
  return html`<pre class="text" tabindex="0">${text}</pre>`
}

/** Markdown before plain text. */
function findReadme({ entries }: SeenFolder): ContentEntry | undefined {
  const named = entries.filter(
    ({ kind, name }) =>
      kind === 'file' && /^readme(?:\.(?:md|markdown|mkd|mdown|txt))?$/i.test(name),
  )
  return named.find(({ name }) => isMarkdownFile(name)) ?? named[0]
}
