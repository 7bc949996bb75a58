import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../../platform/make-folder.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { removeRepositoryFolder } from '../../platform/git/create.ts'
import { takeForeign } from '../../platform/git/foreign.ts'
import { repositoryFolder, wikiFolder } from '../../platform/git/layout.ts'
import type { RemoteOptions } from '../../platform/git/remote.ts'
import { GitError } from '../../platform/git/run.ts'
import { cloneInto, type Cloned } from '../mirrors/clone.ts'
import { complaintOf, limitsOf } from '../mirrors/limits.ts'
import { inTurn } from '../mirrors/slots.ts'
import { assertNameFree, withNewFolder } from '../../repositories/repository/create.ts'
import { insertNew, type NewEntry } from '../../repositories/repository/insert.ts'
import { assertWithinLimit } from '../../repositories/repository/limit.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { newUnits } from '../../repositories/repository/units.ts'
import { isStorageFull } from '../../platform/storage/disk-room.ts'
import type { Account } from '../../identity/users/account.ts'
import { findWikiOf, type Found } from './found.ts'

/**
 * Makes a private repository of what was found; that goes once it is there, and stays where it is
 * when it fails.
 */
export async function adoptRepository(
  ctx: Context,
  caller: SignedInCaller,
  owner: Account,
  found: Found,
  signal: AbortSignal,
): Promise<Repository> {
  await assertWithinLimit(ctx, caller, owner)
  await assertNameFree(ctx, owner, found.name)
  const repo = await inTurn(ctx, signal, () => bring(ctx, caller, owner, found, signal))
  await removeFound(ctx, found)
  return repo
}

async function bring(
  ctx: Context,
  caller: SignedInCaller,
  owner: Account,
  found: Found,
  signal: AbortSignal,
): Promise<Repository> {
  return withNewFolder(ctx, async (folder, path) => {
    // What an administrator has put there is as large as it is.
    const limits = { ...limitsOf(ctx, signal), maxBytes: 0 }
    const cloned = await cloneFound(ctx, found.path, path, limits)
    const wiki = await findWikiOf(found)
    if (wiki !== undefined) await cloneWiki(ctx, wiki, { ...cloned, folder }, limits)
    return insertNew(ctx, caller, owner, {
      ...describeNew(ctx, found, { ...cloned, folder }),
      also: (tx, { id }) => ctx.jobs.enqueue(tx, 'measure_repository', { id }),
    })
  })
}

/**
 * By way of a folder with settings of ours, from which git fetches as from anywhere: each object is
 * checked.
 */
async function cloneFound(
  ctx: Context,
  from: string,
  to: string,
  limits: RemoteOptions,
): Promise<Cloned> {
  const draft = repositoryFolder(ctx.config, randomUUID())
  try {
    await takeForeign(from, draft, { branch: ctx.config.repositories.default_branch })
    const remote = { url: draft, isLocal: true, pin: undefined, username: '', password: '' }
    return await cloneInto(ctx, to, remote, limits)
  } catch (error) {
    // Somebody else has adopted or deleted it meanwhile.
    if (!existsSync(from)) throw notFound()
    if (!(error instanceof GitError) || isStorageFull(error)) throw error
    throw invalid(`it cannot be adopted: ${complaintOf(error)}`, { cause: error })
  } finally {
    await removeRepositoryFolder(draft)
  }
}

async function cloneWiki(
  ctx: Context,
  from: string,
  { folder, objectFormat }: Cloned & { readonly folder: string },
  limits: RemoteOptions,
): Promise<void> {
  const wiki = await cloneFound(ctx, from, wikiFolder(ctx.config, folder), limits)
  if (wiki.branchCount === 0) await removeRepositoryFolder(wikiFolder(ctx.config, folder))
  else if (wiki.objectFormat !== objectFormat) throw invalid('its wiki has another object format')
}

function describeNew(
  { config }: Context,
  { name }: Found,
  { folder, size, branchCount, defaultBranch, objectFormat }: Cloned & { readonly folder: string },
): NewEntry {
  return {
    row: {
      name,
      folder,
      is_private: 1,
      is_empty: branchCount === 0 ? 1 : 0,
      branch_count: branchCount,
      git_size: size,
      default_branch: defaultBranch,
      object_format: objectFormat,
    },
    units: newUnits(config, config.repositories.default_units),
    labels: [],
  }
}

/**
 * At once, with its wiki: what is left of it when the server ends meanwhile is swept with other
 * stray folders.
 */
export async function removeFound(ctx: Context, found: Found): Promise<void> {
  const wiki = await findWikiOf(found)
  for (const path of wiki === undefined ? [found.path] : [wiki, found.path]) {
    const stray = repositoryFolder(ctx.config, randomUUID())
    await makeFolder(dirname(stray))
    const isMoved = await rename(path, stray).then(
      () => true,
      () => false,
    )
    await removeRepositoryFolder(isMoved ? stray : path)
  }
}
