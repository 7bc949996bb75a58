import type { Executor } from '../../platform/db/database.ts'

export type Pictured = 'repository' | 'account'

/**
 * The picture that it had before: its name, empty when there was none; `undefined` when it is gone.
 */
export async function exchangeAvatar(
  db: Executor,
  table: Pictured,
  id: number,
  avatar: string,
): Promise<string | undefined> {
  const before = await db.selectFrom(table).select('avatar').where('id', '=', id).executeTakeFirst()
  if (!before) return undefined
  await db.updateTable(table).set({ avatar }).where('id', '=', id).execute()
  return before.avatar
}

export async function findAvatar(
  db: Executor,
  table: Pictured,
  id: number,
): Promise<string | undefined> {
  const row = await db.selectFrom(table).select('avatar').where('id', '=', id).executeTakeFirst()
  return row?.avatar || undefined
}

/** Which of these names are in use. */
export async function findUsed(
  db: Executor,
  names: readonly string[],
  tables: readonly Pictured[] = ['repository', 'account'],
): Promise<ReadonlySet<string>> {
  const used = new Set<string>()
  if (names.length === 0) return used
  for (const table of tables) {
    const rows = await db.selectFrom(table).select('avatar').where('avatar', 'in', names).execute()
    for (const { avatar } of rows) used.add(avatar)
  }
  return used
}
