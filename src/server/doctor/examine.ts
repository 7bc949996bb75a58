import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { findMigrationState, migrate } from '../../platform/db/migrate.ts'
import { accountChecks } from './accounts.ts'
import { activityChecks } from './activities.ts'
import { fileChecks } from './files.ts'
import type { Check } from './check.ts'
import { databaseChecks } from './database.ts'
import { issueChecks } from './issues.ts'
import { mirrorChecks } from './mirrors.ts'
import { organizationChecks } from './organizations.ts'
import { repositoryChecks } from './repositories.ts'
import { upkeepChecks } from './upkeep.ts'

/** Every subject adds what must hold in its tables. */
export function checksBySubject(config: Config): Readonly<Record<string, readonly Check[]>> {
  return {
    database: databaseChecks,
    accounts: accountChecks,
    organizations: organizationChecks,
    repositories: repositoryChecks(config),
    activities: activityChecks,
    issues: issueChecks,
    mirrors: mirrorChecks,
    files: fileChecks(config),
    upkeep: upkeepChecks(config),
  }
}

export interface Finding {
  readonly check: string
  /** Of the state of the database itself: nothing else is looked at before that is right. */
  readonly isFirst?: true
  readonly found: readonly string[]
  /** What is still wrong after mending, if that was asked for. */
  readonly left: readonly string[]
}

/** Goes through all checks. Tables of another version are not looked into. */
export async function examine(
  db: Database,
  config: Config,
  now: number,
  options: { fix: boolean },
): Promise<readonly Finding[]> {
  const migrations = await examineMigrations(db, now, options)
  if (migrations.left.length > 0) return [migrations]
  const findings = [migrations]
  const checks = Object.values(checksBySubject(config)).flat()
  for (const check of checks) findings.push(await examineOne(db, check, options))
  return findings
}

async function examineOne(
  db: Database,
  { name, find, mend }: Check,
  { fix }: { fix: boolean },
): Promise<Finding> {
  const found = await find(db)
  if (!fix || !mend || found.length === 0) return { check: name, found, left: found }
  await db.transaction().execute((tx) => mend(tx))
  return { check: name, found, left: await find(db) }
}

/** Each migration brings a transaction of its own, so it is no `Check`. */
async function examineMigrations(
  db: Database,
  now: number,
  { fix }: { fix: boolean },
): Promise<Finding> {
  const check = 'the database is of this version'
  const { pending, unknown, edited } = await findMigrationState(db)
  const newer = unknown.map((name) => `a newer program has applied ${name}`)
  const missing = pending.map(({ name }) => `${name} is not applied`)
  const others = edited.map((name) => `${name} was applied in another form`)
  const found = [...newer, ...others, ...missing]
  if (!fix || newer.length + others.length > 0) return { check, isFirst: true, found, left: found }
  await migrate(db, now)
  return { check, isFirst: true, found, left: [] }
}
