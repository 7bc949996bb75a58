import {
  closeSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  type BigIntStats,
  type Dirent,
} from 'node:fs'
import { open, readdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

type Now<T> = T | Promise<T>

/** How to see small files, and when files and folders were written. */
export interface Look {
  readonly entries: (folder: string) => Now<readonly Dirent[]>
  readonly atFolder: (path: string) => Now<BigIntStats>
  /** Opens it: a file system of the network then asks again when it was written. */
  readonly atFile: (path: string) => Now<BigIntStats>
  readonly text: (path: string) => Now<string>
}

/** What stands in memory is seen in less time than it takes to have a thread look. */
const atOnce: Look = {
  entries: (folder) => readdirSync(folder, { withFileTypes: true }),
  atFolder: (path) => statSync(path, { bigint: true }),
  atFile: (path) => {
    const file = openSync(path, 'r')
    try {
      return fstatSync(file, { bigint: true })
    } finally {
      closeSync(file)
    }
  },
  text: (path) => readFileSync(path, 'utf8'),
}

/** Another machine may let us wait, and everybody would wait along. */
const aside: Look = {
  entries: (folder) => readdir(folder, { withFileTypes: true }),
  atFolder: (path) => stat(path, { bigint: true }),
  atFile: async (path) => {
    const file = await open(path)
    try {
      return await file.stat({ bigint: true })
    } finally {
      await file.close()
    }
  },
  text: (path) => readFile(path, 'utf8'),
}

/** As statfs(2) numbers them: ext, XFS, Btrfs, ZFS, F2FS, tmpfs and overlays of these. */
const ofThisMachine: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994, 0x794c7630,
])

const known = new Map<string, Look>()

/** The quickest that holds up nobody. Folders side by side are on one disk. */
export function lookBelow(folder: string): Look {
  const parent = dirname(folder)
  const look = known.get(parent) ?? (ofThisMachine.has(statfsSync(folder).type) ? atOnce : aside)
  known.set(parent, look)
  return look
}
