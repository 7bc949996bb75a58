import { html, type Part } from '../../platform/html.ts'

/** What was made just now: it is shown here and never again. */
export function renderSecret(secret: string | undefined, name: string): Part {
  if (secret === undefined) return undefined
  return html`
<section class="sheet notice" role="status">
<p>The new ${name}. Keep it now: it is not shown again.</p>
<p><code class="secret">${secret}</code> <copy-button value="${secret}" label="Copy the ${name}"></copy-button></p>
</section>`
}
