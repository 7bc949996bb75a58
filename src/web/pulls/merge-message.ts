import type { MergeStyle } from '../../collaboration/pulls/merge-style.ts'
import {
  proposeMerge,
  proposeSquash,
  type Message,
} from '../../collaboration/pulls/proposed-message.ts'
import type { PullView } from '../../collaboration/pulls/view.ts'
import { html, type Html } from '../../platform/html.ts'
import { textIn } from '../issues/editor.ts'
import type { Rejected } from '../issues/rejected.ts'
import type { Visit } from '../repository/visit.ts'

/** Ways to merge that write the same message share its fields. */
type Kind = 'merge' | 'squash' | 'none'

const kinds: Readonly<Record<MergeStyle, Kind>> = {
  merge: 'merge',
  'rebase-merge': 'merge',
  squash: 'squash',
  rebase: 'none',
  'fast-forward-only': 'none',
  'manually-merged': 'none',
}

const proposers = { merge: proposeMerge, squash: proposeSquash } as const

/**
 * The message that will be written, for each way to merge: the page shows that of the chosen one.
 */
export async function renderMessages(
  visit: Visit,
  shown: PullView,
  styles: readonly MergeStyle[],
  before?: Rejected<string>,
): Promise<readonly Html[]> {
  const wanted = new Set(styles.map((style) => kinds[style]))
  return Promise.all(
    [...wanted].map(async (kind) => {
      if (kind === 'none') return renderNoMessage()
      const proposed = await proposers[kind](visit.ctx, visit.view, shown)
      const typed = before?.fields && typedIn(before.fields, kind)
      return renderMessage(kind, typed ?? proposed)
    }),
  )
}

function renderNoMessage(): Html {
  return html`<p class="message for-none mute">The commits keep their own messages.</p>`
}

function renderMessage(kind: 'merge' | 'squash', { title, body }: Message): Html {
  return html`<div class="message for-${kind}">
<p class="field"><label for="${kind}-title">Commit title</label><input id="${kind}-title" name="${kind}_title" autocomplete="off" value="${title}"></p>
<p class="field"><label for="${kind}-message">Commit message</label><textarea id="${kind}-message" name="${kind}_message" rows="5">
${body}</textarea></p>
</div>`
}

/** The message of a form, for the way to merge that was chosen. */
export function messageIn(form: URLSearchParams, style: MergeStyle): Message {
  const kind = kinds[style]
  const typed = kind === 'none' ? undefined : typedIn(form, kind)
  return typed ?? { title: '', body: '' }
}

/** Programs send one message, whichever way they choose. */
function typedIn(form: URLSearchParams, kind: 'merge' | 'squash'): Message | undefined {
  const title = form.get(`${kind}_title`) ?? form.get('title')
  const name = form.has(`${kind}_message`) ? `${kind}_message` : 'message'
  if (title === null && !form.has(name)) return undefined
  return { title: title ?? '', body: textIn(form, name) }
}
