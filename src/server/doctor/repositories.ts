import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { repositoryFolder } from '../../platform/git/layout.ts'
import { listLeftovers, listStrayFolders } from '../../repositories/repository/sweep.ts'
import type { Check } from './check.ts'
import {
  findCountDrift,
  findUseDrift,
  listFolders,
  mendCounts,
  mendUse,
} from './repository-queries.ts'
import { findSearchDrift, mendSearch } from './search-queries.ts'

/** Of what the database says of repositories, and of their folders on the disk. */
export function repositoryChecks(config: Config): readonly Check[] {
  return [
    { name: 'counts of repositories are right', find: findCountDrift, mend: mendCounts },
    { name: 'counts of stars and topics are right', find: findUseDrift, mend: mendUse },
    { name: 'search finds repositories as they are', find: findSearchDrift, mend: mendSearch },
    {
      name: 'every repository has its directory',
      find: async (db) => {
        const folders = await listFolders(db)
        const missing = [...folders].filter(
          ([folder]) => !existsSync(repositoryFolder(config, folder)),
        )
        return missing.map(([, id]) => `repository ${id} has no directory`)
      },
    },
    {
      name: 'every directory belongs to a repository',
      find: async (db) => {
        const strays = await listStrayFolders(config, new Set((await listFolders(db)).keys()))
        return strays.map(
          (folder) =>
            `${folder} belongs to no repository; the server moves it to the trash by itself`,
        )
      },
    },
    {
      name: 'git has left nothing unfinished',
      find: async (db) => {
        const left = await listLeftovers(config, (await listFolders(db)).keys())
        return left.map(
          (path) =>
            `${relative(config.data, path)} is not finished; the server removes it by itself`,
        )
      },
    },
  ]
}
