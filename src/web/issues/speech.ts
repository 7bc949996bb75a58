import { basePath, encodeSegment } from '../../config/urls.ts'
import { namesKnownTo } from '../../issues/mentions.ts'
import type { Refer } from '../../markup/references.ts'
import { renderMarkdown } from '../../markup/render.ts'
import { colourCodeBlocks } from '../highlight/code-blocks.ts'
import { trusted, type Html } from '../html.ts'
import { pathTo, type Visit } from '../repository/visit.ts'

/** What somebody wrote. Issues, commits and people of whom the viewer knows are linked where it names them. */
export async function renderSpeech(visit: Visit, text: string): Promise<Html> {
  const known = await namesKnownTo(visit.ctx, visit.viewer, text)
  const refer = referIn(visit, known)
  return trusted(await colourCodeBlocks(await renderMarkdown(text, { hardBreaks: true, refer })))
}

/** Whether there is such an issue is not looked up: its page says so. */
function referIn(visit: Visit, people: ReadonlySet<string>): Refer {
  const base = basePath(visit.ctx.config)
  return (named) => {
    if (named.kind === 'commit') return pathTo(visit, 'commit', named.id)
    if (named.kind === 'person') {
      return people.has(named.name.toLowerCase())
        ? `${base}/${encodeSegment(named.name)}`
        : undefined
    }
    const { repository, number } = named
    if (repository === undefined) return pathTo(visit, 'issues', number)
    return `${base}/${repository.split('/').map(encodeSegment).join('/')}/issues/${number}`
  }
}
