import type { SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { findAllById } from '../users/load.ts'
import { isUsable } from './sessions.ts'
import { isCredentialGood } from './tokens.ts'

/**
 * What takes its time is done for whoever may still sign in, and with what they came with: the
 * caller as they are now.
 */
export async function readmitCaller(tx: Executor, caller: SignedInCaller): Promise<SignedInCaller> {
  const { id } = caller.account
  const account = (await findAllById(tx, [id])).get(id)
  if (!account || !isUsable(account) || !(await isCredentialGood(tx, caller))) {
    throw new AppError('unauthenticated', 'token is required')
  }
  return { ...caller, account }
}
