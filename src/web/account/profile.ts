import { removeAvatar, setAvatar } from '../../repositories/avatars/change.ts'
import { assertImage } from '../../repositories/avatars/image.ts'
import { bindForm } from '../../platform/http/binding.ts'
import { editProfile } from '../../identity/users/edit.ts'
import { presentSettings, readSettings } from '../../identity/users/present.ts'
import { UserSettingsOptions } from '../../identity/users/schema.ts'
import { FormFields, formOfValues, withChecks, type FormState } from '../forms/fields.ts'
import { renderPicture } from '../forms/picture.ts'
import { problemOf, type FormProblem } from '../forms/problem.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { again, inSection, saved, settingsPath } from './section.ts'

interface ProfileState {
  readonly profile?: FormState
  /** With the picture. */
  readonly problem?: FormProblem
}

/** What an account says about itself. */
export async function showProfile(look: SignedInLook, state: ProfileState = {}): Promise<Page> {
  const { account } = look.viewer
  const profile = state.profile ?? { form: formOfValues(presentSettings(account)) }
  return inSection(
    look,
    '',
    html`${renderProfile(look, profile)}${renderPicture(look.ctx.config, account, settingsPath(look, 'avatar'), state.problem)}`,
  )
}

function renderProfile(look: SignedInLook, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<h2>Profile</h2>
${fields.complaint}
<form class="sheet form" method="post" action="${settingsPath(look)}">
${fields.text('full_name', 'Full name', { optional: true, autocomplete: 'name' })}
${fields.text('description', 'About you', { optional: true })}
${fields.text('website', 'Website', { optional: true, autocomplete: 'url' })}
${fields.text('location', 'Location', { optional: true })}
${fields.check('hide_email', 'Hide my e-mail address', { hint: 'Others see a placeholder, which also stands in commits made here.' })}
${fields.check('hide_activity', 'Hide what I do', { hint: 'Your feed is seen by you and by administrators alone.' })}
<button class="button main" type="submit">Save</button>
</form>`
}

export async function saveProfile(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  const whole = onlyProfile(withChecks(form, ['hide_email', 'hide_activity']))
  try {
    await editProfile(ctx, viewer.account, readSettings(bindForm(UserSettingsOptions, whole)))
  } catch (error) {
    return again(await showProfile(submitted, { profile: { form, problem: problemOf(error) } }))
  }
  return saved(submitted, '')
}

/** What the form shows; the rest stays. */
function onlyProfile(form: URLSearchParams): URLSearchParams {
  const names = ['full_name', 'description', 'website', 'location', 'hide_email', 'hide_activity']
  return new URLSearchParams([...form].filter(([name]) => names.includes(name)))
}

export async function saveAvatar(look: SignedInLook, image: Buffer): Promise<Shown> {
  const { ctx, viewer } = look
  try {
    assertImage(image)
  } catch (error) {
    return again(await showProfile(look, { problem: problemOf(error) }))
  }
  await setAvatar(ctx, 'account', viewer.account.id, image)
  return saved(look, '')
}

export async function dropOwnAvatar(submitted: Submitted): Promise<Shown> {
  await removeAvatar(submitted.ctx, 'account', submitted.viewer.account.id)
  return saved(submitted, '')
}
