import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import { hasSecondFactor, type Account } from '../../identity/users/account.ts'
import { counted, timeAgo } from '../figures.ts'
import { FormFields, formOfValues, type FormState } from '../forms/fields.ts'
import { renderLoss } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { SignedInLook } from '../look.ts'
import { visibilities } from './account-form.ts'
import { renderLastSignIn, renderState } from './people.ts'
import { adminPath } from './section.ts'

/** The forms of an account that are shown again. */
export interface PersonState {
  readonly account?: FormState
  readonly password?: FormState
  readonly name?: FormState
  readonly removal?: FormState
}

/** Nobody locks themselves out here: what could is left out of one's own. */
export function renderForms(
  look: SignedInLook,
  person: Account,
  state: PersonState,
  keys: Html,
): Html {
  return html`
${renderHead(look, person)}
${renderAccount(look, person, state.account ?? { form: formOfPerson(person) })}
${isOwn(look, person) ? renderOwnCredentials(look) : renderCredentials(look, person, state)}
${keys}
${renderRename(look, person, state.name ?? { form: formOfValues({ new_name: person.name }) })}
${!isOwn(look, person) && renderRemoval(look, person, state.removal ?? { form: new URLSearchParams() })}`
}

/** Shown only while somebody cannot sign in. */
export function renderBlock(
  look: SignedInLook,
  person: Account,
  blockedUntil: number | undefined,
): Html | undefined {
  if (blockedUntil === undefined) return undefined
  const minutes = Math.ceil((blockedUntil - look.ctx.now()) / 60)
  return html`
<div class="sheet notice">
<p>Sign-in to this account is blocked after too many wrong passwords, except from addresses that it has used before. It ends by itself in ${counted(minutes, 'minute')}.</p>
<form method="post" action="${adminPath(look, 'users', person.name, 'unblock')}">
<button class="button" type="submit">Unblock sign-in</button>
</form>
</div>`
}

export function isOwn({ viewer }: SignedInLook, { id }: Account): boolean {
  return viewer.account.id === id
}

function renderHead(look: SignedInLook, person: Account): Html {
  const { ctx } = look
  const page = `${basePath(ctx.config)}/${encodeSegment(person.name)}`
  return html`
<h2><a href="${page}">${person.name}</a> ${renderState(person)}</h2>
<p class="lede">Made ${timeAgo(ctx.now(), person.createdAt)}, ${renderLastSignIn(look, person)}.</p>`
}

function formOfPerson(person: Account): URLSearchParams {
  return formOfValues({
    full_name: person.fullName,
    email: person.email,
    website: person.website,
    visibility: person.visibility,
    max_repo_creation: String(person.maxRepoCreation),
    admin: person.isAdmin,
    active: person.isActive,
    prohibit_login: person.prohibitLogin,
    restricted: person.isRestricted,
    allow_create_organization: person.allowCreateOrganization,
  })
}

function renderAccount(look: SignedInLook, person: Account, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<h2>Account</h2>
${fields.complaint}
<form class="sheet form" method="post" action="${adminPath(look, 'users', person.name)}">
${fields.text('full_name', 'Full name', { optional: true })}
${fields.text('email', 'E-mail address', { type: 'email' })}
${fields.text('website', 'Website', { optional: true })}
${fields.select('visibility', 'Who sees them', visibilities)}
${fields.text('max_repo_creation', 'Repositories at most', { type: 'number', hint: '-1: what the settings say for everybody.' })}
${fields.check('allow_create_organization', 'May create organizations')}
${fields.check('restricted', 'Restricted', { hint: 'Sees only where they are let in.' })}
${!isOwn(look, person) && renderStanding(fields)}
<button class="button main" type="submit">Save</button>
</form>`
}

function renderStanding(fields: FormFields): Html {
  return html`
${fields.check('admin', 'Administrator', { hint: 'May do everything, here too.' })}
${fields.check('active', 'Active', { hint: 'Who is not is let in nowhere.' })}
${fields.check('prohibit_login', 'May not sign in', { hint: 'Nor call with tokens or keys. Sessions end at once.' })}`
}

function renderCredentials(look: SignedInLook, person: Account, { password }: PersonState): Html {
  const usual = { form: formOfValues({ must_change_password: true }) }
  return html`
${renderPassword(look, person, password ?? usual)}
<h2>Second factor</h2>
${renderSecondFactor(look, person)}`
}

function renderPassword(look: SignedInLook, person: Account, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<h2>Password</h2>
<form class="sheet form" method="post" action="${adminPath(look, 'users', person.name, 'password')}">
<p>A new one ends all sessions of theirs.</p>
${fields.complaint}
${fields.text('password', 'New password', { type: 'password', autocomplete: 'new-password' })}
${fields.check('must_change_password', 'They choose their own when they sign in next')}
<button class="button" type="submit">Set password</button>
</form>`
}

function renderSecondFactor(look: SignedInLook, person: Account): Html {
  if (!hasSecondFactor(person)) return html`<p class="sheet notice mute">They have none.</p>`
  const action = adminPath(look, 'users', person.name, 'two-factor', 'delete')
  return html`
<div class="sheet notice">
<p>${describeFactors(person)} Whoever has lost all of them, and the recovery codes, signs in with the password alone once these are off.</p>
${renderLoss(action, { label: 'Switch off', warning: 'One-time codes, security keys and recovery codes are lost.' })}
</div>`
}

function describeFactors({ totpSecret, securityKeys }: Account): string {
  const kinds = [
    ...(totpSecret === '' ? [] : ['one-time codes']),
    ...(securityKeys === 0 ? [] : [counted(securityKeys, 'security key')]),
  ]
  return `They have ${kinds.join(' and ')}.`
}

/** Set where one shows the password that one has. */
function renderOwnCredentials({ ctx }: SignedInLook): Html {
  const own = `${basePath(ctx.config)}/user`
  return html`
<h2>Password and second factor</h2>
<p class="sheet notice">This is your own account: <a href="${own}/change_password">change your password</a> or <a href="${own}/settings/two-factor">your second factor</a> in your settings. Another administrator can disable or delete it.</p>`
}

function renderRename(look: SignedInLook, person: Account, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<h2>Name</h2>
<form class="sheet form" method="post" action="${adminPath(look, 'users', person.name, 'rename')}">
${fields.complaint}
${fields.text('new_name', 'Name', { hint: 'Old addresses lead to the new one.' })}
<button class="button" type="submit">Rename</button>
</form>`
}

function renderRemoval(look: SignedInLook, person: Account, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<h2>Delete</h2>
<form class="sheet form" method="post" action="${adminPath(look, 'users', person.name, 'delete')}">
<p>An account goes once it owns no repository and no package, and is in no organization. What they said elsewhere stays, without their name.</p>
${fields.complaint}
${fields.check('purge', 'With all that only they own', { hint: 'Their repositories and packages, and organizations without another owner with what those have.' })}
${fields.text('delete_name', `Type ${person.name} to confirm`)}
<button class="button danger" type="submit">Delete for good</button>
</form>`
}
