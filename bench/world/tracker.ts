import { sql } from 'kysely'
import pino from 'pino'
import type { Config } from '../../src/platform/config/config.ts'
import type { Context } from '../../src/platform/context.ts'
import { closeContext, openContext } from '../../src/server/open-context.ts'
import { generateWorld, type World } from './generate.ts'
import { numbers } from './numbers.ts'

const REPOSITORIES = 1000
/** A public one that `member` owns has all the issues. */
const PLACE = 77

export interface Tracker {
  readonly tokens: World['tokens']
  /** As owner/name. */
  readonly repository: string
}

/**
 * A repository with `count` issues, each with a comment: three of ten open, a third of all labelled
 * alike.
 */
export async function generateTracker(config: Config, count: number): Promise<Tracker> {
  const { tokens, memberId } = await generateWorld(config, REPOSITORIES)
  const ctx = await openContext(config, pino({ level: 'silent' }))
  try {
    await sql`UPDATE repository SET owner_id = ${memberId}, is_private = 0 WHERE id = ${PLACE}`.execute(
      ctx.db,
    )
    await addIssues(ctx, memberId, count)
    await addAround(ctx)
    if (ctx.db.dialect === 'postgres') await sql`VACUUM ANALYZE`.execute(ctx.db)
    const { name } = await ctx.db
      .selectFrom('repository')
      .select('name')
      .where('id', '=', PLACE)
      .executeTakeFirstOrThrow()
    return { tokens, repository: `member/${name}` }
  } finally {
    await closeContext(ctx)
  }
}

async function addIssues({ db }: Context, authorId: number, count: number): Promise<void> {
  await sql`INSERT INTO repository_unit (repository_id, unit) VALUES (${PLACE}, 'repo.issues')`.execute(
    db,
  )
  await sql`INSERT INTO milestone (repository_id, title, lower_title, created_at, updated_at)
    VALUES (${PLACE}, 'next', 'next', 1600000000, 1600000000)`.execute(db)
  const words = 'what one would say of it. '.repeat(30)
  const milestone = sql`(SELECT max(id) FROM milestone)`
  await sql`INSERT INTO issue (repository_id, number, author_id, title, body, lower_text, milestone_id, is_closed,
      comments_count, created_at, updated_at)
    ${sql.raw(numbers(1, count))} SELECT CAST(${PLACE} AS bigint), n, CAST(${authorId} AS bigint), 'a thing ' || n,
      CAST(${words} AS text), 'a thing ' || n || ' ' || CAST(${words} AS text),
      CASE WHEN n % 500 = 0 THEN ${milestone} END, CASE WHEN n % 10 < 3 THEN 0 ELSE 1 END, 1, 1600000000 + n,
      1600000000 + n + n * 7919 % 100000
    FROM numbers`.execute(db)
  await sql`UPDATE repository SET last_issue_number = ${count},
      open_issues_count = (SELECT count(*) FROM issue WHERE is_closed = 0)
    WHERE id = ${PLACE}`.execute(db)
}

async function addAround({ db }: Context): Promise<void> {
  await sql`INSERT INTO comment (issue_id, repository_id, author_id, body, lower_text, created_at, updated_at)
    SELECT id, repository_id, author_id, 'I have seen it, too.', 'i have seen it, too.', updated_at, updated_at
    FROM issue`.execute(db)
  for (const [name, every] of [
    ['common', 3],
    ['rare', 300],
  ] as const) {
    await sql`INSERT INTO label (repository_id, name, color) VALUES (${PLACE}, ${name}, 'ff0000')`.execute(
      db,
    )
    await sql`INSERT INTO issue_label (issue_id, label_id)
      SELECT id, (SELECT max(id) FROM label) FROM issue WHERE number % ${every} = 0`.execute(db)
  }
}
