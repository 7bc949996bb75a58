import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'

interface Count {
  readonly table: 'repository' | 'issue' | 'milestone'
  readonly column: string
  readonly real: RawBuilder<number>
}

function open(isPull: 0 | 1): RawBuilder<number> {
  return sql<number>`(SELECT count(*) FROM issue AS counted
    WHERE counted.repository_id = repository.id AND is_pull = ${isPull} AND is_closed = 0)`
}

function inMilestone(isClosed: 0 | 1): RawBuilder<number> {
  return sql<number>`(SELECT count(*) FROM issue AS counted
    WHERE counted.milestone_id = milestone.id AND counted.is_closed = ${isClosed})`
}

const counts: readonly Count[] = [
  { table: 'repository', column: 'open_issues_count', real: open(0) },
  { table: 'repository', column: 'open_pulls_count', real: open(1) },
  { table: 'milestone', column: 'open_issues_count', real: inMilestone(0) },
  { table: 'milestone', column: 'closed_issues_count', real: inMilestone(1) },
  {
    table: 'issue',
    column: 'comments_count',
    real: sql<number>`(SELECT count(*) FROM comment
      WHERE comment.issue_id = issue.id AND comment.kind = 'comment')`,
  },
]

export async function findIssueCountDrift(db: Executor): Promise<readonly string[]> {
  const found: string[] = []
  for (const { table, column, real } of counts) {
    const { rows } = await sql<{ id: number; counted: number; real: number }>`
      SELECT id, ${sql.ref(column)} AS counted, ${real} AS "real"
        FROM ${sql.table(table)} WHERE ${sql.ref(column)} <> ${real} ORDER BY id
    `.execute(db)
    found.push(
      ...rows.map(
        (row) => `${column} of ${table} ${row.id} is ${row.counted}, should be ${row.real}`,
      ),
    )
  }
  return found
}

export async function mendIssueCounts(db: Executor): Promise<void> {
  for (const { table, column, real } of counts) {
    await sql`
      UPDATE ${sql.table(table)} SET ${sql.id(column)} = ${real} WHERE ${sql.ref(column)} <> ${real}
    `.execute(db)
  }
}

const highest = sql<number>`(SELECT coalesce(max(issue.number), 0) FROM issue
  WHERE issue.repository_id = repository.id)`

/** A number that would be given a second time. */
export async function findNumberDrift(db: Executor): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('repository')
    .select(['id', 'last_issue_number', highest.as('highest')])
    .where(sql<boolean>`last_issue_number < ${highest}`)
    .orderBy('id')
    .execute()
  return rows.map(
    (row) => `repository ${row.id} counts issues from ${row.last_issue_number}, has ${row.highest}`,
  )
}

export async function mendNumbers(db: Executor): Promise<void> {
  await db
    .updateTable('repository')
    .set({ last_issue_number: highest })
    .where(sql<boolean>`last_issue_number < ${highest}`)
    .execute()
}
