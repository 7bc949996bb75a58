import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { countText, timeAgo } from '../figures.ts'
import { html, type Html } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import { languageDot } from '../language-dot.ts'

export interface ListOptions {
  /** Where all are of one owner, each is called by its own name alone. */
  readonly withOwner: boolean
}

export function renderRepositories(
  ctx: Context,
  views: readonly RepositoryView[],
  options: ListOptions,
): Html {
  return html`<ul class="repositories plain">${views.map((view) => renderItem(ctx, view, options))}</ul>`
}

function renderItem(ctx: Context, view: RepositoryView, { withOwner }: ListOptions): Html {
  const { repo, owner, topics } = view
  const root = basePath(ctx.config)
  const path = `${root}/${encodeSegment(owner.name)}/${encodeSegment(repo.name)}`
  return html`
<li>
<h2><a href="${path}">${withOwner && html`${owner.name} / `}<b>${repo.name}</b></a> ${tagsOf(view).map((tag) => html`<span class="tag">${tag}</span> `)}</h2>
${repo.description !== '' && html`<p>${repo.description}</p>`}
<p class="mute facts-line">
${repo.language !== '' && html`<span>${languageDot(repo.language)} ${repo.language}</span>`}
<span>${icon('star')} ${countText(repo.starsCount)}<span class="unseen"> stars</span></span>
<span>${icon('fork')} ${countText(repo.forksCount)}<span class="unseen"> forks</span></span>
<span>updated ${timeAgo(ctx.now(), repo.updatedAt)}</span>
${topics.map((topic) => html`<a class="tag topic" href="${root}/explore/repos?q=${encodeURIComponent(topic)}&amp;topic=1">${topic}</a>`)}
</p>
</li>`
}

/** What is out of the ordinary about a repository. */
export function tagsOf({ repo }: RepositoryView): readonly string[] {
  const tags: readonly [boolean, string][] = [
    [repo.isPrivate, 'Private'],
    [repo.isArchived, 'Archived'],
    [repo.isTemplate, 'Template'],
    [repo.isMirror, 'Mirror'],
    [repo.isFork, 'Fork'],
  ]
  return tags.flatMap(([applies, tag]) => (applies ? [tag] : []))
}
