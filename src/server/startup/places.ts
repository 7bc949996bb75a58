import { readdir } from 'node:fs/promises'
import type { Config } from '../../platform/config/config.ts'
import { isShard, repositoriesFolder } from '../../platform/git/layout.ts'
import type { FileStorage } from '../../platform/storage/file-storage.ts'
import {
  MARK_KEY,
  readMark,
  readStoredMark,
  writeMark,
  writeStoredMark,
} from '../../platform/storage/mark.ts'

/** Something that may be a disk or a bucket of its own, and belongs to one database. */
export interface Place {
  /** As the mark of the data folder remembers it. */
  readonly name: string
  /** For people. */
  readonly title: string
  readonly read: () => Promise<string | undefined>
  readonly write: (id: string) => Promise<void>
  readonly isFilled: () => Promise<boolean>
}

export function placesOf(config: Config, files: FileStorage): readonly Place[] {
  return [repositoriesPlace(config), filesPlace(config, files)]
}

function repositoriesPlace(config: Config): Place {
  const folder = repositoriesFolder(config)
  return {
    name: 'repositories',
    title: folder,
    read: () => readMark(folder),
    write: (id) => writeMark(folder, id),
    isFilled: async () => (await readdir(folder).catch(() => [])).some(isShard),
  }
}

function filesPlace({ data, storage }: Config, files: FileStorage): Place {
  return {
    name: `files-${storage.kind}`,
    title: storage.kind === 's3' ? `the bucket ${storage.bucket}` : `${data}/files`,
    read: () => readStoredMark(files),
    write: (id) => writeStoredMark(files, id),
    isFilled: async () => {
      for await (const { key } of files.list()) if (key !== MARK_KEY) return true
      return false
    },
  }
}
