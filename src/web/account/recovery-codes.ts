import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { SignedInLook } from '../look.ts'
import { inSection, settingsPath } from './section.ts'

/** The codes are shown here and never again. */
export function showRecoveryCodes(look: SignedInLook, codes: readonly string[]): Page {
  return inSection(
    look,
    'two-factor',
    html`
<h2>Recovery codes</h2>
<p class="lede">Keep these where you find them without your phone or your key: each works once in place of a one-time code. They are not shown again.</p>
<ul class="sheet notice plain codes">${codes.map((code) => html`<li><code class="secret">${code}</code></li>`)}</ul>
<p><a class="button main" href="${settingsPath(look, 'two-factor')}">I have kept them</a></p>`,
  )
}
