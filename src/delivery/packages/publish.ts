import { createHash, randomUUID } from 'node:crypto'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { mayHaveCommitted } from '../../platform/db/unavailable.ts'
import { AppError } from '../../platform/errors.ts'
import { assertWithinQuota, findRoom } from '../../repositories/repository/quota.ts'
import { keepPace, limitBytes, type Bytes } from '../../platform/storage/bytes.ts'
import { asAppError } from '../../platform/storage/upload-error.ts'
import type { Account } from '../../identity/users/account.ts'
import { announcePackages } from './webhook-events.ts'
import {
  assertFileName,
  assertPackageName,
  assertVersion,
  GENERIC,
  packageKey,
  type PackagePath,
} from './package.ts'
import { changePackages } from './packages.ts'
import { ensurePackage, ensureVersion, findFileNamed, findVersion, insertFile } from './queries.ts'

/** Where a file goes. */
export interface FilePath {
  readonly name: string
  readonly version: string
  readonly file: string
}

export interface Publishing {
  readonly content: Bytes
  /** What the client says, 0 where it does not. */
  readonly declaredBytes: number
  /** Who publishes and for whom, asked again when the bytes have arrived. */
  readonly recheck: () => Promise<{ readonly caller: SignedInCaller; readonly owner: Account }>
}

/**
 * Adds a file to a version, which is made with its first one. The bytes are stored before anything
 * is recorded, and are gone again where nothing is.
 */
export async function publishFile(
  ctx: Context,
  owner: Account,
  path: FilePath,
  { content, declaredBytes, recheck }: Publishing,
): Promise<void> {
  assertPackageName(path.name)
  assertVersion(path.version)
  assertFileName(path.file)
  await assertNotThere(ctx, owner, path)
  const limit = await limitFor(ctx, owner)
  if (declaredBytes > limit) throw tooLarge(limit)
  await ctx.room.assertLeft()
  const stored = await store(ctx, content, limit)
  let isKept = false
  try {
    await record(ctx, await recheck(), path, stored)
    isKept = true
  } catch (error) {
    isKept = mayHaveCommitted(error)
    throw error
  } finally {
    if (!isKept) await ctx.files.remove(packageKey(stored.uuid))
  }
}

async function assertNotThere(
  ctx: Context,
  { id }: Account,
  { name, version, file }: FilePath,
): Promise<void> {
  const found = await findVersion(ctx.db, { ownerId: id, type: GENERIC, name, version })
  if (found && (await findFileNamed(ctx.db, found.id, file))) throw alreadyThere()
}

function alreadyThere(): AppError {
  return new AppError('conflict', 'package file already exists')
}

/**
 * The largest file that is read at all; whether it fits then is counted once more when it is
 * recorded.
 */
async function limitFor(ctx: Context, { id }: Account): Promise<number> {
  const room = await findRoom(ctx, ctx.db, { ownerId: id })
  return Math.min(ctx.config.packages.max_file_size || Infinity, room)
}

function tooLarge(limit: number): AppError {
  return new AppError('too_large', `package file exceeds limit ${limit}`)
}

type StoredPackage = Awaited<ReturnType<typeof store>>

async function store(ctx: Context, content: Bytes, limit: number) {
  const uuid = randomUUID()
  const [md5, sha1, sha512] = ['md5', 'sha1', 'sha512'].map((name) => createHash(name))
  const watched = async function* () {
    for await (const chunk of limitBytes(keepPace(content), limit)) {
      for (const hash of [md5, sha1, sha512]) hash?.update(chunk)
      yield chunk
    }
  }
  const stored = await ctx.files.put(packageKey(uuid), watched()).catch((error: unknown) => {
    throw asAppError(error, codes)
  })
  const hex = (hash: typeof md5) => hash?.digest('hex') ?? ''
  return { uuid, ...stored, md5: hex(md5), sha1: hex(sha1), sha512: hex(sha512) }
}

const codes = {
  no_file: 'bad_request',
  no_name: 'bad_request',
  forbidden_type: 'bad_request',
  too_large: 'too_large',
  too_slow: 'too_slow',
  wrong_digest: 'bad_request',
  storage_full: 'insufficient_storage',
  storage_failed: 'upload_failed',
} as const

async function record(
  ctx: Context,
  { caller, owner }: { readonly caller: SignedInCaller; readonly owner: Account },
  path: FilePath,
  stored: StoredPackage,
): Promise<void> {
  await changePackages(ctx, owner.id, async (tx) => {
    await assertWithinQuota(ctx, tx, { ownerId: owner.id }, stored.size)
    if (!(await insert(ctx, tx, caller, owner, path, stored))) throw alreadyThere()
  })
}

async function insert(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  { id }: Account,
  { name, version, file }: FilePath,
  stored: StoredPackage,
): Promise<boolean> {
  const path = { ownerId: id, type: GENERIC, name, version }
  const known = await findVersion(tx, path)
  const versionId = known?.id ?? (await insertVersion(ctx, tx, account, path))
  const isNew = await insertFile(tx, {
    ...stored,
    version_id: versionId,
    name: file,
    lower_name: file.toLowerCase(),
    created_at: ctx.now(),
  })
  const made = known ? undefined : await findVersion(tx, path)
  if (made) await announcePackages(ctx, tx, account, [made], 'created')
  return isNew
}

async function insertVersion(
  ctx: Context,
  tx: Executor,
  account: Account,
  { version, ...path }: PackagePath & { readonly version: string },
): Promise<number> {
  return ensureVersion(tx, {
    package_id: await ensurePackage(tx, path),
    creator_id: account.id,
    version,
    created_at: ctx.now(),
  })
}
