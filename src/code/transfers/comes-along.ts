import { hash } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Account } from '../../identity/users/account.ts'
import { findAllById } from '../../identity/users/load.ts'
import { findGiven, type Given } from './given-queries.ts'

/** Who and what keeps its access when a repository gets another owner. */
export interface ComesAlong extends Omit<Given, 'collaborators'> {
  readonly collaborators: readonly { readonly person: Account; readonly level: string }[]
  /** Names all of it: another one has changed since. */
  readonly digest: string
}

/** The new owner collaborates no more, and is not among them. */
export async function comesAlong(
  { db }: Pick<Context, 'db'>,
  repositoryId: number,
  newOwnerId: number,
): Promise<ComesAlong> {
  const given = await findGiven(db, repositoryId, newOwnerId)
  const people = await findAllById(
    db,
    given.collaborators.map(({ accountId }) => accountId),
  )
  const collaborators = given.collaborators.flatMap(({ accountId, level }) => {
    const person = people.get(accountId)
    return person ? [{ person, level }] : []
  })
  return { ...given, collaborators, digest: digestOf(given) }
}

export function isNothing({ digest }: ComesAlong): boolean {
  return digest === ''
}

/** In the transaction that hands the repository over. */
export async function isAsSeen(
  tx: Executor,
  repositoryId: number,
  newOwnerId: number,
  digest: string,
): Promise<boolean> {
  return digestOf(await findGiven(tx, repositoryId, newOwnerId)) === digest
}

function digestOf(given: Given): string {
  const isEmpty = Object.values(given).every((some) => some.length === 0)
  return isEmpty ? '' : hash('sha256', JSON.stringify(given))
}
