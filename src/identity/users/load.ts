import type { Caller, Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { forbidden, Moved, notFound } from '../../platform/errors.ts'
import type { Account } from './account.ts'
import {
  findAccount,
  findAccountByName,
  findAccounts,
  findAmong,
  findNewName,
  findPeople,
  findVisible,
  type AccountCondition,
} from './queries.ts'
import { isVisibleTo } from './visibility.ts'

/**
 * The person or organization of the path, as the caller may see it; a renamed one sends the caller
 * on.
 */
export async function loadVisibleAccount(
  ctx: Context,
  caller: Caller,
  name: string,
): Promise<Account> {
  const account = await findAccountByName(ctx.db, name)
  if (!account) throw await absent(ctx, caller, name)
  await assertVisible(ctx, caller, account)
  if (caller.publicOnly && account.visibility !== 'public') {
    throw forbidden(
      `token scope is limited to public ${account.kind === 'person' ? 'users' : 'orgs'}`,
    )
  }
  return account
}

export async function findById(ctx: Context, id: number): Promise<Account | undefined> {
  return findAccount(ctx.db, id)
}

/** Each id once; ids of nobody are left out. */
export async function findAllById(
  db: Executor,
  ids: Iterable<number>,
): Promise<ReadonlyMap<number, Account>> {
  return findAccounts(db, [...new Set(ids)])
}

/** Like `findAllById`, where one of them has been read a moment ago. */
export async function findOthers(
  db: Executor,
  known: Account | undefined,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Account>> {
  if (!known) return findAllById(db, ids)
  const others = ids.filter((id) => id !== known.id)
  return new Map([...(await findAllById(db, others)), [known.id, known]])
}

/** Those of the accounts of which the condition holds. */
export async function idsAmong(
  db: Executor,
  ids: readonly number[],
  condition: AccountCondition,
): Promise<ReadonlySet<number>> {
  return findAmong(db, ids, condition)
}

/** From a name in lower case to the person who has it; names of nobody are left out. */
export async function findPeopleByName(
  db: Executor,
  names: Iterable<string>,
): Promise<ReadonlyMap<string, Account>> {
  const lowered = [...names].map((name) => name.toLowerCase())
  return findPeople(db, [...new Set(lowered)])
}

/** Whoever has this name, seen by nobody in particular. */
export async function findByName(ctx: Context, name: string): Promise<Account | undefined> {
  return findAccountByName(ctx.db, name)
}

/** A person whose name stands beside the subject of the path: nobody is redirected for it. */
export async function loadPerson(ctx: Context, caller: Caller, name: string): Promise<Account> {
  const account = await findAccountByName(ctx.db, name)
  if (!account || account.kind !== 'person') throw notFound()
  await assertVisible(ctx, caller, account)
  return account
}

async function assertVisible(ctx: Context, caller: Caller, account: Account): Promise<void> {
  if (!(await isSeen(ctx, caller, account))) throw notFound()
}

/** Whether the caller may know of an account. */
export async function isSeen(ctx: Context, caller: Caller, account: Account): Promise<boolean> {
  if (account.visibility === 'public' && !caller.account?.isRestricted) return true
  return findVisible(ctx.db, account.id, isVisibleTo(ctx.config, caller))
}

/** The ids of those of whom the caller may know. */
export async function idsSeen(
  ctx: Context,
  caller: Caller,
  accounts: readonly Account[],
): Promise<ReadonlySet<number>> {
  const ids = accounts.map(({ id }) => id)
  const isOpen = accounts.every(({ visibility }) => visibility === 'public')
  if (isOpen && !caller.account?.isRestricted) return new Set(ids)
  return findAmong(ctx.db, ids, isVisibleTo(ctx.config, caller))
}

/** The account that had this name before, when the caller may see it. */
export async function findRenamed(
  ctx: Context,
  caller: Caller,
  name: string,
): Promise<Account | undefined> {
  const renamed = await findNewName(ctx.db, name)
  if (!renamed) return undefined
  const visible = await findVisible(ctx.db, renamed.id, isVisibleTo(ctx.config, caller))
  return visible ? renamed : undefined
}

/** A renamed account that the caller may not see is as absent as any other name. */
async function absent(ctx: Context, caller: Caller, name: string): Promise<Error> {
  const renamed = await findRenamed(ctx, caller, name)
  if (renamed) return new Moved('account', [{ from: name, to: renamed.name }])
  return notFound(`user redirect does not exist [name: ${name}]`)
}
