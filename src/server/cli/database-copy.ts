import type { Config } from '../../platform/config/config.ts'
import { copyRows, findFilledTable } from '../../platform/db/copy.ts'
import { takeFromServers, withDatabase } from '../../platform/db/database.ts'
import { findMigrationState, migrate } from '../../platform/db/migrate.ts'
import { indexLateTexts } from '../../repositories/search/text-index.ts'
import { UsageError, type Invocation } from './command.ts'

/** To another database, which the server is to use from then on. */
export async function runDatabaseCopy(invocation: Invocation): Promise<void> {
  const { config, terminal } = invocation
  const url = invocation.required('to')
  if (!/^postgres(ql)?:\/\//.test(url)) throw new UsageError('--to is no address of a PostgreSQL')
  const release = await takeFromServers(config)
  if (!release) throw new UsageError('a server uses the database: stop it first')
  const count = await copyDatabase(config, onDatabase(config, url)).finally(release)
  terminal.note(
    `${count} rows are copied. Set database.url to the new address before the next start.`,
  )
}

/**
 * A database in PostgreSQL becomes the file of a data folder, from which a server can be started.
 */
export async function copyToFolder(config: Config, folder: string): Promise<void> {
  const copy = onDatabase({ ...config, data: folder }, '')
  await copyDatabase(config, copy)
}

export function onDatabase(config: Config, url: string): Config {
  return { ...config, database: { ...config.database, url } }
}

async function copyDatabase(from: Config, to: Config): Promise<number> {
  return withDatabase(from, (source) =>
    withDatabase(to, async (target) => {
      const { pending, unknown } = await findMigrationState(source)
      if (pending.length + unknown.length > 0) {
        throw new UsageError(
          'the database is of another version than this program: "migrate" brings an older one up to it',
        )
      }
      await migrate(target, Math.floor(Date.now() / 1000))
      const filled = await findFilledTable(target)
      if (filled) throw new UsageError(`there are rows in "${filled}" of the new database already`)
      const count = await copyRows(source, target)
      await indexLateTexts(target)
      return count
    }),
  )
}
