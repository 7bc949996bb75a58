import { sql } from 'kysely'
import pino from 'pino'
import { closeContext, openContext } from '../../src/server/open-context.ts'
import type { Config } from '../../src/platform/config/config.ts'
import type { Context } from '../../src/platform/context.ts'
import { inBulk } from './bulk.ts'
import { generateWorld, type World } from './generate.ts'
import { numbers } from './numbers.ts'

const REPOSITORIES = 10_000
const PEOPLE = 10_000
const ROWS_AT_ONCE = 500_000
/** So that the pages that are measured are full at every size. */
const SHOWN = 200

export interface ActivityWorld {
  readonly tokens: World['tokens']
  /** A public repository that `member` owns, as owner/name. */
  readonly repository: string
  readonly person: string
  /** `member` is in a team of it, and does not own it. */
  readonly organization: string
  readonly teamId: number
}

/** Ten thousand repositories and as many people, who have done `count` things in them. */
export async function generateActivities(config: Config, count: number): Promise<ActivityWorld> {
  const { tokens, memberId } = await generateWorld(config, REPOSITORIES)
  const ctx = await openContext(config, pino({ level: 'silent' }))
  try {
    await addPeople(ctx)
    await sql`UPDATE repository SET owner_id = ${memberId}, is_private = 0 WHERE id = 77`.execute(
      ctx.db,
    )
    await addShown(ctx)
    const organization = await findBusy(ctx)
    await addShownOf(ctx, organization)
    await inBulk(ctx, async () => {
      for (let from = SHOWN; from < count; from += ROWS_AT_ONCE) {
        await addActivities(ctx, from, Math.min(count, from + ROWS_AT_ONCE))
      }
    })
    if (ctx.db.dialect === 'postgres') await sql`VACUUM ANALYZE`.execute(ctx.db)
    const { name } = await ctx.db
      .selectFrom('repository')
      .select('name')
      .where('id', '=', 77)
      .executeTakeFirstOrThrow()
    const teamId = await joinTeam(ctx, organization, memberId)
    return { tokens, repository: `member/${name}`, person: 'bystander77', organization, teamId }
  } finally {
    await closeContext(ctx)
  }
}

async function addPeople({ db }: Context): Promise<void> {
  await sql
    .raw(
      `INSERT INTO account (kind, name, lower_name, email, visibility, hide_activity, created_at, updated_at)
      ${numbers(1, PEOPLE)} SELECT 'person', 'bystander' || n, 'bystander' || n, 'bystander' || n || '@example.org',
        CASE n % 20 WHEN 0 THEN 'limited' ELSE 'public' END, CASE n % 50 WHEN 0 THEN 1 ELSE 0 END, 1000000 + n, 1000000 + n
      FROM numbers`,
    )
    .execute(db)
}

/** Half of them in one repository, half by one person. */
async function addShown({ db }: Context): Promise<void> {
  const idOf = (name: string) => sql.raw(`(SELECT id FROM account WHERE name = '${name}')`)
  const place = sql.raw(`CASE WHEN n % 2 = 0 THEN 77 ELSE 100 + n END`)
  await sql`INSERT INTO activity (repository_id, owner_id, account_id, kind, is_private, created_at)
    ${sql.raw(numbers(1, SHOWN))} SELECT repository.id, repository.owner_id,
      CASE WHEN n % 2 = 0 THEN ${idOf('bystander1')} + n ELSE ${idOf('bystander77')} END,
      'create_repo', repository.is_private, 1600000000 + n
    FROM numbers INNER JOIN repository ON repository.id = ${place}`.execute(db)
}

async function addShownOf({ db }: Context, organization: string): Promise<void> {
  await sql`INSERT INTO activity (repository_id, owner_id, account_id, kind, is_private, created_at)
    SELECT repository.id, repository.owner_id, person.id, 'create_repo', repository.is_private, 1600000000
    FROM repository INNER JOIN account ON account.id = repository.owner_id
    INNER JOIN account AS person ON person.name IN ('bystander11', 'bystander12', 'bystander13', 'bystander14',
      'bystander15', 'bystander16', 'bystander17', 'bystander18', 'bystander19', 'bystander21')
    WHERE account.name = ${organization}`.execute(db)
}

/** A team that has some of the repositories. */
async function joinTeam({ db }: Context, organization: string, memberId: number): Promise<number> {
  const { id } = await db
    .selectFrom('team')
    .innerJoin('account', 'account.id', 'team.org_id')
    .select('team.id')
    .where('account.name', '=', organization)
    .where('team.name', '=', 'readers')
    .executeTakeFirstOrThrow()
  const row = { team_id: id, account_id: memberId }
  const member = db.insertInto('team_member').values(row)
  await member.onConflict((conflict) => conflict.doNothing()).execute()
  return id
}

/** Everybody does something everywhere: no two are of the same person in the same repository. */
async function addActivities({ db }: Context, from: number, to: number): Promise<void> {
  const first = sql`(SELECT min(id) FROM account WHERE name = 'bystander1')`
  await sql`INSERT INTO activity (repository_id, owner_id, account_id, kind, ref_name, content, is_private, created_at)
    ${sql.raw(numbers(from + 1, to))} SELECT repository.id, repository.owner_id,
      ${first} + (n * 48271 + n / ${sql.raw(String(REPOSITORIES))} * 7919) % ${sql.raw(String(PEOPLE))},
      CASE n / 7 % 4 WHEN 0 THEN 'create_repo' WHEN 1 THEN 'rename_repo' ELSE 'commit_repo' END, 'refs/heads/main',
      '{"Commits":null,"HeadCommit":null,"CompareURL":"","Len":0}', repository.is_private, 1600000000 + n
    FROM numbers INNER JOIN repository ON repository.id = 1 + n * 69621 % ${sql.raw(String(REPOSITORIES))}`.execute(
    db,
  )
}

/** An organization that anybody sees, with many repositories. */
async function findBusy({ db }: Context): Promise<string> {
  const { name } = await db
    .selectFrom('account')
    .innerJoin('repository', 'repository.owner_id', 'account.id')
    .select('account.name')
    .where('account.kind', '=', 'organization')
    .where('account.visibility', '=', 'public')
    .groupBy('account.name')
    .orderBy(sql`count(*)`, 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return name
}
