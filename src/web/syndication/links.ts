import { html, type Html } from '../html.ts'

/** To the news of what stands at a path, for programs that collect them. */
export function renderNewsLinks(path: string): Html {
  return html`<p class="mute">Follow this with a news reader: <a href="${path}.atom">Atom</a> or <a href="${path}.rss">RSS</a></p>`
}
