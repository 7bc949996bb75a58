import { existsSync } from 'node:fs'
import { keyFileOf, loadSecrets } from '../../identity/auth/secrets.ts'
import type { Config } from '../../platform/config/config.ts'
import { withDatabase, type Database } from '../../platform/db/database.ts'
import {
  endCopy,
  makeIdentity,
  markCopied,
  postponeSweeps,
  setKeyCheck,
} from '../../platform/db/identity.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { listThrownAwayFolders, takeBackFolders } from '../../platform/git/trash.ts'
import { dropWaiting } from '../../platform/jobs/drop-waiting.ts'
import { giveUpWaiting } from '../../outbound/webhooks/deliver.ts'
import { countFolders } from '../../repositories/repository/sweep.ts'
import { adoptPlaces } from '../startup/claim-places.ts'
import { readFolderMark } from '../startup/folder-mark.ts'
import { placesOf } from '../startup/places.ts'
import type { FileStorage } from '../../platform/storage/file-storage.ts'
import { openStorage } from '../../platform/storage/open-storage.ts'
import { listThrownAway, takeBack } from '../../platform/storage/trash.ts'
import { allowSweep, listHeldSweeps } from '../../platform/sweeps/careful.ts'
import { UsageError, type Command, type Invocation } from './command.ts'
import { runRecover } from './recover.ts'
import { formatTable } from './table.ts'

/** What an administrator does on a bad day. */
export const dataCommands: readonly Command[] = [
  {
    name: 'adopt-database',
    usage: '[--yes]',
    about:
      'Shows whether the data folder and the bucket fit the database; --yes marks them as its own, for a start that was refused.',
    options: { yes: { type: 'boolean' } },
    run: adoptDatabase,
  },
  {
    name: 'new-secret-key',
    usage: '--yes',
    about:
      'Makes a secret key where it is lost, or accepts the one that is there. All tokens, sessions and second factors are void then.',
    options: { yes: { type: 'boolean' } },
    run: newSecretKey,
  },
  {
    name: 'restored',
    usage: '--go-live [--drop-waiting] | --quiet',
    about:
      'Lets a copy that a backup made live on as the original; --drop-waiting forgets the mails and webhooks that waited when it was made. --quiet says of a database that other tools copied that it is a copy.',
    options: {
      'go-live': { type: 'boolean' },
      'drop-waiting': { type: 'boolean' },
      quiet: { type: 'boolean' },
    },
    run: tellRestored,
  },
  {
    name: 'database recover',
    usage: '[--yes]',
    about:
      'Makes a new SQLite database of what can be read of a damaged one, while no server runs; --yes also without some accounts.',
    options: { yes: { type: 'boolean' } },
    run: runRecover,
  },
  {
    name: 'sweep list',
    usage: '',
    about: 'Lists the sweeps that found too much and wait for a person.',
    options: {},
    run: listSweeps,
  },
  {
    name: 'sweep allow',
    usage: '--name NAME',
    about: 'Lets the next run of this sweep move what it found to the trash.',
    options: { name: { type: 'string' } },
    run: allow,
  },
  {
    name: 'trash list',
    usage: '',
    about: 'Lists what sweeps have moved to the trash, by the day.',
    options: {},
    run: listTrash,
  },
  {
    name: 'trash restore',
    usage: '[--day DAY]',
    about: 'Brings back what sweeps have moved to the trash, on that day or at all.',
    options: { day: { type: 'string' } },
    run: restoreTrash,
  },
]

interface Data {
  readonly config: Config
  readonly db: Database
  readonly files: FileStorage
}

async function withData<T>({ config }: Invocation, work: (data: Data) => Promise<T>): Promise<T> {
  return withDatabase(config, async (db) => {
    await migrate(db, now())
    const files = await openStorage(config)
    try {
      return await work({ config, db, files })
    } finally {
      await files.close()
    }
  })
}

async function adoptDatabase(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withData(invocation, async ({ config, db, files }) => {
    const identity = await makeIdentity(db, now())
    for (const line of await look({ config, db, files }, identity.id)) terminal.out(line)
    if (!invocation.flag('yes')) {
      terminal.note('Nothing was changed. If this is the right database, say so with --yes.')
      return
    }
    await adoptPlaces(config, files, identity)
    await postponeSweeps(db, now())
    terminal.note('The data folder belongs to this database now. Nothing is swept for a day.')
  })
}

/** What whoever decides has to know. */
async function look({ config, db, files }: Data, id: string): Promise<readonly string[]> {
  const folder = await readFolderMark(config)
  const { total, known } = await countFolders(config, db)
  const marks = placesOf(config, files).map(async ({ title, read }) => [title, await read()])
  const { people, repositories } = await countRows(db)
  return formatTable([
    ['the database', id],
    [config.data, folder?.id ?? 'not marked'],
    ...(await Promise.all(marks)).map(([title = '', mark]) => [title, mark ?? 'not marked']),
    ['people and organizations in the database', String(people)],
    ['repositories in the database', String(repositories)],
    ['repositories on the disk', String(total)],
    ['of these, the database names', String(known)],
  ])
}

async function countRows(db: Database): Promise<{ people: number; repositories: number }> {
  const count = async (table: 'account' | 'repository') => {
    const { n } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return n
  }
  return { people: await count('account'), repositories: await count('repository') }
}

async function newSecretKey(invocation: Invocation): Promise<void> {
  const { config, terminal } = invocation
  if (!invocation.flag('yes')) {
    throw new UsageError('all tokens, sessions and second factors become void: say --yes')
  }
  const isNew = config.security.secret_key === '' && !existsSync(keyFileOf(config))
  await withDatabase(config, async (db) => {
    await migrate(db, now())
    await makeIdentity(db, now())
    await setKeyCheck(db, loadSecrets(config).checkValue())
  })
  terminal.note(isNew ? 'A new key is made.' : 'The present key is accepted.')
}

async function tellRestored(invocation: Invocation): Promise<void> {
  const [isLive, isQuiet] = [invocation.flag('go-live'), invocation.flag('quiet')]
  if (isLive === isQuiet) throw new UsageError('say either --go-live or --quiet')
  if (isLive) return goLive(invocation)
  await withDatabase(invocation.config, async (db) => {
    await migrate(db, now())
    await makeIdentity(db, now())
    await markCopied(db, now())
  })
  invocation.terminal.note('A server that starts on it sends, sweeps and starts nothing by itself.')
}

async function goLive(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withData(invocation, async ({ config, db, files }) => {
    const { copiedAt } = await makeIdentity(db, now())
    if (copiedAt === 0) return terminal.note('This is no copy: there is nothing to do.')
    const dropped = invocation.flag('drop-waiting') ? await forgetWaiting(db) : 0
    const identity = await endCopy(db, now())
    await adoptPlaces(config, files, identity)
    if (dropped > 0) terminal.note(`${dropped} waiting mails and webhooks are forgotten.`)
    terminal.note('The copy lives on as the original. Nothing is swept for a day.')
  })
}

/** The original has sent them, or will. */
async function forgetWaiting(db: Database): Promise<number> {
  const deliveries = await giveUpWaiting(db)
  return deliveries + (await dropWaiting(db, ['mail']))
}

async function listSweeps(invocation: Invocation): Promise<void> {
  const held = await withDatabase(invocation.config, (db) => listHeldSweeps(db))
  const rows = held.map(({ name, strays, total }) => [name, `${strays} of ${total}`])
  for (const line of formatTable([['SWEEP', 'FOUND'], ...rows])) invocation.terminal.out(line)
}

async function allow(invocation: Invocation): Promise<void> {
  const name = invocation.required('name')
  const isHeld = await withDatabase(invocation.config, (db) => allowSweep(db, name, now()))
  if (!isHeld) throw new UsageError(`no sweep of the name ${name} waits`)
  invocation.terminal.note('Its next run moves what it found to the trash.')
}

async function listTrash(invocation: Invocation): Promise<void> {
  await withData(invocation, async ({ config, files }) => {
    const rows = [['DAY', 'WHAT']]
    for (const { day, folder } of await listThrownAwayFolders(config))
      rows.push([day, `repositories/${folder}`])
    for await (const { day, key } of listThrownAway(files)) rows.push([day, key])
    for (const line of formatTable(rows)) invocation.terminal.out(line)
  })
}

async function restoreTrash(invocation: Invocation): Promise<void> {
  const day = invocation.text('day')
  let [restored, left] = [0, 0]
  const note = (isBack: boolean) => (isBack ? restored++ : left++)
  await withData(invocation, async ({ config, files }) => {
    for (const thrown of await listThrownAwayFolders(config))
      if (day === undefined || thrown.day === day) note(await takeBackFolders(config, thrown))
    for await (const thrown of listThrownAway(files))
      if (day === undefined || thrown.day === day) note(await takeBack(files, thrown))
  })
  invocation.terminal.note(`${restored} brought back, ${left} left where they are.`)
}

function now(): number {
  return Math.floor(Date.now() / 1000)
}
