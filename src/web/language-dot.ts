import { colorOf } from '../code/analysis/colors.ts'
import { html, type Html } from '../platform/html.ts'

/** An attribute of SVG: pages may not have styles of their own. */
export function languageDot(language: string): Html {
  return html`<svg class="dot" viewBox="0 0 8 8" aria-hidden="true"><circle cx="4" cy="4" r="4" fill="${colorOf(language)}"></circle></svg>`
}
