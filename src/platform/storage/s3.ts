import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  ListMultipartUploadsCommand,
  S3Client,
  UploadPartCopyCommand,
  type CompletedPart,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { Config } from '../config/config.ts'
import {
  assertKey,
  FileMissing,
  isInTrash,
  type ByteRange,
  type FileStorage,
  type ListedFile,
  type SentAs,
  type StoredFile,
} from './file-storage.ts'
import { Measure } from './measure.ts'
import { asStorageFailure, asUnusable } from './s3-failure.ts'

/** What is sent at once, and kept in memory until it is. */
const PART_BYTES = 8 * 1024 * 1024
const PARTS_AT_ONCE = 2

/** Services copy no more than 5 GiB by one call. */
const COPIED_AT_ONCE = 4 * 1024 ** 3

/** The address of an object, for whoever has it. */
export type Sign = (object: string, sentAs: SentAs) => Promise<string>

/** One object for each key in a bucket of an S3-compatible service. */
export class S3Storage implements FileStorage {
  /**
   * Waits for the beginning of an answer: what follows may be taken slowly by whoever downloads it.
   */
  readonly #reader: S3Client
  /** Waits while nothing moves: a slow line takes long for a part. */
  readonly #writer: S3Client
  readonly #bucket: string
  readonly #prefix: string
  readonly #sign: Sign | undefined

  constructor({ storage }: Config, sign?: Sign) {
    this.#sign = sign
    this.#bucket = storage.bucket
    this.#prefix = storage.prefix
    const patience = storage.timeout * 1000
    this.#reader = connectTo(storage, { requestTimeout: patience, throwOnRequestTimeout: true })
    this.#writer = connectTo(storage, { socketTimeout: patience })
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    const measure = new Measure()
    const body = Readable.from(measure.of(content), { objectMode: false })
    const upload = new Upload({
      client: this.#writer,
      params: { Bucket: this.#bucket, Key: this.#objectOf(key), Body: body },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    })
    try {
      await upload.done()
    } catch (error) {
      body.destroy()
      await upload.abort().catch(() => undefined)
      throw body.errored ?? asStorageFailure(error, this.#bucket)
    }
    return measure.result()
  }

  /** Nobody sees an object before it is whole. */
  async putNew(key: string, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    return this.put(key, content)
  }

  async open(key: string, range?: ByteRange): Promise<Readable> {
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: this.#objectOf(key),
      ...(range ? { Range: `bytes=${range.from}-${range.to}` } : {}),
    })
    const { Body } = await this.#reader.send(command).catch((error: unknown) => {
      throw isMissing(error)
        ? new FileMissing(key, { cause: error })
        : asStorageFailure(error, this.#bucket)
    })
    return Body as Readable
  }

  async linkTo(key: string, sentAs: SentAs): Promise<string | undefined> {
    return this.#sign?.(this.#objectOf(key), sentAs)
  }

  async remove(key: string): Promise<void> {
    await this.#reader.send(
      new DeleteObjectCommand({ Bucket: this.#bucket, Key: this.#objectOf(key) }),
    )
  }

  async move(from: string, to: string): Promise<void> {
    const source = this.#objectOf(from)
    await this.#copy(source, this.#objectOf(to)).catch((error: unknown) => {
      throw isMissing(error)
        ? new FileMissing(from, { cause: error })
        : asStorageFailure(error, this.#bucket)
    })
    await this.remove(from)
  }

  /**
   * By the service itself: nothing passes through here. It copies at once what is not too large,
   * and parts of all else.
   */
  async #copy(source: string, target: string): Promise<void> {
    const place = { Bucket: this.#bucket, Key: target }
    const from = { ...place, CopySource: encodeURI(`${this.#bucket}/${source}`) }
    const { ContentLength: size = 0 } = await this.#reader.send(
      new HeadObjectCommand({ Bucket: this.#bucket, Key: source }),
    )
    if (size <= COPIED_AT_ONCE) {
      await this.#writer.send(new CopyObjectCommand(from))
      return
    }
    const { UploadId } = await this.#writer.send(new CreateMultipartUploadCommand(place))
    const parts: CompletedPart[] = []
    for (let at = 0; at < size; at += COPIED_AT_ONCE) {
      const CopySourceRange = `bytes=${at}-${Math.min(at + COPIED_AT_ONCE, size) - 1}`
      const PartNumber = parts.length + 1
      const part = { ...from, UploadId, PartNumber, CopySourceRange }
      const { CopyPartResult } = await this.#writer.send(new UploadPartCopyCommand(part))
      parts.push({ PartNumber, ETag: CopyPartResult?.ETag })
    }
    await this.#writer.send(
      new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts: parts } }),
    )
  }

  async *list(prefix?: string): AsyncGenerator<ListedFile> {
    const below = prefix === undefined ? '' : `${prefix}/`
    const pages = paginateListObjectsV2(
      { client: this.#reader },
      { Bucket: this.#bucket, Prefix: this.#prefix + below },
    )
    for await (const { Contents = [] } of pages) {
      for (const { Key = '', Size: size = 0, LastModified } of Contents) {
        const key = Key.slice(this.#prefix.length)
        if (prefix === undefined && isInTrash(key)) continue
        yield { key, size, modifiedAt: secondsOf(LastModified) }
      }
    }
  }

  async tidy(before: number): Promise<void> {
    const found = await this.#reader.send(
      new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: this.#prefix }),
    )
    for (const { Key, UploadId, Initiated } of found.Uploads ?? []) {
      if (secondsOf(Initiated) >= before) continue
      await this.#reader.send(
        new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }),
      )
    }
  }

  async close(): Promise<void> {
    this.#reader.destroy()
    this.#writer.destroy()
  }

  /** Fails where the bucket cannot be used: better at the start than at the first upload. */
  async assertUsable(): Promise<void> {
    const command = new ListObjectsV2Command({ Bucket: this.#bucket, MaxKeys: 1 })
    await this.#reader.send(command).catch((error: unknown) => {
      throw asUnusable(error, this.#bucket)
    })
  }

  #objectOf(key: string): string {
    assertKey(key)
    return this.#prefix + key
  }
}

const MAX_ATTEMPTS = 2

/** In milliseconds. */
interface Limits {
  readonly requestTimeout?: number
  readonly throwOnRequestTimeout?: boolean
  readonly socketTimeout?: number
}

export function connectTo(storage: Config['storage'], limits: Limits = {}): S3Client {
  return new S3Client({
    region: storage.region,
    forcePathStyle: storage.path_style,
    credentials: { accessKeyId: storage.access_key, secretAccessKey: storage.secret_key },
    // Not every service knows the newer checksums; the bytes are compared by our own.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: { connectionTimeout: storage.timeout * 1000, ...limits },
    ...(storage.endpoint === '' ? {} : { endpoint: storage.endpoint }),
  })
}

function isMissing(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes((error as Error).name)
}

function secondsOf(time: Date | undefined): number {
  return Math.floor((time?.getTime() ?? 0) / 1000)
}
