import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { stillOwnsRepositories } from '../../identity/users/remove.ts'
import type { OwnedByAccounts } from '../../identity/users/removal.ts'
import { deleteMarksOf } from './audience-queries.ts'
import { countRepositories, findRepositoriesOf, findRepositoryById } from './queries.ts'
import { forgetOwned, markOwned, removeOwned } from './remove-all.ts'
import { dropRepository, holdForRemoval } from './remove.ts'

/** Repositories, stars and watches of accounts that are deleted. */
export const ownedRepositories: OwnedByAccounts = {
  assertNone: async (tx, id) => {
    if (await ownsRepositories(tx, id)) throw stillOwnsRepositories([id])
  },
  mark: markOwned,
  removeMarked: removeOwned,
  drop: async (ctx, tx, ownerIds) => {
    for (const id of ownerIds) {
      await dropRepositoriesOf(ctx, tx, id)
      await forgetOwned(ctx, tx, id)
    }
  },
  dropMarks: dropMarksOf,
}

async function ownsRepositories(tx: Executor, ownerId: number): Promise<boolean> {
  return (await countRepositories(tx, ownerId)) > 0
}

/** What an account owns still when the account itself goes. */
async function dropRepositoriesOf(ctx: Context, tx: Executor, ownerId: number): Promise<void> {
  for (const { id } of await findRepositoriesOf(tx, ownerId)) {
    // SQLite answers at once, again and again: nobody else would be answered before the last of
    // thousands is gone.
    await nextTurn()
    await holdForRemoval(ctx, tx, id)
    // Others may have deleted it or handed it over since it was listed.
    const repo = await findRepositoryById(tx, id)
    if (repo?.ownerId === ownerId) await dropRepository(ctx, tx, repo)
  }
}

/** Stars and watches of accounts that go, with what repositories count of them. */
async function dropMarksOf(
  { db }: Pick<Context, 'db'>,
  tx: Executor,
  accountIds: readonly number[],
): Promise<void> {
  for (const id of accountIds) await deleteMarksOf(db.dialect, tx, id)
}
