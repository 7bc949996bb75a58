import type { Config } from '../../platform/config/config.ts'
import { isUnfinished } from '../../platform/storage/unfinished.ts'
import { StartRefused } from './refusal.ts'

/** Half a backup has a database that names what was not copied any more. */
export function assertFinished({ data }: Config): void {
  if (!isUnfinished(data)) return
  throw new StartRefused(
    `${data} is a backup that did not come to its end: take another one, or delete it and make it anew`,
  )
}
