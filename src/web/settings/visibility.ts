import {
  previewVisibility,
  type VisibilityEffects,
} from '../../repositories/repository/change-visibility.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { counted } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { pathTo, type Visit } from '../repository/visit.ts'

/** What the answer to the question says: it is about this change, and about no other. */
const answers = { private: 'private', public: 'public' } as const

function wantsPrivate(form: URLSearchParams): boolean {
  return form.get('private') === 'true'
}

/** Whether the form changes the visibility, and nobody has confirmed that. */
export function asksAboutVisibility({ isPrivate }: Repository, form: URLSearchParams): boolean {
  const wanted = wantsPrivate(form)
  return (
    wanted !== isPrivate && form.get('confirmed') !== (wanted ? answers.private : answers.public)
  )
}

/** Says what the change means, and keeps what was typed until it is confirmed. */
export async function renderVisibilityQuestion(visit: Visit, form: URLSearchParams): Promise<Html> {
  const { ctx, view } = visit
  const isPrivate = wantsPrivate(form)
  const effects = await previewVisibility(ctx, view.repo, isPrivate)
  const name = `${view.owner.name}/${view.repo.name}`
  const path = pathTo(visit, 'settings')
  const answer = isPrivate ? answers.private : answers.public
  return html`
<h2>Make ${name} ${answer}?</h2>
<form class="sheet form" method="post" action="${path}">
${[...form].map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}
<input type="hidden" name="confirmed" value="${answer}">
<ul>${isPrivate ? renderLosses(effects) : renderOpening(effects)}</ul>
<p class="row"><button class="button danger">Make it ${answer}</button> <a class="button" href="${path}">Cancel</a></p>
</form>`
}

function renderLosses({ own, forks }: VisibilityEffects): readonly Part[] {
  const { repositories, stars, watches } = forks
  const count = counted(repositories, 'fork becomes', 'forks become')
  return [
    html`<li>Only people with access see it from then on.</li>`,
    html`<li>It loses ${audienceText(own)}, also yours. Nobody gets them back when it becomes public again.</li>`,
    repositories > 0 &&
      html`<li>${count} private, too, and ${repositories === 1 ? 'loses' : 'lose'} ${audienceText({ stars, watches })}. Their owners are told.</li>`,
  ]
}

function renderOpening({ forks: { repositories } }: VisibilityEffects): readonly Part[] {
  return [
    html`<li>Everybody who can reach this server sees its code with the whole history, its issues, pull requests, releases and wiki.</li>`,
    repositories > 0 &&
      html`<li>${counted(repositories, 'fork becomes', 'forks become')} public, too.</li>`,
  ]
}

function audienceText({ stars, watches }: { stars: number; watches: number }): string {
  return `${counted(stars, 'star')} and ${counted(watches, 'watch', 'watches')}`
}
