import { ConfigError } from '../config/config.ts'
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

/** At the start: which setting to look at. */
export function asUnusable(error: unknown, bucket: string): Error {
  const { name = '', message, $metadata: answer } = error as Partial<ServiceError>
  const status = answer?.httpStatusCode
  const said = [name, message].filter(Boolean).join(': ')
  const isAbout = (setting: string, what: string) =>
    new ConfigError(`${setting}: ${what} (${said})`, { cause: error })
  if (name === 'NoSuchBucket' || status === 404) {
    return isAbout('storage.bucket', `there is no bucket ${bucket}`)
  }
  if (/InvalidAccessKeyId|SignatureDoesNotMatch|AuthorizationHeaderMalformed/.test(name)) {
    return isAbout('storage.access_key, storage.secret_key', 'the service does not take the keys')
  }
  if (status === 401 || status === 403) {
    return isAbout('storage.access_key', `the keys do not open the bucket ${bucket}`)
  }
  if (status === 301 || name === 'PermanentRedirect') {
    return isAbout('storage.region', `the bucket ${bucket} is in another region`)
  }
  return isAbout('storage.endpoint', 'the service cannot be used')
}

/** What is used of the library's. */
interface ServiceError extends Error {
  readonly $metadata: { readonly httpStatusCode?: number }
}
