import { hasPassword, setFirstPassword } from '../../identity/auth/first-password.ts'
import { assertJustSignedIn } from '../../identity/auth/fresh-session.ts'
import { anonymous, type Context } from '../../platform/context.ts'
import { signedIn } from '../../platform/http/call.ts'
import { readInteger } from '../../platform/http/query.ts'
import { identitiesOf, unlinkIdentity } from '../../identity/openid-connect/accounts.ts'
import { newAttempt } from '../../identity/openid-connect/attempt.ts'
import { timeAgo } from '../figures.ts'
import { FormFields, type FormState } from '../forms/fields.ts'
import { problemOf, type Explanations } from '../forms/problem.ts'
import { renderLoss, renderRows } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page, Site } from '../layout.ts'
import { traceIn, type Handler, type Shown, type SignedInLook, type Submitted } from '../look.ts'
import { leadToProvider, telling } from '../openid.ts'
import { passwordChangedPage, readPasswordChange } from '../pages/change-password.ts'
import { viewerOfPage } from '../viewer.ts'
import { again, inSection, saved, settingsPath } from './section.ts'

/** By whom the viewer is signed in, beside the password. */
export async function showOpenId(look: SignedInLook, state?: FormState): Promise<Page> {
  const { ctx, viewer } = look
  const { label } = ctx.config.openid
  const rows = (await identitiesOf(ctx, viewer.account)).map((identity) => ({
    title: identity.label,
    about: html`${identity.issuer} · linked ${timeAgo(ctx.now(), identity.createdAt)}`,
    action: renderLoss(
      settingsPath(look, 'openid/delete'),
      {
        label: 'Unlink',
        name: identity.label,
        warning: 'From then on you sign in here with your password.',
      },
      { id: identity.id },
    ),
  }))
  return inSection(
    look,
    'openid',
    html`
<h2>Single sign-on</h2>
<p class="lede">Who you are at ${label}, and can sign in as without your password here.</p>
${renderRows(rows, 'You are not linked to anybody there.')}
<p><a class="button" href="${settingsPath(look, 'openid/link')}">Link with ${label}</a> <span class="mute">For ten minutes after you have signed in.</span></p>
${!hasPassword(viewer.account) && renderPassword(look, state)}`,
  )
}

function renderPassword(
  look: SignedInLook,
  state: FormState = { form: new URLSearchParams() },
): Html {
  const fields = new FormFields(state)
  const least = look.ctx.config.security.min_password_length
  return html`
<h2>A password</h2>
<p class="lede">You have none. Access tokens and second factors are made with it; to push, an SSH key or a program that signs in by your browser do without.</p>
<form class="sheet form" method="post" action="${settingsPath(look, 'openid/password')}">
${fields.complaint}
${fields.text('password', 'New password', { type: 'password', autocomplete: 'new-password', hint: `At least ${least} characters.` })}
${fields.text('retype', 'New password again', { type: 'password', autocomplete: 'new-password' })}
<button class="button">Set the password</button>
</form>`
}

const passwordProblems: Explanations = {
  passwords_differ: { field: 'retype', message: 'The two passwords differ.' },
  password_unfit: ({ message }) => ({ field: 'password', message: `The ${message}.` }),
}

export async function setPassword(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form, request } = submitted
  try {
    await setFirstPassword(ctx, viewer, readPasswordChange(form).newPassword, traceIn(submitted))
  } catch (error) {
    const problem = problemOf(error, passwordProblems)
    return again(await showOpenId(submitted, { form: new URLSearchParams(), problem }))
  }
  // All sessions have ended.
  request.caller = anonymous
  return passwordChangedPage(ctx.config)
}

/**
 * Comes from our own page only: otherwise others could lead somebody there whose browser is signed
 * in as somebody else at the provider. No form, since browsers forbid one to lead on to sites that
 * nobody knows before.
 */
export function linkOpenId(ctx: Context, site: Site): Handler {
  return telling(site, async (request, reply) => {
    const caller = signedIn(await viewerOfPage(ctx, request))
    await assertJustSignedIn(ctx, caller)
    const attempt = newAttempt(ctx, { redirectTo: '/', linksTo: caller.account.id })
    return leadToProvider(ctx, reply, attempt)
  })
}

export async function dropOpenId(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  await unlinkIdentity(ctx, viewer.account, readInteger(form.get('id') ?? ''), traceIn(submitted))
  return saved(submitted, 'openid')
}
