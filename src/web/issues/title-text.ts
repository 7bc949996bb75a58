import { html, type Part } from '../../platform/html.ts'

/** A title as pages show it: what stands between backticks is code, and nothing else is markup. */
export function titleText(title: string): readonly Part[] {
  const pieces = title.split(/`([^`]+)`/)
  return pieces.map((piece, index) => (index % 2 === 0 ? piece : html`<code>${piece}</code>`))
}
