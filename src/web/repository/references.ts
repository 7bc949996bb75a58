import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import type { Caller, Context } from '../../platform/context.ts'
import { namesKnownTo } from '../../collaboration/issues/mentions.ts'
import { issuesKnownTo, keyOfIssue } from '../../collaboration/issues/references.ts'
import { splitAtReferences, type Refer } from '../../platform/markup/references.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { html, type Part } from '../../platform/html.ts'
import type { Visit } from './visit.ts'

/** A text of a repository that nobody wrote for its pages: a document, the message of a commit. */
export interface TextOf {
  readonly view: RepositoryView
  readonly text: string
}

type ReferIn = (view: RepositoryView) => Refer

/**
 * Issues and people lead somewhere if they are there and the viewer may know of them. For all of
 * the texts at once.
 */
export async function loadReferences(
  ctx: Context,
  viewer: Caller,
  texts: readonly TextOf[],
): Promise<ReferIn> {
  const written = texts.map(({ view, text }) => ({ ...hereOf(view), text }))
  const issues = await issuesKnownTo(ctx, viewer, written)
  const people = await namesKnownTo(
    ctx,
    viewer,
    texts.map(({ text }) => text),
  )
  const base = basePath(ctx.config)
  return (view) => (named) => {
    if (named.kind === 'commit') return undefined
    if (named.kind === 'person') {
      const { name } = named
      return people.has(name.toLowerCase()) ? `${base}/${encodeSegment(name)}` : undefined
    }
    const here = hereOf(view)
    const [owner = here.owner, repo = here.repo] = named.repository?.split('/') ?? []
    const number = Number(named.number)
    const key = keyOfIssue({ owner: owner.toLowerCase(), repo: repo.toLowerCase(), number })
    if (!issues.has(key)) return undefined
    return `${base}/${encodeSegment(owner)}/${encodeSegment(repo)}/issues/${number}`
  }
}

/** Like `loadReferences`, for texts of the repository that is visited. */
export async function loadReferencesHere(
  { ctx, viewer, view }: Visit,
  ...texts: readonly string[]
): Promise<Refer> {
  const written = texts.map((text) => ({ view, text }))
  return (await loadReferences(ctx, viewer, written))(view)
}

function hereOf({ owner, repo }: RepositoryView) {
  return { owner: owner.name, repo: repo.name }
}

/**
 * A text that is no Markdown, with links where it refers to something. What is around these may
 * lead elsewhere.
 */
export function linkReferences(
  text: string,
  refer: Refer,
  around: (text: string) => Part = (plain) => plain,
): Part {
  return splitAtReferences(text, refer).map(({ text: piece, href }) =>
    href === undefined ? around(piece) : html`<a href="${href}">${piece}</a>`,
  )
}
