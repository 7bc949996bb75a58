import type { Caller, Context, SignedInCaller } from '../../platform/context.ts'
import type { Secrets } from '../../identity/auth/secrets.ts'
import { forbidden, notFound, type Refusal } from '../../platform/errors.ts'
import { assertNameFree } from '../../repositories/repository/create.ts'
import { assertWithinLimit } from '../../repositories/repository/limit.ts'
import type { RepositoryPath } from '../../repositories/repository/repository.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAllById, findById, findByName } from '../../identity/users/load.ts'
import type { Credentials } from './credentials.ts'
import {
  countImportsBy,
  deleteFailedImport,
  deleteImport,
  findImport,
  findImportByName,
  findImportsBy,
  insertImport,
  type ImportRow,
} from './import-queries.ts'
import { planMigration, type Migration, type Plan } from './migrate.ts'
import { mayImportFor } from './owner.ts'

/** A repository that is on its way from elsewhere, and there for nobody until it has come. */
export interface Import {
  readonly id: number
  readonly owner: Account
  /** Who asked for it. */
  readonly accountId: number
  readonly name: string
  /** Without credentials. */
  readonly address: string
  readonly options: ImportOptions
  /** Why it failed; absent while it is tried. */
  readonly refusal: Refusal | undefined
  readonly createdAt: number
}

/** What of a migration anybody may know who sees the import. */
type ImportOptions = Omit<Migration, 'address' | 'credentials' | 'name' | 'lfsEndpoint'>

interface ImportSecrets {
  readonly credentials: Credentials
  readonly lfsEndpoint: string
}

const PURPOSE = 'import'
/** Beyond these nobody begins another one. */
const MAX_AT_ONCE = 20

/**
 * What can be refused is refused at once; a job does the rest. One that failed makes room for it.
 */
export async function beginImport(
  ctx: Context,
  caller: SignedInCaller,
  owner: Account,
  wanted: Migration,
): Promise<void> {
  const plan = planMigration(ctx, wanted)
  if ((await countImportsBy(ctx.db, caller.account.id)) >= MAX_AT_ONCE) {
    throw forbidden('Too much is being imported already. Wait until some of it is there.')
  }
  await assertWithinLimit(ctx, caller, owner)
  await assertNameFree(ctx, owner, wanted.name)
  await ctx.db.transaction().execute(async (tx) => {
    await deleteFailedImport(tx, owner.id, wanted.name)
    const { id } = await insertImport(tx, {
      owner_id: owner.id,
      account_id: caller.account.id,
      name: wanted.name,
      lower_name: wanted.name.toLowerCase(),
      address: plan.url.href,
      options: JSON.stringify(optionsOf(wanted)),
      secrets: sealSecrets(ctx.secrets, plan, wanted),
      created_at: ctx.now(),
    })
    await ctx.jobs.enqueue(tx, 'import_repository', { id })
  })
  ctx.jobs.wake()
}

function optionsOf(wanted: Migration): ImportOptions {
  const { description, isPrivate, isMirror, interval, hasWiki, hasLfs } = wanted
  return { description, isPrivate, isMirror, interval, hasWiki, hasLfs }
}

function sealSecrets(secrets: Secrets, { credentials }: Plan, { lfsEndpoint }: Migration): string {
  const { username, password } = credentials
  if (username === '' && password === '' && lfsEndpoint === '') return ''
  const sealed: ImportSecrets = { credentials, lfsEndpoint }
  return secrets.seal(PURPOSE, JSON.stringify(sealed))
}

/** The migration that was asked for. */
export function migrationOf({ secrets }: Context, row: ImportRow): Migration {
  const { name, address } = row
  const options = JSON.parse(row.options) as ImportOptions
  if (row.secrets === '') return { ...options, name, address, credentials: {}, lfsEndpoint: '' }
  const opened = JSON.parse(secrets.unseal(PURPOSE, row.secrets)) as ImportSecrets
  return { ...options, name, address, ...opened }
}

/** What is on its way to this address, for those whose repository it will be. */
export async function findImportAt(
  ctx: Context,
  caller: Caller,
  { owner: ownerName, repo: name }: RepositoryPath,
): Promise<Import | undefined> {
  const owner = caller.account && (await findByName(ctx, ownerName))
  const row = owner && (await findImportByName(ctx.db, owner.id, name))
  if (!row || !(await isTheirs(ctx, caller, row, owner))) return undefined
  return toImport(row, owner)
}

export async function loadImport(ctx: Context, caller: Caller, id: number): Promise<Import> {
  const row = await findImport(ctx.db, id)
  const owner = row && (await findById(ctx, row.owner_id))
  if (!owner || !(await isTheirs(ctx, caller, row, owner))) throw notFound()
  return toImport(row, owner)
}

/** Those that somebody asked for. */
export async function listImportsBy(ctx: Context, { id }: Account): Promise<readonly Import[]> {
  const rows = await findImportsBy(ctx.db, id)
  const owners = await findAllById(
    ctx.db,
    rows.map((row) => row.owner_id),
  )
  return rows.flatMap((row) => {
    const owner = owners.get(row.owner_id)
    return owner ? [toImport(row, owner)] : []
  })
}

/** Whoever works on it notices, and leaves nothing behind. */
export async function giveUpImport(ctx: Context, { id }: Import): Promise<void> {
  await deleteImport(ctx.db, id)
}

async function isTheirs(
  ctx: Context,
  { account, ...caller }: Caller,
  row: ImportRow,
  owner: Account,
): Promise<boolean> {
  if (!account) return false
  return row.account_id === account.id || mayImportFor(ctx, { ...caller, account }, owner)
}

function toImport(row: ImportRow, owner: Account): Import {
  return {
    id: row.id,
    owner,
    accountId: row.account_id,
    name: row.name,
    address: row.address,
    options: JSON.parse(row.options) as ImportOptions,
    refusal: refusalOf(row),
    createdAt: row.created_at,
  }
}

function refusalOf({ last_error: message, last_reason, last_subject }: ImportRow) {
  if (message === '') return undefined
  return { message, reason: last_reason || undefined, subject: last_subject }
}
