import { ConfigError, describeConfig } from '../../platform/config/config.ts'
import { withDatabase, type Database } from '../../platform/db/database.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { examine, type Finding } from '../doctor/examine.ts'
import { keepResult } from '../doctor/results.ts'
import { findClosedDoors } from '../startup/doors.ts'
import { findUnusable } from '../startup/usable.ts'
import { programVersion } from '../../platform/version.ts'
import { runBackup } from './backup.ts'
import type { Command, Invocation } from './command.ts'
import { runDatabaseCopy } from './database-copy.ts'
import { runFileCopy } from './file-copy.ts'
import { formatTable } from './table.ts'

const SHOWN_PROBLEMS = 20

export const serverCommands: readonly Command[] = [
  {
    name: 'migrate',
    usage: '',
    about: 'Brings the database up to this program, as a start of the server does.',
    options: {},
    run: runMigrations,
  },
  {
    name: 'doctor',
    usage: '[--fix]',
    about: 'Reports what does not fit together in the database; --fix mends what can be mended.',
    options: { fix: { type: 'boolean' } },
    run: runDoctor,
  },
  {
    name: 'backup',
    usage: '--to FOLDER',
    about:
      'Copies all data but buckets to a new folder, also of a running server; PostgreSQL as a file of SQLite.',
    options: { to: { type: 'string' } },
    run: runBackup,
  },
  {
    name: 'database copy',
    usage: '--to postgres://USER@HOST/NAME',
    about: 'Copies the database to an empty PostgreSQL, while no server runs.',
    options: { to: { type: 'string' } },
    run: runDatabaseCopy,
  },
  {
    name: 'files copy',
    usage: '--from disk|s3',
    about: 'Copies attachments, LFS objects, packages and avatars to where storage.kind says.',
    options: { from: { type: 'string' } },
    run: runFileCopy,
  },
  {
    name: 'config show',
    usage: '',
    about: 'Shows every setting with its value and where that comes from; secrets are masked.',
    options: {},
    run: showConfig,
  },
  {
    name: 'config check',
    usage: '',
    about:
      'Looks at every setting and at what it names, as a start of the server does; a line for each that is wrong.',
    options: {},
    run: checkConfig,
  },
  {
    name: 'version',
    usage: '',
    about: 'Shows the version of this program.',
    options: {},
    run: showVersion,
  },
]

async function showVersion({ terminal }: Invocation): Promise<void> {
  terminal.out(programVersion)
}

async function runMigrations(invocation: Invocation): Promise<void> {
  const applied = await withDatabase(invocation.config, (db) => migrate(db, now()))
  for (const name of applied) invocation.terminal.out(`applied ${name}`)
  if (applied.length === 0) invocation.terminal.note('The database is up to date.')
}

async function runDoctor(invocation: Invocation): Promise<number> {
  const fix = invocation.flag('fix')
  const findings = await withDatabase(invocation.config, async (db) => {
    const all = await examine(db, invocation.config, now(), { fix })
    await keep(invocation, db, all)
    return all
  })
  for (const line of findings.flatMap(describe)) invocation.terminal.out(line)
  return findings.every(({ left }) => left.length === 0) ? 0 : 1
}

/** For the page of the server; a database that takes nothing has been examined all the same. */
async function keep(
  { terminal }: Invocation,
  db: Database,
  all: readonly Finding[],
): Promise<void> {
  try {
    for (const { check, left, isFirst } of all) {
      if (!isFirst) await keepResult(db, check, left, now())
    }
  } catch (error) {
    terminal.note(`What was found could not be kept: ${(error as Error).message}`)
  }
}

function describe({ check, found, left }: Finding): readonly string[] {
  if (found.length === 0) return [`ok      ${check}`]
  if (left.length === 0) return [`mended  ${check}`, ...indent(found)]
  return [`wrong   ${check}`, ...indent(left)]
}

function indent(problems: readonly string[]): readonly string[] {
  const shown = problems.slice(0, SHOWN_PROBLEMS).map((problem) => `        ${problem}`)
  const more = problems.length - shown.length
  return more > 0 ? [...shown, `        and ${more} more`] : shown
}

async function showConfig({ terminal, config }: Invocation): Promise<void> {
  const rows = describeConfig(config).map(({ name, value, source }) => [name, source, value])
  for (const line of formatTable([['SETTING', 'FROM', 'VALUE'], ...rows])) terminal.out(line)
}

/** What is read is looked at first: without it there is nothing to look at. */
async function checkConfig(invocation: Invocation): Promise<number> {
  const { terminal } = invocation
  const problems = await findProblems(invocation)
  for (const problem of problems) terminal.out(problem)
  if (problems.length > 0) return 1
  terminal.note('All settings can be used.')
  return 0
}

async function findProblems(invocation: Invocation): Promise<readonly string[]> {
  try {
    const { config } = invocation
    return [...(await findUnusable(config)), ...(await findClosedDoors(config))]
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}
