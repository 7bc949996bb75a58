import { dropFiles } from '../../repositories/attachments/drop.ts'
import type { Caller, Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import { partsOf } from '../../platform/db/parts.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { holdUnmoved } from '../../repositories/repository/hold.ts'
import type { PartOfRepositories } from '../../repositories/repository/part.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { lacksSecondFactor } from '../../identity/users/second-factor.ts'
import type { OwnedByAccounts } from '../../identity/users/removal.ts'
import { announcePackages } from './webhook-events.ts'
import { packageKey, type PackageFile, type PackagePath, type PackageVersion } from './package.ts'
import {
  deleteFile,
  deleteIfEmpty,
  deletePackagesOf,
  deleteVersions,
  findFileNamed,
  findFiles,
  findVersion,
  findVersions,
  findVersionsOf,
  ownsAny,
  setRepository,
  sumSizes,
  unlinkAllFrom,
  type VersionFilter,
} from './queries.ts'

/** Of everybody, for administrators. */
export async function listAllVersions(
  ctx: Context,
  caller: Caller,
  filter: VersionFilter,
  page: Page,
): Promise<PageOf<PackageVersion>> {
  if (lacksSecondFactor(ctx, caller)) return { items: [], total: 0 }
  return listVersions(ctx, filter, page)
}

export async function listVersions(
  ctx: Context,
  filter: VersionFilter,
  page: Page,
): Promise<PageOf<PackageVersion>> {
  return findVersions(ctx.db, filter, page)
}

/** In bytes, all files of each version together, by its id. */
export async function sizesOf(
  ctx: Context,
  versions: readonly PackageVersion[],
): Promise<ReadonlyMap<number, number>> {
  return sumSizes(
    ctx.db,
    versions.map(({ id }) => id),
  )
}

/** The newest version, or the one that is named. */
export async function loadVersion(
  ctx: Context,
  path: PackagePath,
  version?: string,
): Promise<PackageVersion> {
  const found = await findVersion(ctx.db, { ...path, version })
  if (!found) throw notFound()
  return found
}

export async function filesOf(
  ctx: Context,
  { id }: PackageVersion,
): Promise<readonly PackageFile[]> {
  return findFiles(ctx.db, id)
}

export async function loadFile(
  ctx: Context,
  { id }: PackageVersion,
  name: string,
): Promise<PackageFile> {
  const file = await findFileNamed(ctx.db, id, name)
  if (!file) throw notFound()
  return file
}

/** A version goes with its files, and a package with its last version. */
export async function removeVersion(
  ctx: Context,
  caller: SignedInCaller,
  version: PackageVersion,
): Promise<void> {
  await changePackages(ctx, version.ownerId, (tx) => drop(ctx, tx, caller, [version]))
}

export async function removePackage(
  ctx: Context,
  caller: SignedInCaller,
  { ownerId, packageId }: PackageVersion,
): Promise<void> {
  await changePackages(ctx, ownerId, async (tx) => {
    const versions = await findVersionsOf(tx, packageId)
    for (const some of partsOf(versions)) await drop(ctx, tx, caller, some)
  })
}

/** A version goes with its last file. */
export async function removeFile(
  ctx: Context,
  caller: SignedInCaller,
  version: PackageVersion,
  file: PackageFile,
): Promise<void> {
  await changePackages(ctx, version.ownerId, async (tx) => {
    await dropFiles(ctx, tx, (await deleteFile(tx, file.id)).map(packageKey))
    if ((await findFiles(tx, version.id)).length === 0) await drop(ctx, tx, caller, [version])
  })
}

/** Versions of one package; of one that somebody else has removed meanwhile nothing is told. */
async function drop(
  ctx: Context,
  tx: Executor,
  { account }: SignedInCaller,
  versions: readonly PackageVersion[],
): Promise<void> {
  const { gone, uuids } = await deleteVersions(
    tx,
    versions.map(({ id }) => id),
  )
  await dropFiles(ctx, tx, uuids.map(packageKey))
  const dropped = versions.filter(({ id }) => gone.has(id))
  await announcePackages(ctx, tx, account, dropped, 'deleted')
  const [one] = dropped
  if (one) await deleteIfEmpty(tx, one.packageId)
}

/** Says from which repository a package comes, or that it comes from none. */
export async function linkPackage(
  ctx: Context,
  { packageId }: PackageVersion,
  repo: Repository | undefined,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if (repo) await holdUnmoved(ctx, tx, repo)
    if (!(await setRepository(tx, packageId, repo?.id ?? null))) throw notFound()
  })
}

/** A repository that gets another owner leaves the packages behind. */
export const packagesOfRepositories: PartOfRepositories = {
  onTransfer: (tx, { id }) => unlinkAllFrom(tx, id),
}

/** Packages of accounts that are deleted. */
export const ownedPackages: OwnedByAccounts = {
  hold: holdPackages,
  assertNone: async (tx, id) => {
    if (!(await ownsAny(tx, id))) return
    throw invalid(`user still has ownership of packages [uid: ${id}]`, {
      reason: 'still_has_packages',
    })
  },
  drop: async (ctx, tx, ownerIds) => {
    await dropFiles(ctx, tx, (await deletePackagesOf(tx, ownerIds)).map(packageKey))
  },
}

/** Until the transaction ends nobody publishes or removes packages of these accounts. */
async function holdPackages(
  ctx: Context,
  tx: Executor,
  ownerIds: readonly number[],
): Promise<void> {
  // Always in the same order, so that no two wait for each other.
  for (const id of ownerIds.toSorted((one, other) => one - other)) {
    await lock(ctx.db.dialect, tx, 'packages', id)
  }
}

/** What is published and removed of one account happens one after the other. */
export async function changePackages<T>(
  ctx: Context,
  ownerId: number,
  work: (tx: Executor) => Promise<T>,
): Promise<T> {
  const done = await ctx.db.transaction().execute(async (tx) => {
    await holdPackages(ctx, tx, [ownerId])
    return work(tx)
  })
  ctx.jobs.wake()
  return done
}
