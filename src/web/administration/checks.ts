import type { CheckState } from '../../platform/check-state.ts'
import { counted, timeAgo } from '../figures.ts'
import { renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { SignedInLook } from '../look.ts'

/** What the doctor found when it last looked. */
export function renderChecks(look: SignedInLook, checks: readonly CheckState[]): Html {
  const wrong = checks.filter(({ foundCount }) => foundCount > 0)
  const rows = checks.map((check) => ({ title: check.name, about: renderAbout(look, check) }))
  return html`
<h2>Checks</h2>
<p class="lede">What must be so in a healthy server. The tasks above look, and so does <code>npm run admin -- doctor</code>, which mends with <code>--fix</code>.</p>
${wrong.map(renderWrong)}
${renderRows(rows, 'There is none.')}`
}

function renderAbout({ ctx }: SignedInLook, { ranAt, foundCount }: CheckState): Html {
  if (ranAt === 0) return html`has not run yet`
  const state = foundCount === 0 ? 'all is well' : html`<b>${problems(foundCount)}</b>`
  return html`${state} · looked ${timeAgo(ctx.now(), ranAt)}`
}

function renderWrong({ name, foundCount, found }: CheckState): Html {
  const more = foundCount - found.length
  return html`
<details class="sheet notice" open><summary>Not so: ${name} (${problems(foundCount)})</summary>
<pre tabindex="0">${found.join('\n')}${more > 0 && `\nand ${more} more`}</pre>
</details>`
}

function problems(count: number): string {
  return counted(count, 'problem')
}
