import { html, type Html } from '../platform/html.ts'

/** An address that a user gave, as far as it leads to a site. */
export function siteUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

/** The address as a link, or as it stands where it leads to no site. */
export function outsideLink(text: string): Html {
  const url = siteUrl(text)
  if (!url) return html`${text}`
  const label = text.replace(/^https?:\/\//i, '').replace(/\/$/, '')
  return html`<a href="${url.href}" rel="nofollow noopener">${label}</a>`
}
