import { ATTACHMENTS, keyOf } from '../../platform/files/key.ts'
import { isOldEnough } from '../../platform/sweeps/files.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Executor } from '../../platform/db/database.ts'
import { ARCHIVES, archiveKey } from '../../code/content/kept-archives.ts'
import { LFS_FILES, lfsKey } from '../../code/lfs/object.ts'
import { PACKAGE_FILES, packageKey } from '../../delivery/packages/package.ts'
import { openStorage } from '../../platform/storage/open-storage.ts'
import type { Check } from './check.ts'
import {
  listArchiveNames,
  listAttachmentNames,
  listLfsNames,
  listPackageNames,
} from './file-queries.ts'

/** A kind of record with a file in the storage. */
interface Kind {
  readonly name: string
  readonly article: 'a' | 'an'
  /** Where the files are. */
  readonly prefix: string
  readonly keyOf: (uuid: string) => string
  /** What each file is called there, with the id of its record. */
  readonly list: (db: Executor) => Promise<ReadonlyMap<string, number | string>>
}

const kinds: readonly Kind[] = [
  {
    name: 'attachment',
    article: 'an',
    prefix: ATTACHMENTS,
    keyOf,
    list: listAttachmentNames,
  },
  {
    name: 'LFS object',
    article: 'an',
    prefix: LFS_FILES,
    keyOf: lfsKey,
    list: listLfsNames,
  },
  {
    name: 'package file',
    article: 'a',
    prefix: PACKAGE_FILES,
    keyOf: packageKey,
    list: listPackageNames,
  },
  {
    name: 'kept archive',
    article: 'a',
    prefix: ARCHIVES,
    keyOf: archiveKey,
    list: listArchiveNames,
  },
]

/** What the tables say against what the storage has. */
export function fileChecks(config: Config): readonly Check[] {
  return kinds.flatMap((kind) => [hasItsFile(config, kind), hasItsRecord(config, kind)])
}

function hasItsFile(config: Config, kind: Kind): Check {
  return {
    name: `every ${kind.name} has its file`,
    find: async (db) => {
      const names = await kind.list(db)
      const stored = new Set((await listFiles(config, kind)).map(({ key }) => key))
      const missing = [...names].filter(([uuid]) => !stored.has(kind.keyOf(uuid)))
      return missing.map(([, id]) => `${kind.name} ${id} has no file`)
    },
  }
}

function hasItsRecord(config: Config, kind: Kind): Check {
  const { name, article } = kind
  return {
    name: `every stored file belongs to ${article} ${name}`,
    find: async (db) => {
      const files = await listFiles(config, kind)
      const known = new Set([...(await kind.list(db)).keys()].map(kind.keyOf))
      const now = Math.floor(Date.now() / 1000)
      const strays = files.filter((file) => !known.has(file.key) && isOldEnough(file, now))
      return strays.map(
        ({ key }) => `${key} belongs to no ${name}; the server moves it to the trash by itself`,
      )
    },
  }
}

async function listFiles(config: Config, { prefix }: Kind) {
  const files = await openStorage(config)
  return Array.fromAsync(files.list(prefix))
}
