import { basePath, encodeSegment } from '../../config/urls.ts'
import { namesKnownTo } from '../../issues/mentions.ts'
import type { Refer } from '../../markup/references.ts'
import { renderMarkdown, type MarkdownOptions } from '../../markup/render.ts'
import type { Html } from '../html.ts'
import { toProse } from '../prose.ts'
import { resolveFrom } from '../repository/markdown.ts'
import type { NamedRef } from '../repository/source.ts'
import { pathTo, type Visit } from '../repository/visit.ts'

/** What somebody wrote. Issues, commits and people of whom the viewer knows are linked where it names them. */
export async function renderSpeech(visit: Visit, text: string): Promise<Html> {
  const resolve = resolveFrom(visit, { kind: 'branch', name: visit.view.repo.defaultBranch })
  return renderWords(visit, text, {
    hardBreaks: true,
    // A page has many such texts: their headings have no names, but everything else on it has.
    resolve: (address, of) => (address.startsWith('#') ? address : resolve(address, of)),
  })
}

/** The notes of a release: the files that they refer to are those of `ref`. */
export async function renderNotes(visit: Visit, text: string, ref: NamedRef): Promise<Html> {
  return renderWords(visit, text, { isDocument: true, resolve: resolveFrom(visit, ref) })
}

async function renderWords(visit: Visit, text: string, options: MarkdownOptions): Promise<Html> {
  const refer = referIn(visit, await namesKnownTo(visit.ctx, visit.viewer, text))
  const markup = await renderMarkdown(text, {
    ...options,
    linksPictures: true,
    hasNotes: true,
    refer,
  })
  return toProse(markup)
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
