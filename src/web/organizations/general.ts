import { removeAvatar, setAvatar } from '../../repositories/avatars/change.ts'
import { assertImage } from '../../repositories/avatars/image.ts'
import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import { bindForm } from '../../platform/http/binding.ts'
import { assertMayCreate, createOrganization } from '../../identity/organizations/create.ts'
import { editOrganization } from '../../identity/organizations/edit.ts'
import { readNewOrganization, readOrganizationEdit } from '../../identity/organizations/present.ts'
import { removeOrganization } from '../../identity/organizations/remove.ts'
import {
  CreateOrgOption,
  EditOrgOption,
  RenameOrgOption,
} from '../../identity/organizations/schema.ts'
import { markAllForRemoval } from '../../repositories/repository/remove-all.ts'
import type { Account } from '../../identity/users/account.ts'
import { renameAccount } from '../../identity/users/edit.ts'
import {
  FormFields,
  formOfValues,
  withChecks,
  type Choice,
  type FormState,
} from '../forms/fields.ts'
import { renderPicture } from '../forms/picture.ts'
import { problemOf, type Explanations, type FormProblem } from '../forms/problem.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { inSection, ownedBy, pathIn, saved } from './section.ts'

const visibilities: readonly Choice[] = [
  { value: 'public', label: 'Everybody' },
  { value: 'limited', label: 'Who is signed in' },
  { value: 'private', label: 'Members' },
]

const explanations: Explanations = {
  name_taken: { field: 'user_name', message: 'This name is taken.' },
  name_reserved: { field: 'user_name', message: 'This name is kept for other things.' },
  email_invalid: { field: 'email', message: 'This is no e-mail address.' },
}

const removalProblems: Explanations = {
  still_has_repositories: {
    field: 'delete_name',
    message: 'It has repositories: delete or transfer them first.',
  },
  still_has_packages: {
    field: 'delete_name',
    message: 'It has packages: delete them first.',
  },
}

const MISTYPED = 'This is not the name of the organization.'

export async function showNew({ ctx, viewer }: SignedInLook, state?: FormState): Promise<Page> {
  assertMayCreate(ctx, viewer)
  const { default_visibility: visibility } = ctx.config.organizations
  const fields = new FormFields(state ?? { form: formOfValues({ visibility }) })
  return {
    title: 'New organization',
    narrow: true,
    content: html`
<h1>New organization</h1>
<p class="lede">Repositories that belong to a group, and teams of people who work on them.</p>
${fields.complaint}
<form class="sheet form" method="post" action="${basePath(ctx.config)}/org/create">
${fields.text('user_name', 'Name', { hint: 'Part of the addresses of its repositories.' })}
${fields.text('full_name', 'Full name', { optional: true })}
${fields.text('description', 'Description', { optional: true })}
${fields.select('visibility', 'Who sees it', visibilities)}
<button class="button main" type="submit">Create organization</button>
</form>`,
  }
}

export async function create(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  assertMayCreate(ctx, viewer)
  try {
    const wanted = readNewOrganization(bindForm(CreateOrgOption, form))
    const { name } = await createOrganization(ctx, viewer.account, wanted)
    return { leadsTo: `${basePath(ctx.config)}/${encodeSegment(name)}` }
  } catch (error) {
    const problem = problemOf(error, explanations)
    return { page: await showNew(submitted, { form, problem }), status: 422 }
  }
}

interface GeneralState {
  readonly about?: FormState
  /** With the picture. */
  readonly problem?: FormProblem
  readonly name?: FormState
  /** Of all repositories. */
  readonly emptying?: FormState
  readonly removal?: FormState
}

const nothingTyped: FormState = { form: new URLSearchParams() }

export async function showGeneral(look: SignedInLook, state: GeneralState = {}): Promise<Page> {
  const { org } = await ownedBy(look)
  const content = html`
${look.query.text('emptying') !== undefined && html`<p class="sheet notice" role="status">The repositories are being deleted, which may take a while.</p>`}
${renderAbout(look, org, state.about ?? { form: formOfOrganization(org) })}
${renderPicture(look.ctx.config, org, pathIn(look, org, 'avatar'), state.problem)}
${renderRename(look, org, state.name ?? { form: formOfValues({ new_name: org.name }) })}
${renderEmptying(look, org, state.emptying ?? nothingTyped)}
${renderRemoval(look, org, state.removal ?? nothingTyped)}`
  return inSection(look, org, '', content)
}

function formOfOrganization(org: Account): URLSearchParams {
  return formOfValues({
    full_name: org.fullName,
    email: org.email,
    description: org.description,
    website: org.website,
    location: org.location,
    visibility: org.visibility,
    repo_admin_change_team_access: org.repoAdminChangeTeamAccess,
  })
}

function renderAbout(look: SignedInLook, org: Account, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<h2>General</h2>
${fields.complaint}
<form class="sheet form" method="post" action="${pathIn(look, org)}">
${fields.text('full_name', 'Full name', { optional: true })}
${fields.text('description', 'Description', { optional: true })}
${fields.text('email', 'E-mail address', { optional: true, type: 'email' })}
${fields.text('website', 'Website', { optional: true })}
${fields.text('location', 'Location', { optional: true })}
${fields.select('visibility', 'Who sees it', visibilities)}
${fields.check('repo_admin_change_team_access', 'Who administers a repository gives it to teams')}
<button class="button main" type="submit">Save</button>
</form>`
}

function renderRename(look: SignedInLook, org: Account, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<h2>Name</h2>
<form class="sheet form" method="post" action="${pathIn(look, org, 'rename')}">
${fields.complaint}
${fields.text('new_name', 'Name', { hint: 'Old addresses lead to the new one.' })}
<button class="button" type="submit">Rename</button>
</form>`
}

function renderEmptying(look: SignedInLook, org: Account, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<h2>Delete all repositories</h2>
<form class="sheet form" method="post" action="${pathIn(look, org, 'repos', 'delete')}">
<p>Every repository of the organization goes, with its code, issues and releases, for good. Forks stay, and so do the organization and its teams.</p>
${fields.complaint}
${fields.text('empty_name', `Type ${org.name} to confirm`)}
<button class="button danger" type="submit">Delete all repositories</button>
</form>`
}

function renderRemoval(look: SignedInLook, org: Account, state: FormState): Html {
  const fields = new FormFields(state)
  return html`
<h2>Delete</h2>
<form class="sheet form" method="post" action="${pathIn(look, org, 'delete')}">
<p>An organization goes once it has no repository and no package any more, and with it its teams.</p>
${fields.complaint}
${fields.text('delete_name', `Type ${org.name} to confirm`)}
<button class="button danger" type="submit">Delete for good</button>
</form>`
}

export async function saveGeneral(submitted: Submitted): Promise<Shown> {
  const { ctx, form } = submitted
  const { org } = await ownedBy(submitted)
  try {
    const whole = withChecks(form, ['repo_admin_change_team_access'])
    await editOrganization(ctx, org, readOrganizationEdit(bindForm(EditOrgOption, whole)))
  } catch (error) {
    const about = { form, problem: problemOf(error, explanations) }
    return { page: await showGeneral(submitted, { about }), status: 422 }
  }
  return saved(submitted, org, '')
}

export async function saveAvatar(look: SignedInLook, image: Buffer): Promise<Shown> {
  const { org } = await ownedBy(look)
  try {
    assertImage(image)
  } catch (error) {
    return { page: await showGeneral(look, { problem: problemOf(error) }), status: 422 }
  }
  await setAvatar(look.ctx, 'account', org.id, image)
  return saved(look, org, '')
}

export async function dropAvatar(submitted: Submitted): Promise<Shown> {
  const { org } = await ownedBy(submitted)
  await removeAvatar(submitted.ctx, 'account', org.id)
  return saved(submitted, org, '')
}

export async function rename(submitted: Submitted): Promise<Shown> {
  const { ctx, form } = submitted
  const { org } = await ownedBy(submitted)
  try {
    const { new_name: name } = bindForm(RenameOrgOption, form)
    await renameAccount(ctx, org, name)
    return saved(submitted, { name }, '')
  } catch (error) {
    const problem = { ...problemOf(error, explanations), field: 'new_name' }
    return { page: await showGeneral(submitted, { name: { form, problem } }), status: 422 }
  }
}

export async function removeRepositories(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  const { org } = await ownedBy(submitted)
  const refuse = async (message: string): Promise<Shown> => {
    const emptying = { form, problem: { field: 'empty_name', message } }
    return { page: await showGeneral(submitted, { emptying }), status: 422 }
  }
  if (form.get('empty_name') !== org.name) return refuse(MISTYPED)
  if (!(await markAllForRemoval(ctx, viewer, org))) return refuse('It has no repository.')
  return { leadsTo: `${pathIn(submitted, org)}?emptying=yes` }
}

export async function remove(submitted: Submitted): Promise<Shown> {
  const { ctx, form } = submitted
  const { org } = await ownedBy(submitted)
  const refuse = async (problem: FormProblem): Promise<Shown> => {
    const removal = { form, problem }
    return { page: await showGeneral(submitted, { removal }), status: 422 }
  }
  if (form.get('delete_name') !== org.name) {
    return refuse({ field: 'delete_name', message: MISTYPED })
  }
  try {
    await removeOrganization(ctx, org)
  } catch (error) {
    return refuse(problemOf(error, removalProblems))
  }
  return { leadsTo: `${basePath(ctx.config)}/` }
}
