import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  ListMultipartUploadsCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { Config } from '../config/config.ts'
import {
  assertKey,
  FileMissing,
  type ByteRange,
  type FileStorage,
  type ListedFile,
  type StoredFile,
} from './file-storage.ts'
import { Measure } from './measure.ts'

/** What is sent at once, and kept in memory until it is. */
const PART_BYTES = 8 * 1024 * 1024
const PARTS_AT_ONCE = 2

/** One object for each key in a bucket of an S3-compatible service. */
export class S3Storage implements FileStorage {
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string

  constructor({ storage }: Config) {
    this.#bucket = storage.bucket
    this.#prefix = storage.prefix
    this.#client = new S3Client({
      region: storage.region,
      forcePathStyle: storage.path_style,
      credentials: { accessKeyId: storage.access_key, secretAccessKey: storage.secret_key },
      // Not every service knows the newer checksums; the bytes are compared by our own.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      ...(storage.endpoint === '' ? {} : { endpoint: storage.endpoint }),
    })
  }

  async put(key: string, content: AsyncIterable<Uint8Array>): Promise<StoredFile> {
    const measure = new Measure()
    const body = Readable.from(measure.of(content), { objectMode: false })
    const upload = new Upload({
      client: this.#client,
      params: { Bucket: this.#bucket, Key: this.#objectOf(key), Body: body },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    })
    try {
      await upload.done()
    } catch (error) {
      body.destroy()
      await upload.abort().catch(() => undefined)
      throw body.errored ?? error
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
    const { Body } = await this.#client.send(command).catch((error: unknown) => {
      throw isMissing(error) ? new FileMissing(key, { cause: error }) : error
    })
    return Body as Readable
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(
      new DeleteObjectCommand({ Bucket: this.#bucket, Key: this.#objectOf(key) }),
    )
  }

  async *list(prefix?: string): AsyncGenerator<ListedFile> {
    const below = prefix === undefined ? '' : `${prefix}/`
    const pages = paginateListObjectsV2(
      { client: this.#client },
      { Bucket: this.#bucket, Prefix: this.#prefix + below },
    )
    for await (const { Contents = [] } of pages) {
      for (const { Key = '', Size: size = 0, LastModified } of Contents) {
        yield { key: Key.slice(this.#prefix.length), size, modifiedAt: secondsOf(LastModified) }
      }
    }
  }

  async tidy(before: number): Promise<void> {
    const found = await this.#client.send(
      new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: this.#prefix }),
    )
    for (const { Key, UploadId, Initiated } of found.Uploads ?? []) {
      if (secondsOf(Initiated) >= before) continue
      await this.#client.send(
        new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }),
      )
    }
  }

  async close(): Promise<void> {
    this.#client.destroy()
  }

  /** Fails where the bucket cannot be used: better at the start than at the first upload. */
  async assertUsable(): Promise<void> {
    await this.#client.send(new ListObjectsV2Command({ Bucket: this.#bucket, MaxKeys: 1 }))
  }

  #objectOf(key: string): string {
    assertKey(key)
    return this.#prefix + key
  }
}

function isMissing(error: unknown): boolean {
  return (error as Error).name === 'NoSuchKey'
}

function secondsOf(time: Date | undefined): number {
  return Math.floor((time?.getTime() ?? 0) / 1000)
}
