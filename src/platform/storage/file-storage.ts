import type { Readable } from 'node:stream'

/** Bytes by key: attachments, avatars, LFS. A key is written once and never changed. */
export interface FileStorage {
  /** Takes everything or leaves nothing. */
  put(key: string, content: AsyncIterable<Uint8Array>): Promise<StoredFile>
  /**
   * Like `put`, for a key that nobody else has: what a crash leaves of it is listed, and nobody
   * asks for it.
   */
  putNew(key: string, content: AsyncIterable<Uint8Array>): Promise<StoredFile>
  /** Fails with `FileMissing` before the first byte. */
  open(key: string, range?: ByteRange): Promise<Readable>
  /**
   * Where clients have the file from the service itself, for `LINK_SECONDS`; undefined where it
   * passes through here. Whether it is there, nobody has looked.
   */
  linkTo(key: string, sentAs: SentAs): Promise<string | undefined>
  /** What is gone already is fine. */
  remove(key: string): Promise<void>
  /** Under another key, in place of what is there; fails with `FileMissing`. */
  move(from: string, to: string): Promise<void>
  /** All that is stored, without what lies in the trash, or what is below `prefix`. */
  list(prefix?: string): AsyncIterable<ListedFile>
  /** Removes what interrupted writes left before this time. */
  tidy(before: number): Promise<void>
  close(): Promise<void>
}

/** As long as the permission may be outlived that was asked for before. */
export const LINK_SECONDS = 300

/** What a service says of a file that it sends by itself: all that it can be told to say. */
export interface SentAs {
  readonly contentType: string
  readonly contentDisposition: string
}

export interface StoredFile {
  readonly size: number
  /** Lower-case hexadecimal, of the bytes that arrived. */
  readonly sha256: string
}

export interface ListedFile {
  readonly key: string
  readonly size: number
  /** Whole seconds since 1970. */
  readonly modifiedAt: number
}

/** Both ends belong to it. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

export class FileMissing extends Error {
  override readonly name = 'FileMissing'

  constructor(key: string, options?: ErrorOptions) {
    super(`${key} is not in the storage`, options)
  }
}

/** What sweeps have taken, by the day and the key that each had. */
export const TRASH = 'trash'

export function isInTrash(key: string): boolean {
  return key.startsWith(`${TRASH}/`)
}

/** Keys are made by us from letters, digits and dashes: nothing in them leads anywhere else. */
export function assertKey(key: string): void {
  if (!/^[a-z]+(?:\/[0-9a-z-]+)+$/.test(key)) throw new Error(`${key} is no key of a stored file`)
}
