import { StorageAway } from './mark.ts'

/** What services call it when they have no room; the status of WebDAV stands for it, too. */
const fullNames = /QuotaExceeded|StorageFull|InsufficientStorage|NotEnoughSpace|EntityTooLarge/
const INSUFFICIENT_STORAGE = 507

/**
 * As a disk would have it: full, or not there. What the service says of it may name keys and
 * buckets, and is for the log. Anything else, such as a lost connection, is what it was.
 */
export function asStorageFailure(error: unknown, bucket: string): unknown {
  const { name, $metadata: answer } = error as Partial<ServiceError>
  const status = answer?.httpStatusCode
  if (!(error instanceof Error) || status === undefined || status < 400) return error
  if (status === INSUFFICIENT_STORAGE || fullNames.test(name ?? '')) {
    return Object.assign(new Error('the bucket is full', { cause: error }), { code: 'ENOSPC' })
  }
  return new StorageAway(`the bucket ${bucket}`, error)
}

/** What is used of the library's. */
interface ServiceError extends Error {
  readonly $metadata: { readonly httpStatusCode?: number }
}
