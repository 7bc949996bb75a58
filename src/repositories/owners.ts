import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { deleteMarksOf } from './audience-queries.ts'
import { countRepositories, findRepositoriesOf, findRepositoryById } from './queries.ts'
import { dropRepository, holdForRemoval } from './remove.ts'

export async function ownsRepositories(tx: Executor, ownerId: number): Promise<boolean> {
  return (await countRepositories(tx, ownerId)) > 0
}

/** What an account owns still when the account itself goes. */
export async function dropRepositoriesOf(
  ctx: Context,
  tx: Executor,
  ownerId: number,
): Promise<void> {
  for (const { id } of await findRepositoriesOf(tx, ownerId)) {
    // SQLite answers at once, again and again: nobody else would be answered before the last of thousands is gone.
    await nextTurn()
    await holdForRemoval(ctx, tx, id)
    // Others may have deleted it or handed it over since it was listed.
    const repo = await findRepositoryById(tx, id)
    if (repo?.ownerId === ownerId) await dropRepository(ctx, tx, repo)
  }
}

/** Stars and watches of accounts that go, with what repositories count of them. */
export async function dropMarksOf(
  { db }: Pick<Context, 'db'>,
  tx: Executor,
  accountIds: readonly number[],
): Promise<void> {
  for (const id of accountIds) await deleteMarksOf(db.dialect, tx, id)
}
