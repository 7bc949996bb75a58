import { randomUUID } from 'node:crypto'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { mayHaveCommitted } from '../../platform/db/unavailable.ts'
import { notFound } from '../../platform/errors.ts'
import { FileMissing } from '../../platform/storage/file-storage.ts'
import { exchangeAvatar, findAvatar, findUsed, type Pictured } from './queries.ts'

/** Where all pictures lie in the storage. */
export const AVATARS = 'avatars'

function avatarKey(name: string): string {
  return `${AVATARS}/${name.slice(0, 2)}/${name}`
}

/** The old picture goes by a job. */
export async function setAvatar(
  ctx: Context,
  of: Pictured,
  id: number,
  image: Buffer,
): Promise<void> {
  const name = await storeAvatar(ctx, image)
  await exchange(ctx, of, id, name).catch(async (error: unknown) => {
    if (!mayHaveCommitted(error)) await ctx.files.remove(avatarKey(name))
    throw error
  })
}

export async function removeAvatar(ctx: Context, of: Pictured, id: number): Promise<void> {
  await exchange(ctx, of, id, '')
}

/** Its name is random, and says nothing of whose it is. */
async function storeAvatar(ctx: Context, image: Buffer): Promise<string> {
  const name = randomUUID()
  const bytes = async function* () {
    yield image
  }
  await ctx.files.put(avatarKey(name), bytes())
  return name
}

async function exchange(ctx: Context, of: Pictured, id: number, name: string): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'avatars', id)
    const before = await exchangeAvatar(tx, of, id, name)
    if (before === undefined) throw notFound()
    await dropAvatar(ctx, tx, before)
  })
  ctx.jobs.wake()
}

/** For whoever deletes what has a picture, in the same transaction. */
export async function dropAvatar(ctx: Context, tx: Executor, name: string): Promise<void> {
  if (name !== '') await ctx.jobs.enqueue(tx, 'remove_files', { keys: [avatarKey(name)] })
}

/** A picture of its own with the same bytes; empty when there is none to copy. */
export async function copyAvatar(ctx: Context, repositoryId: number): Promise<string> {
  const name = await findAvatar(ctx.db, 'repository', repositoryId)
  const image = name === undefined ? undefined : await readAvatar(ctx, name)
  return image ? storeAvatar(ctx, image) : ''
}

/** Pictures are small enough to be read at once. */
async function readAvatar(ctx: Context, name: string): Promise<Buffer | undefined> {
  try {
    return Buffer.concat((await Array.fromAsync(await ctx.files.open(avatarKey(name)))) as Buffer[])
  } catch (error) {
    if (error instanceof FileMissing) return undefined
    throw error
  }
}

/** The picture of this name, if something of that kind has it. */
export async function loadAvatar(
  ctx: Context,
  of: Pictured,
  name: string,
): Promise<Buffer | undefined> {
  const used = await findUsed(ctx.db, [name], [of])
  return used.has(name) ? readAvatar(ctx, name) : undefined
}
