import { isUsable } from '../../identity/auth/sessions.ts'
import { callerOf, type Context, type SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { AppError, forbidden, notFound, type Refusal } from '../../platform/errors.ts'
import { NotYet } from '../../platform/jobs/queue.ts'
import { assertNameFree } from '../../repositories/repository/create.ts'
import { findAllById } from '../../identity/users/load.ts'
import type { Account } from '../../identity/users/account.ts'
import { deleteImport, findImport, updateFailedImport, type ImportRow } from './import-queries.ts'
import { migrationOf } from './imports.ts'
import { bring, planMigration } from './migrate.ts'
import { mayImportFor } from './owner.ts'
import { inTurn } from './slots.ts'

const WATCH_EVERY_MS = 1_000

/**
 * The job: begins anew when a server that was at it has ended. Why it fails is told once, and it is
 * not tried again.
 */
export async function runImport(ctx: Context, id: number, ending: AbortSignal): Promise<void> {
  const row = await findImport(ctx.db, id)
  if (!row || row.last_error !== '') return
  const givenUp = new AbortController()
  const watch = setInterval(() => {
    findImport(ctx.db, id)
      .then((still) => still ?? givenUp.abort())
      .catch(() => undefined)
  }, WATCH_EVERY_MS)
  try {
    await importNow(ctx, row, AbortSignal.any([ending, givenUp.signal]))
  } catch (error) {
    ending.throwIfAborted()
    if (givenUp.signal.aborted) return
    if (error instanceof AppError && error.retryAfter !== undefined)
      throw new NotYet(error.retryAfter)
    await updateFailedImport(ctx.db, id, refusalIn(ctx, error))
  } finally {
    clearInterval(watch)
  }
}

function refusalIn({ log }: Context, error: unknown): Refusal {
  if (error instanceof AppError && error.message !== '') return error
  log.error(error, 'import failed')
  return { reason: undefined, subject: '', message: 'The server could not do it.' }
}

async function importNow(ctx: Context, row: ImportRow, signal: AbortSignal): Promise<void> {
  const { caller, owner } = await assertStillAllowed(ctx.db, row)
  const wanted = migrationOf(ctx, row)
  await inTurn(ctx, signal, async () => {
    const plan = planMigration(ctx, wanted)
    await assertNameFree(ctx, owner, wanted.name)
    const recheck = async (tx: Executor) => {
      if (!(await deleteImport(tx, row.id))) throw notFound()
      await assertStillAllowed(tx, row)
    }
    await bring(ctx, caller, owner, { wanted, plan, recheck }, signal)
  })
}

/** Whoever asked for it can still sign in, and still own what they asked for. */
async function assertStillAllowed(
  db: Executor,
  { account_id, owner_id }: ImportRow,
): Promise<{ readonly caller: SignedInCaller; readonly owner: Account }> {
  const accounts = await findAllById(db, [account_id, owner_id])
  const [account, owner] = [accounts.get(account_id), accounts.get(owner_id)]
  if (!account || !owner) throw notFound()
  const caller = callerOf(account)
  const isAllowed = isUsable(account) && (await mayImportFor({ db }, caller, owner))
  if (!isAllowed) throw forbidden('Whoever asked for it may not do so any more.')
  return { caller, owner }
}
