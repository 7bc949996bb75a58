import { ATTACHMENTS, keyOf } from '../attachments/attachment.ts'
import { isOldEnough } from '../attachments/sweep.ts'
import type { Config } from '../config/config.ts'
import { openStorage } from '../storage/open-storage.ts'
import { listAttachmentNames } from './attachment-queries.ts'
import type { Check } from './check.ts'

/** What the table says against what the storage has. */
export function attachmentChecks(config: Config): readonly Check[] {
  return [
    {
      name: 'every attachment has its file',
      find: async (db) => {
        const names = await listAttachmentNames(db)
        const stored = new Set((await listFiles(config)).map(({ key }) => key))
        const missing = [...names].filter(([uuid]) => !stored.has(keyOf(uuid)))
        return missing.map(([, id]) => `attachment ${id} has no file`)
      },
    },
    {
      name: 'every stored file belongs to an attachment',
      find: async (db) => {
        const files = await listFiles(config)
        const names = await listAttachmentNames(db)
        const known = new Set([...names.keys()].map(keyOf))
        const now = Math.floor(Date.now() / 1000)
        const strays = files.filter((file) => !known.has(file.key) && isOldEnough(file, now))
        return strays.map(
          ({ key }) => `${key} belongs to no attachment; the server removes it by itself`,
        )
      },
    },
  ]
}

async function listFiles(config: Config) {
  const files = await openStorage(config)
  return Array.fromAsync(files.list(ATTACHMENTS))
}
