import { html, type Html } from '../platform/html.ts'

/** White space around it, without which cameras do not find it. */
const BORDER = 4

/** A text for the camera of a phone. */
export async function renderQrCode(text: string, label: string): Promise<Html> {
  // Loaded only where it is used: few pages have one.
  const { encode } = await import('uqr')
  const { size, data } = encode(text, { ecc: 'M', border: BORDER })
  const dots = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${dots.join('')}"/></svg>`
}
