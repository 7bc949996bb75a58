import { logRightsChange } from '../../platform/audit.ts'
import { tellingTransaction, tellOwner, type Changed, type Trace } from '../auth/security-news.ts'
import { endSessionsOf } from '../auth/sessions.ts'
import type { Context } from '../../platform/context.ts'
import { flag, type MailNews, type Visibility } from '../../platform/db/columns.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import type { Changes } from '../../platform/db/schema.ts'
import { despiteDeadlocks } from '../../platform/db/unavailable.ts'
import { AppError, invalid, invalidField, notFound } from '../../platform/errors.ts'
import { assertNameAllowed, type Account } from './account.ts'
import { isAccountName, isEmailAddress } from '../../platform/account-names.ts'
import { confirmsAddresses, mailConfirmations } from './confirm.ts'
import { assertPasswordAllowed } from './create.ts'
import {
  confirmEmailAddress,
  deleteEmailAddresses,
  insertEmailAddress,
  listEmailAddresses,
  promoteEmailAddress,
  type EmailAddress,
} from './email-queries.ts'
import {
  countAdmins,
  findAccount,
  holdAccounts,
  updateAccount,
  updateAccountName,
} from './queries.ts'
import { assertNotReserved, reserveNames } from './reserve.ts'

/** What an account says about itself; `undefined` leaves a field as it is. */
export interface Profile {
  readonly fullName?: string | undefined
  readonly website?: string | undefined
  readonly description?: string | undefined
  readonly location?: string | undefined
  readonly language?: string | undefined
  readonly theme?: string | undefined
  readonly diffViewStyle?: string | undefined
  readonly hideEmail?: boolean | undefined
  readonly hideActivity?: boolean | undefined
  readonly mailNews?: MailNews | undefined
}

/** What an administrator may change of a person besides. */
export interface PersonEdit extends Profile {
  readonly email?: string | undefined
  readonly password?: string | undefined
  readonly mustChangePassword?: boolean | undefined
  readonly loginName?: string | undefined
  readonly sourceId?: number | undefined
  readonly visibility?: Visibility | undefined
  readonly isActive?: boolean | undefined
  readonly isAdmin?: boolean | undefined
  readonly isRestricted?: boolean | undefined
  readonly prohibitLogin?: boolean | undefined
  readonly maxRepoCreation?: number | undefined
  readonly allowCreateOrganization?: boolean | undefined
  readonly allowGitHook?: boolean | undefined
  readonly allowImportLocal?: boolean | undefined
}

export async function editProfile(
  ctx: Context,
  account: Account,
  profile: Profile,
): Promise<Account> {
  const changes = { ...profileChanges(profile), updated_at: ctx.now() }
  // What they show of what they do is counted for each repository in which they did something.
  return despiteDeadlocks(() => updateAccount(ctx.db, account.id, changes))
}

/** All of `edit` is applied, or none of it. */
export async function editPerson(
  ctx: Context,
  { id }: Account,
  edit: PersonEdit,
  trace?: Trace,
): Promise<Account> {
  if (edit.email && !isEmailAddress(edit.email))
    throw invalid(`e-mail invalid [email: ${edit.email}]`, { reason: 'email_invalid' })
  if (edit.password) assertPasswordAllowed(ctx, edit.password)
  const changes: Changes<'account'> = {
    ...profileChanges(edit),
    ...stateChanges(edit),
    password_hash: edit.password ? await ctx.passwords.hash(edit.password) : undefined,
    email: edit.email || undefined,
    updated_at: ctx.now(),
  }
  // Who sees them is written into each of their repositories.
  const edited = await despiteDeadlocks(() =>
    tellingTransaction(ctx, (tx) => changePerson(ctx, tx, { id, edit, changes, trace })),
  )
  logEdit(ctx, edited, edit)
  return edited
}

/** What an account may do. Passwords and addresses have lines of their own. */
function logEdit({ log }: Context, { name }: Account, edit: PersonEdit): void {
  const { isActive, isAdmin, isRestricted, prohibitLogin, allowCreateOrganization } = edit
  const rights = { isActive, isAdmin, isRestricted, prohibitLogin, allowCreateOrganization }
  if (Object.values(rights).every((right) => right === undefined)) return
  logRightsChange(log, 'account edited', { account: name, ...rights })
}

interface PersonChange {
  readonly id: number
  readonly edit: PersonEdit
  readonly changes: Changes<'account'>
  readonly trace: Trace | undefined
}

async function changePerson(
  ctx: Context,
  tx: Executor,
  { id, edit, changes, trace }: PersonChange,
): Promise<Account> {
  await lock(ctx.db.dialect, tx, 'administrators')
  await lock(ctx.db.dialect, tx, 'email_addresses')
  const account = await findAccount(tx, id)
  if (!account) throw notFound()
  // Before it is replaced: whoever has the old address hears of it.
  await tellOwner(ctx, tx, account, newsOf(account, edit), trace)
  if (edit.email) await replacePrimaryAddress(ctx, tx, account, edit.email)
  const edited = await updateAccount(tx, account.id, changes)
  // Who switches an account on that waits for its owner vouches for the address.
  if (edit.isActive && !account.isActive) await vouchForPrimaryAddress(tx, account)
  if (endsSessions(edit)) await endSessionsOf(tx, account.id)
  if (account.isAdmin) await assertAdminLeft(tx)
  return edited
}

function newsOf({ email: before }: Account, { email, password }: PersonEdit): readonly Changed[] {
  const isReplaced = email && email.toLowerCase() !== before.toLowerCase()
  return [
    ...(isReplaced ? [{ what: 'email_replaced', named: email } as const] : []),
    ...(password ? [{ what: 'password_changed' } as const] : []),
  ]
}

export async function renameAccount(ctx: Context, { id }: Account, name: string): Promise<void> {
  if (!isAccountName(name)) throw invalidField('NewName', 'invalid username')
  assertNameAllowed(name)
  // The name of an owner is written into each of their repositories.
  await despiteDeadlocks(() => ctx.db.transaction().execute((tx) => changeName(ctx, tx, id, name)))
  logRightsChange(ctx.log, 'account renamed', { account: name, accountId: id })
}

async function changeName(ctx: Context, tx: Executor, id: number, name: string): Promise<void> {
  await holdAccounts(ctx.db.dialect, tx, [id])
  // Others may have renamed it since it was loaded.
  const account = await findAccount(tx, id)
  if (!account) throw notFound()
  if (name.toLowerCase() !== account.name.toLowerCase()) await reserveNames(ctx, tx, [id])
  await updateAccountName(tx, account, name, ctx.now())
  await assertNotReserved(ctx, tx, account, name)
}

/** `precondition` is looked at in the same transaction, and refuses by throwing. */
export async function changePassword(
  ctx: Context,
  account: Account,
  password: string,
  { mustChange, trace }: { mustChange: boolean; trace?: Trace | undefined },
  precondition?: (tx: Executor) => Promise<void>,
): Promise<void> {
  assertPasswordAllowed(ctx, password)
  const hash = await ctx.passwords.hash(password)
  await tellingTransaction(ctx, async (tx) => {
    await precondition?.(tx)
    await updateAccount(tx, account.id, {
      password_hash: hash,
      must_change_password: mustChange ? 1 : 0,
      updated_at: ctx.now(),
    })
    await endSessionsOf(tx, account.id)
    await tellOwner(ctx, tx, account, { what: 'password_changed' }, trace)
  })
}

/** Whoever is signed in by what was so before is signed out. */
function endsSessions({ password, isActive, prohibitLogin }: PersonEdit): boolean {
  return Boolean(password) || isActive === false || prohibitLogin === true
}

/** A server without an administrator could not get one back. */
async function assertAdminLeft(tx: Executor): Promise<void> {
  if ((await countAdmins(tx)) === 0) {
    throw new AppError('bad_request', 'can not remove the last administrator')
  }
}

function profileChanges(profile: Profile): Changes<'account'> {
  return {
    full_name: profile.fullName,
    lower_full_name: profile.fullName?.toLowerCase(),
    website: profile.website,
    description: profile.description,
    location: profile.location,
    language: profile.language,
    theme: profile.theme,
    diff_view_style: profile.diffViewStyle,
    hide_email: flag(profile.hideEmail),
    hide_activity: flag(profile.hideActivity),
    mail_news: profile.mailNews,
  }
}

function stateChanges(edit: PersonEdit): Changes<'account'> {
  return {
    must_change_password: flag(edit.mustChangePassword),
    login_name: edit.loginName,
    source_id: edit.sourceId,
    visibility: edit.visibility || undefined,
    is_active: flag(edit.isActive),
    is_admin: flag(edit.isAdmin),
    is_restricted: flag(edit.isRestricted),
    prohibit_login: flag(edit.prohibitLogin),
    max_repo_creation: edit.maxRepoCreation,
    allow_create_organization: flag(edit.allowCreateOrganization),
    allow_git_hook: flag(edit.allowGitHook),
    allow_import_local: flag(edit.allowImportLocal),
  }
}

/**
 * The new address takes the place of the old one, which is the account's no longer; what waited to
 * be confirmed still does.
 */
async function replacePrimaryAddress(
  ctx: Context,
  tx: Executor,
  account: Account,
  address: string,
): Promise<void> {
  const own = await listEmailAddresses(tx, account.id)
  const same = own.find((one) => one.address.toLowerCase() === address.toLowerCase())
  const replaced = own.filter((one) => one.isPrimary && one !== same)
  const waits = !account.isActive && own.some((one) => one.isPrimary && !one.isActivated)
  await deleteEmailAddresses(
    tx,
    replaced.map(({ id }) => id),
  )
  if (same) {
    await promoteEmailAddress(tx, same.id, address)
    if (!waits) await vouchFor(tx, same)
    return
  }
  const state = { isPrimary: true, isActivated: !waits }
  if (!(await insertEmailAddress(tx, account.id, address, state))) throw inUse(address)
  if (waits && confirmsAddresses(ctx)) await mailConfirmations(ctx, tx, account, [address])
}

async function vouchForPrimaryAddress(tx: Executor, account: Account): Promise<void> {
  const [primary] = await listEmailAddresses(tx, account.id)
  if (primary?.isPrimary) await vouchFor(tx, primary)
}

async function vouchFor(tx: Executor, address: EmailAddress): Promise<void> {
  if (!(await confirmEmailAddress(tx, address))) throw inUse(address.address)
}

function inUse(address: string): AppError {
  return new AppError('bad_request', `e-mail already in use [email: ${address}]`, {
    reason: 'email_taken',
  })
}
