import { sql } from 'kysely'
import { closeContext, openContext } from '../../src/server/open-context.ts'
import { createToken } from '../../src/identity/auth/tokens.ts'
import type { Config } from '../../src/platform/config/config.ts'
import type { Context } from '../../src/platform/context.ts'
import { createPerson, type NewPerson } from '../../src/identity/users/create.ts'
import pino from 'pino'
import { withoutIndexes } from './indexes.ts'
import { words } from './words.ts'

/** How much of everything there is for each repository. */
const PEOPLE = 1 / 20
const ORGANIZATIONS = 1 / 200
const TOPICS = 500
const ROWS_AT_ONCE = 10_000

export interface World {
  /** Tokens of callers, by what they are. */
  readonly tokens: Readonly<Record<'ordinary' | 'member' | 'restricted' | 'administrator', string>>
  /** Of eight who are alike, the first of them `tokens.ordinary`. */
  readonly ordinary: readonly string[]
  readonly memberId: number
}

/**
 * A database of `size` repositories with people, organizations, teams, collaborators, topics and
 * stars, a fifth of it private, made by a few large statements. The same size makes the same world.
 */
export async function generateWorld(config: Config, size: number): Promise<World> {
  const ctx = await openContext(config, pino({ level: 'silent' }))
  try {
    const counts = {
      people: Math.max(20, Math.round(size * PEOPLE)),
      organizations: Math.max(5, Math.round(size * ORGANIZATIONS)),
      repositories: size,
    }
    await withoutIndexes(ctx.db, async () => {
      for (const statement of statements(counts)) await sql.raw(statement).execute(ctx.db)
    })
    await ctx.textIndex.flush()
    const world = await addCallers(ctx)
    // PostgreSQL does so by itself before long; SQLite never does.
    if (ctx.db.dialect === 'postgres') await sql`VACUUM ANALYZE`.execute(ctx.db)
    return world
  } finally {
    await closeContext(ctx)
  }
}

interface Counts {
  readonly people: number
  readonly organizations: number
  readonly repositories: number
}

function statements({ people, organizations, repositories }: Counts): readonly string[] {
  const accounts = people + organizations
  const list = words.map((word, index) => `(${index}, '${word}')`).join(', ')
  return [
    `CREATE TABLE bench_word (place INTEGER PRIMARY KEY, word TEXT)`,
    `INSERT INTO bench_word VALUES ${list}`,
    `INSERT INTO account (kind, name, lower_name, email, visibility, created_at, updated_at)
      ${numbers(people)} SELECT 'person', 'person' || n, 'person' || n, 'person' || n || '@example.org',
      ${visibility}, 1000000 + n, 1000000 + n FROM numbers`,
    `INSERT INTO account (kind, name, lower_name, visibility, created_at, updated_at)
      ${numbers(organizations)} SELECT 'organization', 'group' || n, 'group' || n, ${visibility}, 2000000 + n, 2000000 + n FROM numbers`,
    ...repositoryStatements(repositories, accounts),
    `INSERT INTO repository_unit (repository_id, unit) SELECT id, 'repo.code' FROM repository`,
    `INSERT INTO topic (name, repo_count, created_at, updated_at)
      ${numbers(TOPICS)} SELECT 'topic-' || n, 0, 1, 1 FROM numbers`,
    `INSERT INTO repository_topic (repository_id, topic_id)
      SELECT id, 1 + ${mixed(18, 'id')} % (1 + ${mixed(19, 'id')} % ${TOPICS}) FROM repository WHERE ${mixed(20, 'id')} % 2 = 0`,
    `UPDATE topic SET repo_count = (SELECT count(*) FROM repository_topic WHERE topic_id = topic.id)`,
    `INSERT INTO star (repository_id, account_id, created_at)
      SELECT id, 1 + ${mixed(21, 'id')} % ${people}, 1 FROM repository WHERE stars_count > 0`,
    `INSERT INTO collaboration (repository_id, account_id, access, created_at)
      SELECT id, 1 + ${mixed(22, 'id')} % ${people}, 'write', 1 FROM repository WHERE ${mixed(23, 'id')} % 10 = 0`,
    `INSERT INTO organization_member (org_id, account_id, is_public)
      SELECT id, 1 + ${mixed(24, 'id')} % ${people}, 1 FROM account WHERE kind = 'organization'`,
    `INSERT INTO team (org_id, name, lower_name, access, includes_all_repositories)
      SELECT id, 'Owners', 'owners', 'owner', 1 FROM account WHERE kind = 'organization'`,
    `INSERT INTO team (org_id, name, lower_name, access, includes_all_repositories)
      SELECT id, 'readers', 'readers', 'read', 0 FROM account WHERE kind = 'organization'`,
    `INSERT INTO team_member (team_id, account_id)
      SELECT team.id, organization_member.account_id FROM team
      INNER JOIN organization_member ON organization_member.org_id = team.org_id WHERE team.name = 'Owners'`,
    `INSERT INTO team_repository (team_id, repository_id)
      SELECT team.id, repository.id FROM repository
      INNER JOIN team ON team.org_id = repository.owner_id AND team.name = 'readers' WHERE repository.id % 3 = 0`,
    `DROP TABLE bench_word`,
  ]
}

/**
 * Not all at once: PostgreSQL would keep every count of the repositories that came before until the
 * end.
 */
function repositoryStatements(count: number, accounts: number): readonly string[] {
  const starts = Array.from(
    { length: Math.ceil(count / ROWS_AT_ONCE) },
    (_, at) => at * ROWS_AT_ONCE,
  )
  return starts.map(
    (from) =>
      `INSERT INTO repository (owner_id, name, lower_name, folder, description, lower_description, default_branch,
        is_private, is_fork, is_archived, is_empty, git_size, stars_count, forks_count, language, licenses, created_at, updated_at)
      ${numbers(Math.min(from + ROWS_AT_ONCE, count), from + 1)} SELECT ${mixed(1)} % ${accounts} + 1, ${nameText}, ${nameText}, 'folder' || n,
        a.word || ' for the ' || b.word || ' of ' || c.word, a.word || ' for the ' || b.word || ' of ' || c.word, 'main',
        CASE WHEN ${mixed(2)} % 5 = 0 THEN 1 ELSE 0 END, CASE WHEN ${mixed(3)} % 10 = 0 THEN 1 ELSE 0 END,
        CASE WHEN ${mixed(4)} % 20 = 0 THEN 1 ELSE 0 END, 0, ${mixed(5)} % 50000000,
        CASE WHEN ${mixed(6)} % 3 = 0 THEN ${mixed(7)} % 5000 / (1 + ${mixed(8)} % 200) ELSE 0 END,
        CASE WHEN ${mixed(9)} % 8 = 0 THEN ${mixed(10)} % 40 ELSE 0 END,
        CASE ${mixed(11)} % 4 WHEN 0 THEN 'Go' WHEN 1 THEN 'TypeScript' WHEN 2 THEN 'Rust' ELSE 'Python' END,
        CASE ${mixed(12)} % 3 WHEN 0 THEN '["MIT"]' WHEN 1 THEN '["Apache-2.0"]' ELSE '[]' END,
        1500000000 + n * 37 % 100000000, 1600000000 + ${mixed(13)} % 100000000
      FROM numbers
      INNER JOIN bench_word a ON a.place = ${mixed(14)} % ${words.length} * (${mixed(15)} % 4) / 3
      INNER JOIN bench_word b ON b.place = ${mixed(16)} % ${words.length}
      INNER JOIN bench_word c ON c.place = ${mixed(17)} % ${words.length}`,
  )
}

const nameText = `a.word || '-' || b.word || '-' || n`
const visibility = `CASE n % 20 WHEN 0 THEN 'limited' WHEN 1 THEN 'private' ELSE 'public' END`

/** Numbers from `first` to `last`, on both databases. */
function numbers(last: number, first = 1): string {
  return `WITH RECURSIVE numbers (n) AS (SELECT CAST(${first} AS BIGINT) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last})`
}

/** A number that looks random, another for each `salt`, and the same on both databases. */
function mixed(salt: number, of = 'n'): string {
  return `((${of} + ${salt} * 7919) * 48271 % 2147483647 * 69621 % 2147483647)`
}

/**
 * Callers of ordinary searches, one in two hundred teams, a restricted one and an administrator.
 */
async function addCallers(ctx: Context): Promise<World> {
  const ordinary = await addOrdinary(ctx)
  const member = await addCaller(ctx, 'member')
  const restricted = await addCaller(ctx, 'restricted', { isRestricted: true })
  const administrator = await addCaller(ctx, 'administrator', { isAdmin: true })
  await sql`INSERT INTO team_member (team_id, account_id)
    SELECT id, ${member.id} FROM team WHERE name = 'readers' AND id % 3 = 0 ORDER BY id LIMIT 200`.execute(
    ctx.db,
  )
  const tokens = {
    ordinary: ordinary[0] ?? '',
    member: member.token,
    restricted: restricted.token,
    administrator: administrator.token,
  }
  return { tokens, ordinary, memberId: member.id }
}

async function addOrdinary(ctx: Context): Promise<readonly string[]> {
  const tokens: string[] = []
  for (let number = 1; number <= 8; number++) {
    tokens.push((await addCaller(ctx, `ordinary${number}`)).token)
  }
  return tokens
}

async function addCaller(ctx: Context, name: string, options: Partial<NewPerson> = {}) {
  const email = `${name}@example.org`
  const account = await createPerson(ctx, { name, email, password: 'password1', ...options })
  const { secret } = await createToken(ctx, account, { name: 'bench', scopes: ['all'] })
  return { id: account.id, token: secret }
}
