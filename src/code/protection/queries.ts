import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'
import type { Changes, NewRow, Row } from '../../platform/db/schema.ts'
import { statement } from '../../platform/db/statement.ts'
import { toBranchRule, toTagRule, type BranchRule, type TagRule } from './rule.ts'

const branchRulesOf = statement<Row<'branch_protection'>>(
  'SELECT * FROM branch_protection WHERE repository_id = ? ORDER BY priority, id',
)

/** By priority. */
export async function findBranchRules(
  db: Executor,
  repositoryId: number,
): Promise<readonly BranchRule[]> {
  const rows = await branchRulesOf(db, repositoryId)
  return rows.map(toBranchRule)
}

const branchRuleNamed = statement<Row<'branch_protection'>>(
  'SELECT * FROM branch_protection WHERE repository_id = ? AND name = ?',
)

export async function findBranchRule(
  db: Executor,
  repositoryId: number,
  name: string,
): Promise<BranchRule | undefined> {
  const [row] = await branchRuleNamed(db, repositoryId, name)
  return row && toBranchRule(row)
}

/** Behind all others, or with the last where no number is left, unless it has a priority. */
export async function insertBranchRule(
  db: Executor,
  { priority, ...rule }: Omit<NewRow<'branch_protection'>, 'priority'> & { priority?: number },
): Promise<BranchRule> {
  const last = sql<number>`(
    SELECT coalesce(max(priority + CASE WHEN priority < ${Number.MAX_SAFE_INTEGER} THEN 1 ELSE 0 END), 1)
    FROM branch_protection
    WHERE repository_id = ${rule.repository_id}
  )`
  const row = await db
    .insertInto('branch_protection')
    .values({ ...rule, priority: priority ?? last })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toBranchRule(row)
}

export async function insertBranchRules(
  db: Executor,
  rows: readonly NewRow<'branch_protection'>[],
): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto('branch_protection')
      .values([...rows])
      .execute()
}

export async function updateBranchRule(
  db: Executor,
  id: number,
  changes: Changes<'branch_protection'>,
): Promise<BranchRule> {
  const row = await db
    .updateTable('branch_protection')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toBranchRule(row)
}

/** False when there was none. */
export async function deleteBranchRule(
  db: Executor,
  repositoryId: number,
  name: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('branch_protection')
    .where('repository_id', '=', repositoryId)
    .where('name', '=', name)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** A rule that names a branch follows it to its new name, unless there is one for that already. */
export async function renameBranchRule(
  db: Executor,
  repositoryId: number,
  from: string,
  to: string,
): Promise<void> {
  await db
    .updateTable('branch_protection')
    .set({ name: to })
    .where('repository_id', '=', repositoryId)
    .where('name', '=', from)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('branch_protection as other')
            .select('other.id')
            .where('other.repository_id', '=', repositoryId)
            .where('other.name', '=', to),
        ),
      ),
    )
    .execute()
}

const tagRulesOf = statement<Row<'tag_protection'>>(
  'SELECT * FROM tag_protection WHERE repository_id = ? ORDER BY id',
)

export async function findTagRules(
  db: Executor,
  repositoryId: number,
): Promise<readonly TagRule[]> {
  const rows = await tagRulesOf(db, repositoryId)
  return rows.map(toTagRule)
}

const tagRuleOf = statement<Row<'tag_protection'>>(
  'SELECT * FROM tag_protection WHERE repository_id = ? AND id = ?',
)

export async function findTagRule(
  db: Executor,
  repositoryId: number,
  id: number,
): Promise<TagRule | undefined> {
  const [row] = await tagRuleOf(db, repositoryId, id)
  return row && toTagRule(row)
}

export async function hasTagRule(
  db: Executor,
  repositoryId: number,
  pattern: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('tag_protection')
    .select('id')
    .where('repository_id', '=', repositoryId)
    .where('pattern', '=', pattern)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertTagRule(
  db: Executor,
  rule: NewRow<'tag_protection'>,
): Promise<TagRule> {
  const row = await db
    .insertInto('tag_protection')
    .values(rule)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toTagRule(row)
}

export async function updateTagRule(
  db: Executor,
  id: number,
  changes: Changes<'tag_protection'>,
): Promise<TagRule | undefined> {
  const row = await db
    .updateTable('tag_protection')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && toTagRule(row)
}

/** False when there was none. */
export async function deleteTagRule(
  db: Executor,
  repositoryId: number,
  id: number,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('tag_protection')
    .where('repository_id', '=', repositoryId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
