import { randomUUID } from 'node:crypto'
import { recordActivity } from '../activity/record.ts'
import { initialFiles } from '../catalogue/initial-files.ts'
import { labelSet, type LabelTemplate } from '../catalogue/label-sets.ts'
import { assertReadmeKnown } from '../catalogue/readmes.ts'
import type { Config } from '../config/config.ts'
import { baseUrl } from '../config/urls.ts'
import { isSiteAdmin, type Context, type SignedInCaller } from '../context.ts'
import type { Executor } from '../db/database.ts'
import type { ObjectFormat } from '../db/schema.ts'
import { forbidden, invalid } from '../errors.ts'
import { createRepositoryFolder, importFirstCommit, removeRepositoryFolder } from '../git/create.ts'
import { repositoryFolder } from '../git/layout.ts'
import type { Account } from '../users/account.ts'
import { gitIdentity } from './identity.ts'
import { sshUrl } from './present.ts'
import {
  countRepositories,
  findRepository,
  findRepositoryById,
  findTeamAccess,
  findWatchingMembers,
  insertCollaboration,
  insertLabels,
  insertRepository,
  insertUnits,
  insertWatches,
  nameTaken,
} from './queries.ts'
import { reaches } from './access.ts'
import { assertRepositoryNameAllowed, type Repository } from './repository.ts'
import { newUnits } from './units.ts'

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

/** Everything is checked, then the directory is made and filled, and only then is there a row that names it. */
export async function createRepository(
  ctx: Context,
  caller: SignedInCaller,
  owner: Account,
  wanted: NewRepository,
): Promise<Repository> {
  if (wanted.autoInit) assertReadmeKnown(wanted.readme)
  await assertWithinLimit(ctx, caller, owner)
  const labels = wanted.issueLabels === '' ? [] : labelSet(wanted.issueLabels)
  const objectFormat = readObjectFormat(ctx.config, wanted.objectFormat)
  assertRepositoryNameAllowed(wanted.name)
  if (await findRepository(ctx.db, owner.id, wanted.name)) throw nameTaken()

  const folder = randomUUID()
  const path = repositoryFolder(ctx.config, folder)
  try {
    await fillFolder(ctx, caller.account, owner, { ...wanted, objectFormat, path })
    return await ctx.db
      .transaction()
      .execute((tx) =>
        insertAll(ctx, tx, caller, owner, { ...wanted, objectFormat, folder, labels }),
      )
  } catch (error) {
    await removeRepositoryFolder(path)
    throw error
  }
}

/** Zero means none; what the account itself says comes before the server's setting. */
async function assertWithinLimit(
  ctx: Context,
  caller: SignedInCaller,
  owner: Account,
): Promise<void> {
  if (isSiteAdmin(caller)) return
  const { max_per_user, max_per_organization } = ctx.config.repositories
  const general = owner.kind === 'organization' ? max_per_organization : max_per_user
  const limit = owner.maxRepoCreation === -1 ? general : owner.maxRepoCreation
  if (limit === -1 || (await countRepositories(ctx.db, owner.id)) < limit) return
  throw forbidden(
    `user has reached maximum limit of repositories [limit: ${owner.maxRepoCreation}]`,
  )
}

function readObjectFormat({ repositories }: Config, text: string): ObjectFormat {
  if (text === '') return repositories.default_object_format
  if (text === 'sha1' || text === 'sha256') return text
  throw invalid(`object format ${text} is not known`)
}

type Filled = NewRepository & { readonly objectFormat: ObjectFormat; readonly path: string }

async function fillFolder(
  ctx: Context,
  author: Account,
  owner: Account,
  wanted: Filled,
): Promise<void> {
  const { path, defaultBranch: branch, objectFormat } = wanted
  const files = wanted.autoInit ? initialFiles(describe(ctx, owner, wanted)) : []
  await createRepositoryFolder(path, { branch, objectFormat })
  if (files.length === 0) return
  await importFirstCommit(ctx.git, path, {
    branch,
    message: 'Initial commit\n',
    author: gitIdentity(ctx.config, author),
    at: ctx.now(),
    files,
  })
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

type Inserted = NewRepository & {
  readonly objectFormat: ObjectFormat
  readonly folder: string
  readonly labels: readonly LabelTemplate[]
}

async function insertAll(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  owner: Account,
  wanted: Inserted,
): Promise<Repository> {
  const now = ctx.now()
  const { repositories } = ctx.config
  const repo = await insertRepository(tx, {
    owner_id: owner.id,
    name: wanted.name,
    lower_name: wanted.name.toLowerCase(),
    folder: wanted.folder,
    description: wanted.description,
    is_private: wanted.isPrivate ? 1 : 0,
    is_template: wanted.isTemplate ? 1 : 0,
    is_empty: wanted.autoInit ? 0 : 1,
    branch_count: wanted.autoInit ? 1 : 0,
    default_branch: wanted.defaultBranch,
    object_format: wanted.objectFormat,
    trust_model: wanted.trustModel,
    licenses: JSON.stringify(wanted.license === '' ? [] : [wanted.license]),
    created_at: now,
    updated_at: now,
  })
  const units = wanted.isTemplate ? repositories.default_template_units : repositories.default_units
  await insertUnits(tx, repo.id, newUnits(ctx.config, units))
  await insertLabels(
    tx,
    wanted.labels.map((label) => labelRow(repo.id, label)),
  )
  await admitCreator(tx, caller, owner, repo, now)
  await insertWatches(tx, repo.id, await watchersOf(ctx, tx, caller, owner), now)
  await recordActivity(tx, {
    repositoryId: repo.id,
    accountId: caller.account.id,
    kind: 'create_repo',
    isPrivate: repo.isPrivate,
    at: now,
  })
  return (await findRepositoryById(tx, repo.id)) ?? repo
}

function labelRow(repositoryId: number, label: LabelTemplate) {
  return {
    repository_id: repositoryId,
    org_id: null,
    name: label.name,
    color: label.color,
    description: label.description,
    exclusive: label.exclusive ? (1 as const) : (0 as const),
    exclusive_order: label.exclusiveOrder,
  }
}

/** Who may create in an organization without administrating there administrates at least what they created. */
async function admitCreator(
  tx: Executor,
  caller: SignedInCaller,
  owner: Account,
  repo: Repository,
  now: number,
): Promise<void> {
  if (owner.kind !== 'organization' || isSiteAdmin(caller)) return
  const teams = await findTeamAccess(tx, [repo.id], caller.account.id)
  if (teams.some(({ level }) => reaches(level, 'admin'))) return
  await insertCollaboration(tx, {
    repository_id: repo.id,
    account_id: caller.account.id,
    access: 'admin',
    created_at: now,
  })
}

async function watchersOf(
  ctx: Context,
  tx: Executor,
  caller: SignedInCaller,
  owner: Account,
): Promise<readonly number[]> {
  if (!ctx.config.repositories.auto_watch) return []
  const members = owner.kind === 'organization' ? await findWatchingMembers(tx, owner.id) : []
  return [...new Set([caller.account.id, ...members])]
}
