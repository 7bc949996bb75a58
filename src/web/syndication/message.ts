import { beginningOf } from '../../platform/parsing/beginning.ts'
import { html } from '../../platform/html.ts'

/** More than anybody reads in a list of news. */
const MAX_MESSAGE = 16 * 1024

/** The message of a commit or a tag, or its beginning and where the rest is. */
export function messageIn(message: string, page: string): string {
  const shown = html`<pre>${beginningOf(message, MAX_MESSAGE)}</pre>`
  if (message.length <= MAX_MESSAGE) return shown.toString()
  return html`${shown}<p><a href="${page}">The rest of the message</a></p>`.toString()
}
