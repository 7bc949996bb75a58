import { anonymous, type Caller, type Context } from '../../platform/context.ts'
import { MissingParent } from '../../platform/db/missing-parent.ts'
import { AppError } from '../../platform/errors.ts'
import { canFetch } from '../pushes/access.ts'
import { assertWithinQuota, findRoom } from '../../repositories/repository/quota.ts'
import { isVisible, repositoriesById } from '../../repositories/repository/load.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { viewRepositories, type RepositoryView } from '../../repositories/repository/view.ts'
import { isPointer, sizeOf, type Pointer } from './object.ts'
import { findHolders, findObjects, insertObjects, type Holder } from './queries.ts'

export type Operation = 'download' | 'upload'

type Problem = 'missing' | 'invalid' | 'no_room'

/** What is to become of one object of a batch. */
export type Planned =
  | { readonly pointer: Pointer; readonly next: Operation | 'nothing' }
  | { readonly pointer: Pointer; readonly problem: Problem; readonly message: string }

/** Repositories that are looked at for objects which the caller might have there. */
const MAX_HOLDERS = 200

export async function planBatch(
  ctx: Context,
  caller: Caller,
  view: RepositoryView,
  operation: Operation,
  pointers: readonly Pointer[],
): Promise<readonly Planned[]> {
  const { max_batch_size } = ctx.config.lfs
  if (max_batch_size > 0 && pointers.length > max_batch_size) {
    throw new AppError(
      'too_large',
      `No more than ${max_batch_size} objects can be asked for at once`,
    )
  }
  const oids = pointers.filter(isPointer).map(({ oid }) => oid)
  const here = new Map(await findObjects(ctx.db, view.repo.id, oids))
  if (operation === 'upload') {
    for (const { oid, size } of await claimReadable(ctx, caller, view, pointers, here)) {
      here.set(oid, size)
    }
  }
  const planned = pointers.map((pointer) => planOne(ctx, operation, pointer, here))
  return operation === 'upload'
    ? withinRoom(planned, await findRoom(ctx, ctx.db, view.repo))
    : planned
}

/** Of what is to be uploaded, as much as the quota has room for. */
function withinRoom(planned: readonly Planned[], room: number): readonly Planned[] {
  const counted = new Set<string>()
  let left = room
  return planned.map((one) => {
    const { pointer } = one
    if ('problem' in one || one.next !== 'upload' || counted.has(pointer.oid)) return one
    if (pointer.size > left) return { pointer, problem: 'no_room', message: 'quota exceeded' }
    counted.add(pointer.oid)
    left -= pointer.size
    return one
  })
}

function planOne(
  { config }: Context,
  operation: Operation,
  pointer: Pointer,
  here: ReadonlyMap<string, number>,
): Planned {
  const { oid, size } = pointer
  const problem = (kind: Problem, message: string) => ({ pointer, problem: kind, message }) as const
  if (!isPointer(pointer)) return problem('invalid', 'Oid or size are invalid')
  const known = here.get(oid)
  if (known !== undefined && known !== size) {
    return problem('invalid', `Object ${oid} is not ${size} bytes`)
  }
  if (known !== undefined)
    return { pointer, next: operation === 'download' ? 'download' : 'nothing' }
  if (operation === 'download') return problem('missing', 'Not Found')
  const { max_file_size: limit } = config.lfs
  if (limit > 0 && size > limit) {
    return problem('invalid', `Size must be less than or equal to ${limit}`)
  }
  return { pointer, next: 'upload' }
}

/**
 * What the caller could download elsewhere need not be sent again: it is linked at once. To know
 * the name of an object is not enough, so all others have to bring the bytes.
 */
async function claimReadable(
  ctx: Context,
  caller: Caller,
  { repo }: RepositoryView,
  pointers: readonly Pointer[],
  here: ReadonlyMap<string, number>,
): Promise<readonly Pointer[]> {
  const absent = new Map(
    pointers
      .filter((one) => isPointer(one) && !here.has(one.oid))
      .map((one) => [one.oid, one.size]),
  )
  const holders = await findHolders(ctx.db, [...absent.keys()], MAX_HOLDERS)
  const ofSize = holders.filter(({ oid, size }) => absent.get(oid) === size)
  // The key of a repository opens no other.
  const reader = caller.credential.kind === 'deploy-key' ? anonymous : caller
  const claimed = await readable(ctx, reader, ofSize)
  return (await link(ctx, repo, claimed)) ? claimed : []
}

async function readable(
  ctx: Context,
  caller: Caller,
  holders: readonly Holder[],
): Promise<readonly Pointer[]> {
  if (holders.length === 0) return []
  const repos = await repositoriesById(
    ctx.db,
    holders.map(({ repositoryId }) => repositoryId),
  )
  const views = await viewRepositories(ctx, caller, [...repos.values()])
  const open = new Set(
    views
      .filter((view) => isVisible(ctx, caller, view) && canFetch(view, 'code'))
      .map(({ repo }) => repo.id),
  )
  const found = holders.filter(({ repositoryId }) => open.has(repositoryId))
  return [...new Map(found.map(({ oid, size }) => [oid, { oid, size }])).values()]
}

/**
 * False without room, and when the last that had one of them has gone in this moment: then the
 * bytes have to come.
 */
async function link(
  ctx: Context,
  repo: Repository,
  pointers: readonly Pointer[],
): Promise<boolean> {
  if (pointers.length === 0) return true
  try {
    await ctx.db.transaction().execute(async (tx) => {
      await assertWithinQuota(ctx, tx, repo, sizeOf(pointers))
      await insertObjects(tx, repo.id, pointers, ctx.now())
    })
    return true
  } catch (error) {
    const hasNoRoom = error instanceof AppError && error.code === 'too_large'
    if (hasNoRoom || error instanceof MissingParent) return false
    throw error
  }
}
