import { randomUUID } from 'node:crypto'
import { initialFiles } from '../repository-defaults/initial-files.ts'
import { labelSet, type LabelTemplate } from '../repository-defaults/label-sets.ts'
import { assertReadmeKnown } from '../repository-defaults/readmes.ts'
import type { Config } from '../../platform/config/config.ts'
import { baseUrl } from '../../platform/config/urls.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { ObjectFormat } from '../../platform/db/columns.ts'
import type { Executor } from '../../platform/db/database.ts'
import { mayHaveCommitted } from '../../platform/db/unavailable.ts'
import { invalid } from '../../platform/errors.ts'
import { createRepositoryFolder, importFirstCommit } from '../../platform/git/create.ts'
import { repositoryFolder } from '../../platform/git/layout.ts'
import { removeFolders } from '../../platform/git/remove.ts'
import { measureObjects } from '../../platform/git/size.ts'
import type { Account } from '../../identity/users/account.ts'
import { ownerAccess } from './access.ts'
import { gitIdentity } from './identity.ts'
import { sshUrl } from './present.ts'
import { insertNew, type NewEntry } from './insert.ts'
import { assertWithinLimit } from './limit.ts'
import { assertMayCreateIn } from './may-create.ts'
import { findRepository, nameTaken } from './queries.ts'
import { assertRepositoryNameAllowed, type Repository } from './repository.ts'
import { availableUnits, newUnits } from './units.ts'
import type { RepositoryView } from './view.ts'

export interface NewRepository {
  readonly name: string
  readonly description: string
  readonly isPrivate: boolean
  readonly isTemplate: boolean
  readonly autoInit: boolean
  readonly readme: string
  readonly gitignores: string
  readonly license: string
  readonly issueLabels: string
  readonly defaultBranch: string
  readonly objectFormat: string
  readonly trustModel: string
}

/**
 * Everything is checked, then the directory is made and filled, and only then is there a row that
 * names it.
 */
export async function createRepository(
  ctx: Context,
  caller: SignedInCaller,
  owner: Account,
  wanted: NewRepository,
): Promise<RepositoryView> {
  if (wanted.autoInit) assertReadmeKnown(wanted.readme)
  await assertWithinLimit(ctx, caller, owner)
  const labels = wanted.issueLabels === '' ? [] : labelSet(wanted.issueLabels)
  const objectFormat = readObjectFormat(ctx.config, wanted.objectFormat)
  await assertNameFree(ctx, owner, wanted.name)

  return withNewFolder(ctx, async (folder, path) => {
    const size = await fillFolder(ctx, caller.account, owner, { ...wanted, objectFormat, path })
    const entry = describeNew(ctx, { ...wanted, objectFormat, folder, size }, labels)
    const recheck = (tx: Executor) => assertMayCreateIn({ db: tx }, caller, owner)
    return viewNew(ctx, owner, await insertNew(ctx, caller, owner, { ...entry, recheck }), entry)
  })
}

/** As its owner sees it: there is nothing around it yet that would have to be looked up. */
function viewNew(
  { config }: Context,
  owner: Account,
  repo: Repository,
  { units }: NewEntry,
): RepositoryView {
  return { repo, owner, units: availableUnits(config, units), topics: [], access: ownerAccess }
}

/**
 * A good name that is not taken. Another may take it meanwhile: the database decides in the end.
 */
export async function assertNameFree(ctx: Context, owner: Account, name: string): Promise<void> {
  assertRepositoryNameAllowed(name)
  if (await findRepository(ctx.db, owner.id, name)) throw nameTaken()
}

/**
 * Does `work` with the name of a new directory and its path; nothing is left there when that fails.
 */
export async function withNewFolder<T>(
  ctx: Context,
  work: (folder: string, path: string) => Promise<T>,
): Promise<T> {
  const folder = randomUUID()
  const path = repositoryFolder(ctx.config, folder)
  try {
    return await work(folder, path)
  } catch (error) {
    if (!mayHaveCommitted(error)) await removeFolders(ctx.config, folder)
    throw error
  }
}

function readObjectFormat({ repositories }: Config, text: string): ObjectFormat {
  if (text === '') return repositories.default_object_format
  if (text === 'sha1' || text === 'sha256') return text
  throw invalid(`object format ${text} is not known`)
}

type Filled = NewRepository & { readonly objectFormat: ObjectFormat; readonly path: string }

/** Comes back with the size of what it made, in bytes. */
async function fillFolder(
  ctx: Context,
  author: Account,
  owner: Account,
  wanted: Filled,
): Promise<number> {
  const { path, defaultBranch: branch, objectFormat } = wanted
  const files = wanted.autoInit ? initialFiles(describe(ctx, owner, wanted)) : []
  await createRepositoryFolder(path, { branch, objectFormat })
  if (files.length === 0) return 0
  await importFirstCommit(ctx.git, path, {
    branch,
    message: 'Initial commit\n',
    author: gitIdentity(ctx.config, author),
    at: ctx.now(),
    files,
  })
  return measureObjects(path)
}

function describe(ctx: Context, owner: Account, wanted: Filled) {
  const path = `${owner.name}/${wanted.name}`
  return {
    readme: wanted.readme,
    gitignores: wanted.gitignores,
    license: wanted.license,
    name: wanted.name,
    description: wanted.description,
    ownerName: owner.name,
    ownerEmail: gitIdentity(ctx.config, owner).email,
    cloneUrlSsh: sshUrl(ctx.config, path),
    cloneUrlHttps: `${baseUrl(ctx.config)}/${path}.git`,
    year: new Date(ctx.now() * 1000).getUTCFullYear(),
  }
}

type Described = NewRepository & {
  readonly objectFormat: ObjectFormat
  readonly folder: string
  readonly size: number
}

/** The row and what comes with it. */
function describeNew(ctx: Context, wanted: Described, labels: readonly LabelTemplate[]): NewEntry {
  const { repositories } = ctx.config
  const units = wanted.isTemplate ? repositories.default_template_units : repositories.default_units
  return {
    row: {
      name: wanted.name,
      folder: wanted.folder,
      description: wanted.description,
      is_private: wanted.isPrivate ? 1 : 0,
      is_template: wanted.isTemplate ? 1 : 0,
      is_empty: wanted.autoInit ? 0 : 1,
      branch_count: wanted.autoInit ? 1 : 0,
      git_size: wanted.size,
      default_branch: wanted.defaultBranch,
      object_format: wanted.objectFormat,
      trust_model: wanted.trustModel,
      licenses: JSON.stringify(wanted.license === '' ? [] : [wanted.license]),
    },
    units: newUnits(ctx.config, units),
    labels,
  }
}
