import { endGrant, grantsOf } from '../../identity/oauth2-server/grants.ts'
import { readInteger } from '../../platform/http/query.ts'
import type { ApplicationSection } from '../applications/pages.ts'
import { timeAgo } from '../figures.ts'
import { renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { rightsOf } from '../pages/consent.ts'
import { inSection, saved, settingsPath } from './section.ts'

/** What acts for the viewer, and what they have registered for others. */
export async function enterApplications(look: SignedInLook): Promise<ApplicationSection> {
  return {
    owner: look.viewer.account,
    path: (...parts) => settingsPath(look, 'applications', ...parts),
    frame: (content) => inSection(look, 'applications', content),
    renderAbove: async () => html`
<h2>Authorized applications</h2>
<p class="lede">What you let act for you. Who has used a program to sign in here, or to push, finds it in this list.</p>
${await renderGrants(look)}
<h2>Your OAuth2 applications</h2>
<p class="lede">Programs of yours that others let act for them, or sign in to with their account here.</p>`,
  }
}

async function renderGrants(look: SignedInLook): Promise<Html> {
  const { ctx, viewer } = look
  const rows = (await grantsOf(ctx, viewer.account)).map(
    ({ id, application, scope, createdAt }) => ({
      title: application,
      about: html`${rightsOf(scope).join(' · ')} · since ${timeAgo(ctx.now(), createdAt)}`,
      action: renderLoss(
        settingsPath(look, 'applications/withdraw'),
        {
          label: 'Withdraw',
          name: application,
          warning: 'It is out at once, and has to ask you again before it comes back.',
        },
        { id },
      ),
    }),
  )
  return renderRows(rows, 'There is none.')
}

export async function withdrawGrant(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  await endGrant(ctx, viewer.account, readInteger(form.get('id') ?? ''))
  return saved(submitted, 'applications')
}
