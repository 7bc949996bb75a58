import { logRightsChange } from '../../platform/audit.ts'
import { MAX_PASSWORD_BYTES } from '../auth/passwords.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import type { Visibility } from '../../platform/db/columns.ts'
import type { NewRow } from '../../platform/db/schema.ts'
import { AppError, invalid, invalidField } from '../../platform/errors.ts'
import { assertNameAllowed, type Account } from './account.ts'
import { isAccountName, isEmailAddress } from '../../platform/account-names.ts'
import { mailConfirmations } from './confirm.ts'
import { insertEmailAddress } from './email-queries.ts'
import { insertAccount } from './queries.ts'
import { assertNotReserved } from './reserve.ts'

export interface NewPerson {
  readonly name: string
  readonly email: string
  /** Absent where somebody else says who they are. */
  readonly password?: string | undefined
  readonly fullName?: string | undefined
  readonly loginName?: string | undefined
  readonly sourceId?: number | undefined
  readonly visibility?: Visibility | undefined
  readonly isAdmin?: boolean | undefined
  readonly isRestricted?: boolean | undefined
  readonly mustChangePassword?: boolean | undefined
  readonly createdAt?: number | undefined
  /** Cannot be used until the address is confirmed. */
  readonly awaitsConfirmation?: boolean | undefined
}

/** What happens in the transaction that creates somebody; whatever throws there refuses it. */
export interface AroundCreation {
  readonly before?: (tx: Executor) => Promise<void>
  readonly after?: (tx: Executor, account: Account) => Promise<void>
}

export async function createPerson(
  ctx: Context,
  person: NewPerson,
  { before, after }: AroundCreation = {},
): Promise<Account> {
  if (!isAccountName(person.name)) throw invalidField('Username', 'invalid username')
  assertNameAllowed(person.name)
  if (!isEmailAddress(person.email)) throw invalidField('Email', 'Email')
  const passwordHash = await hashOf(ctx, person)
  const { users, ui } = ctx.config
  const now = ctx.now()
  const created = await ctx.db.transaction().execute(async (tx) => {
    await before?.(tx)
    const account = await claim(ctx, tx, {
      kind: 'person',
      name: person.name,
      lower_name: person.name.toLowerCase(),
      full_name: person.fullName ?? '',
      lower_full_name: (person.fullName ?? '').toLowerCase(),
      email: person.email,
      password_hash: passwordHash,
      visibility: person.visibility ?? users.default_visibility,
      is_active: person.awaitsConfirmation ? 0 : 1,
      is_admin: person.isAdmin ? 1 : 0,
      is_restricted: (person.isRestricted ?? users.restricted) ? 1 : 0,
      must_change_password: person.mustChangePassword ? 1 : 0,
      hide_email: users.hide_email ? 1 : 0,
      allow_create_organization: users.create_organizations ? 1 : 0,
      login_name: person.loginName ?? '',
      source_id: person.sourceId ?? 0,
      theme: ui.default_theme,
      created_at: person.createdAt ?? now,
      updated_at: now,
    })
    await lock(ctx.db.dialect, tx, 'email_addresses')
    const isActivated = !person.awaitsConfirmation
    const state = { isPrimary: true, isActivated }
    const added = await insertEmailAddress(tx, account.id, person.email, state)
    if (!added)
      throw invalid(`e-mail already in use [email: ${person.email}]`, { reason: 'email_taken' })
    if (!isActivated) await mailConfirmations(ctx, tx, account, [person.email])
    await after?.(tx, account)
    return account
  })
  const { name, isAdmin } = created
  logRightsChange(ctx.log, 'account created', { account: name, isAdmin })
  return created
}

async function hashOf(ctx: Context, { password }: NewPerson): Promise<string> {
  if (password === undefined) return ''
  assertPasswordAllowed(ctx, password)
  return ctx.passwords.hash(password)
}

/**
 * Takes a name in the space that people and organizations share; the caller decides what else is
 * atomic with it.
 */
export async function claimAccount(
  ctx: Context,
  tx: Executor,
  account: NewRow<'account'>,
): Promise<Account> {
  if (!isAccountName(account.name)) throw invalidField('UserName', 'invalid username')
  assertNameAllowed(account.name)
  return claim(ctx, tx, account)
}

async function claim(ctx: Context, tx: Executor, row: NewRow<'account'>): Promise<Account> {
  const account = await insertAccount(tx, row)
  await assertNotReserved(ctx, tx, account, account.name)
  return account
}

export function assertPasswordAllowed(ctx: Context, password: string): void {
  const least = ctx.config.security.min_password_length
  if ([...password].length < least) {
    throw unfit(`password must have at least ${least} characters`)
  }
  if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) {
    throw unfit(`password must have at most ${MAX_PASSWORD_BYTES} bytes`)
  }
}

function unfit(message: string): AppError {
  return new AppError('bad_request', message, { reason: 'password_unfit' })
}
