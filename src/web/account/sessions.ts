import {
  endOtherSessions,
  endSessionById,
  sessionsOf,
  type OpenSession,
} from '../../identity/auth/sessions.ts'
import { readInteger } from '../../platform/http/query.ts'
import { timeAgo } from '../figures.ts'
import { renderAction, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { browserName } from './browser-name.ts'
import { inSection, saved, settingsPath } from './section.ts'

/** The browsers in which the viewer is signed in. */
export async function showSessions(look: SignedInLook): Promise<Page> {
  const { ctx, viewer } = look
  const sessions = await sessionsOf(ctx, viewer)
  const rows = sessions.map((session) => ({
    title: renderBrowser(session),
    about: html`signed in ${timeAgo(ctx.now(), session.createdAt)} · used ${timeAgo(ctx.now(), session.lastUsedAt)}`,
    action: session.isOwn
      ? undefined
      : renderAction(settingsPath(look, 'sessions/end'), 'End', { id: session.id }),
  }))
  return inSection(
    look,
    'sessions',
    html`
<h2>Sessions</h2>
<p class="lede">Where you are signed in. A session ends thirty days after its last use, and all of them with a new password.</p>
${renderRows(rows, 'There is none.')}
${sessions.length > 1 && renderAction(settingsPath(look, 'sessions/end-others'), 'End all others')}`,
  )
}

function renderBrowser({ agent, isOwn }: OpenSession): Html | string {
  const name = browserName(agent)
  if (name === undefined) return isOwn ? 'This browser' : 'Another browser'
  return html`${name}${isOwn && html` <span class="tag">This browser</span>`}`
}

export async function endSession(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  await endSessionById(ctx, viewer.account, readInteger(form.get('id') ?? ''))
  return saved(submitted, 'sessions')
}

export async function endOthers(submitted: Submitted): Promise<Shown> {
  await endOtherSessions(submitted.ctx, submitted.viewer)
  return saved(submitted, 'sessions')
}
