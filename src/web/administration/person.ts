import { disableSecondFactor } from '../../identity/auth/second-factor.ts'
import { invalid, invalidField } from '../../platform/errors.ts'
import { bindForm } from '../../platform/http/binding.ts'
import type { Account } from '../../identity/users/account.ts'
import {
  changePassword,
  editPerson,
  renameAccount,
  type PersonEdit,
} from '../../identity/users/edit.ts'
import { loadPerson } from '../../identity/users/load.ts'
import { readPersonEdit } from '../../identity/users/present.ts'
import { removePerson } from '../../identity/users/remove.ts'
import { EditUserOption, RenameUserOption } from '../../identity/users/schema.ts'
import { withChecks } from '../forms/fields.ts'
import { problemOf, type Explanations, type FormProblem } from '../forms/problem.ts'
import type { Page } from '../layout.ts'
import { traceIn, type Shown, type SignedInLook, type Submitted } from '../look.ts'
import { accountProblems, nameProblems } from './account-form.ts'
import { html } from '../../platform/html.ts'
import { isOwn, renderBlock, renderForms, type PersonState } from './person-forms.ts'
import { renderKeys } from './person-keys.ts'
import { again, inSection, saved } from './section.ts'

/** One account, with what an administrator does with it. */
export async function showPerson(look: SignedInLook, state: PersonState = {}): Promise<Page> {
  const person = await personOf(look)
  const keys = await renderKeys(look, person)
  const blockedUntil = await look.ctx.signInLimits.blockedUntil(person)
  const forms = renderForms(look, person, state, keys)
  return inSection(look, 'users', html`${renderBlock(look, person, blockedUntil)}${forms}`)
}

async function personOf({ ctx, viewer, param }: SignedInLook): Promise<Account> {
  return loadPerson(ctx, viewer, param('name'))
}

/** For what is not offered of one's own account. */
async function anotherPersonOf(look: SignedInLook): Promise<Account> {
  const person = await personOf(look)
  if (isOwn(look, person)) throw invalid('This is your own account.')
  return person
}

/** The number of repositories is the one thing in the form that is not text. */
const editProblems: Explanations = {
  ...accountProblems,
  wrong_type: { field: 'max_repo_creation', message: 'This is no whole number.' },
}

export async function savePerson(submitted: Submitted): Promise<Shown> {
  const { ctx, form } = submitted
  const person = await personOf(submitted)
  try {
    await editPerson(ctx, person, readEdit(submitted, person), traceIn(submitted))
  } catch (error) {
    const problem = problemOf(error, editProblems)
    return again(await showPerson(submitted, { account: { form, problem } }))
  }
  return saved(submitted, 'users', person.name)
}

/** What the form shows; the rest stays. */
function readEdit(submitted: Submitted, person: Account): PersonEdit {
  const standing = isOwn(submitted, person) ? [] : ['admin', 'active', 'prohibit_login']
  const checks = ['allow_create_organization', 'restricted', ...standing]
  const texts = ['full_name', 'email', 'website', 'visibility', 'max_repo_creation']
  const whole = [...withChecks(submitted.form, checks)]
  const shown = whole.filter(([name]) => [...texts, ...checks].includes(name))
  const edit = readPersonEdit(bindForm(EditUserOption, new URLSearchParams(shown)))
  if (edit.email === '') throw invalidField('Email', 'Required')
  return edit
}

/** After too many wrong passwords, of whomever. */
export async function freePerson(submitted: Submitted): Promise<Shown> {
  const person = await personOf(submitted)
  await submitted.ctx.signInLimits.unblock(person)
  return saved(submitted, 'users', person.name)
}

export async function savePassword(submitted: Submitted): Promise<Shown> {
  const { ctx, form } = submitted
  const person = await anotherPersonOf(submitted)
  try {
    const mustChange = form.get('must_change_password') === 'true'
    await changePassword(ctx, person, form.get('password') ?? '', {
      mustChange,
      trace: traceIn(submitted),
    })
  } catch (error) {
    const problem = problemOf(error, accountProblems)
    return again(await showPerson(submitted, { password: { form, problem } }))
  }
  return saved(submitted, 'users', person.name)
}

export async function dropSecondFactor(submitted: Submitted): Promise<Shown> {
  const person = await anotherPersonOf(submitted)
  await disableSecondFactor(submitted.ctx, person, traceIn(submitted))
  return saved(submitted, 'users', person.name)
}

export async function renamePerson(submitted: Submitted): Promise<Shown> {
  const { ctx, form } = submitted
  const person = await personOf(submitted)
  try {
    const { new_username: name } = bindForm(RenameUserOption, form)
    await renameAccount(ctx, person, name)
    return saved(submitted, 'users', name)
  } catch (error) {
    const problem = problemOf(error, nameProblems('new_name'))
    return again(await showPerson(submitted, { name: { form, problem } }))
  }
}

const removalProblems: Explanations = {
  still_has_repositories: {
    field: 'delete_name',
    message: 'They own repositories: transfer or delete these first.',
  },
  still_has_memberships: {
    field: 'delete_name',
    message: 'They are in organizations: take them out first.',
  },
  still_has_packages: {
    field: 'delete_name',
    message: 'They have packages: delete these first.',
  },
}

const mistyped = { field: 'delete_name', message: 'This is not the name of the account.' }

export async function dropPerson(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, form } = submitted
  const person = await anotherPersonOf(submitted)
  const refuse = async (problem: FormProblem) =>
    again(await showPerson(submitted, { removal: { form, problem } }))
  if (form.get('delete_name') !== person.name) return refuse(mistyped)
  try {
    await removePerson(ctx, viewer, person, { purge: form.get('purge') === 'true' })
  } catch (error) {
    return refuse(problemOf(error, removalProblems))
  }
  return saved(submitted, 'users')
}
