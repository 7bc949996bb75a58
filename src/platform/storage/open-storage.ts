import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import { DiskRoom } from './disk-room.ts'
import { DiskStorage } from './disk.ts'
import type { FileStorage } from './file-storage.ts'
import type { Sign } from './s3.ts'

export function filesFolder(config: Config): string {
  return join(config.data, 'files')
}

/** Where repositories are is always a disk. */
export function roomOf(config: Config, now: () => number): DiskRoom {
  const { kind, reserve } = config.storage
  const folders = kind === 'disk' ? [config.data, filesFolder(config)] : [config.data]
  return new DiskRoom(folders, reserve, now)
}

/**
 * The storage that the settings name. Guarded, it takes nothing before it is marked as that of a
 * database.
 */
export async function openStorage(
  config: Config,
  { isGuarded = false } = {},
): Promise<FileStorage> {
  if (config.storage.kind === 'disk') return new DiskStorage(filesFolder(config), { isGuarded })
  // Loaded only where it is used: it is large.
  const { S3Storage } = await import('./s3.ts')
  const storage = new S3Storage(config, await signerFor(config))
  await storage.assertUsable()
  return storage
}

async function signerFor(config: Config): Promise<Sign | undefined> {
  if (!config.storage.redirect) return undefined
  const { openSigner } = await import('./s3-links.ts')
  return openSigner(config)
}
