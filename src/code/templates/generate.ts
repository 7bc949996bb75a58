import { reaches } from '../../platform/access-level.ts'
import { copyAvatar } from '../../repositories/avatars/change.ts'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { copyFiles, type CopiedFile } from '../../platform/git/copy-files.ts'
import { createRepositoryFolder } from '../../platform/git/create.ts'
import { measureObjects } from '../../platform/git/size.ts'
import { copyLabels } from '../../repositories/labels/copy.ts'
import { copyLfsObjects } from '../lfs/copy.ts'
import { copyBranchRules } from '../protection/copy.ts'
import { assertNameFree, withNewFolder } from '../../repositories/repository/create.ts'
import { folderOf } from '../../repositories/repository/folder.ts'
import { assertWithinLimit } from '../../repositories/repository/limit.ts'
import { gitIdentity } from '../../repositories/repository/identity.ts'
import { insertNew } from '../../repositories/repository/insert.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { newUnits } from '../../repositories/repository/units.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { copyWebhooks } from '../../events/webhooks/copy.ts'
import { copyTopics } from '../../repositories/topics/topics.ts'
import type { Account } from '../../identity/users/account.ts'
import { parseInputs, resolveInputs, type TemplateInput } from './inputs.ts'
import { planFiles, readInputsFile, readTemplateTree } from './plan.ts'
import { findTemplateRow } from './queries.ts'
import { viewAgain } from './rights.ts'
import { builtInVariables, type Variables } from './variables.ts'

export interface Generation {
  readonly owner: Account
  readonly name: string
  readonly description: string
  readonly isPrivate: boolean
  /** Empty when nothing was asked for. */
  readonly defaultBranch: string
  readonly items: Items
  readonly variables: Readonly<Record<string, unknown>>
}

/**
 * What of the template is copied. Git hooks of repositories are never run here, so there are none
 * to copy.
 */
interface Items {
  readonly content: boolean
  readonly topics: boolean
  readonly labels: boolean
  readonly branchRules: boolean
  readonly webhooks: boolean
  readonly avatar: boolean
}

/** What a generation makes. */
export interface Plan {
  readonly branch: string
  /** Absent when the new repository begins empty. */
  readonly files: readonly CopiedFile[] | undefined
}

/** Everything that can be refused is refused here; nothing has been made yet. */
export async function planGeneration(
  ctx: Context,
  caller: SignedInCaller,
  template: RepositoryView,
  wanted: Generation,
): Promise<Plan> {
  await assertWithinLimit(ctx, caller, wanted.owner)
  await assertNameFree(ctx, wanted.owner, wanted.name)
  const standard = ctx.config.repositories.default_branch
  const files = wanted.items.content
    ? await whileThere(ctx, template.repo, () => planContent(ctx, template, wanted))
    : undefined
  const inherited = files ? template.repo.defaultBranch : ''
  return { branch: wanted.defaultBranch || inherited || standard, files }
}

async function planContent(
  ctx: Context,
  template: RepositoryView,
  wanted: Generation,
): Promise<readonly CopiedFile[] | undefined> {
  const tree = await readTemplateTree(ctx, template.repo)
  if (!tree) return undefined
  const inputs = await parseDeclared(tree.inputs)
  const variables = variablesFor(ctx, template, wanted, inputs)
  return planFiles(ctx, template.repo, tree, variables)
}

/**
 * A template that is deleted meanwhile takes its objects with it: what fails then fails for that
 * reason.
 */
async function whileThere<T>(
  ctx: Context,
  template: Repository,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AppError || (await findTemplateRow(ctx.db, template.id))) throw error
    throw notFound()
  }
}

/** Copies, then makes the row; whatever fails, nothing is left. */
export async function generateRepository(
  ctx: Context,
  caller: SignedInCaller,
  template: RepositoryView,
  wanted: Generation,
  plan: Plan,
): Promise<Repository> {
  const origin = await findTemplateRow(ctx.db, template.repo.id)
  if (!origin) throw notFound()
  let now = template
  return withNewFolder(ctx, async (folder, path) => {
    const format = origin.object_format
    await createRepositoryFolder(path, { branch: plan.branch, objectFormat: format })
    const size = await copyContent(ctx, template.repo, wanted.owner, plan, path)
    const avatar = wanted.items.avatar ? await copyAvatar(ctx, template.repo.id) : ''
    return insertNew(ctx, caller, wanted.owner, {
      row: {
        name: wanted.name,
        folder,
        description: wanted.description,
        is_private: wanted.isPrivate ? 1 : 0,
        is_empty: plan.files ? 0 : 1,
        branch_count: plan.files ? 1 : 0,
        git_size: size,
        default_branch: plan.branch,
        object_format: format,
        trust_model: origin.trust_model,
        avatar,
      },
      units: newUnits(ctx.config, ctx.config.repositories.default_units),
      labels: [],
      recheck: async (tx) => {
        now = await viewAgain(ctx, tx, caller, template.repo, wanted.owner)
      },
      also: (tx, repo) => copyItems(ctx, tx, now, repo, wanted.items),
    })
  })
}

/** How much it takes on disk. */
async function copyContent(
  ctx: Context,
  template: Repository,
  owner: Account,
  { branch, files }: Plan,
  path: string,
): Promise<number> {
  if (!files) return 0
  const commit = {
    branch,
    message: 'Initial commit\n',
    author: gitIdentity(ctx.config, owner),
    at: ctx.now(),
    files,
  }
  await whileThere(ctx, template, () => copyFiles(ctx.git, folderOf(ctx, template), path, commit))
  return measureObjects(path)
}

async function copyItems(
  ctx: Context,
  tx: Executor,
  { repo: template, access }: RepositoryView,
  repo: Repository,
  items: Items,
): Promise<void> {
  if (items.content) await copyLfsObjects(ctx, tx, template.id, repo.id)
  if (items.topics) await copyTopics(ctx, tx, template.id, repo.id)
  if (items.labels) await copyLabels(tx, template.id, repo.id)
  if (items.branchRules) await copyBranchRules(tx, template.id, repo, ctx.now())
  // Who does not administer the template has no business with where it sends its news.
  const mayCopyWebhooks = reaches(access.level, 'admin')
  if (items.webhooks && mayCopyWebhooks) await copyWebhooks(ctx, tx, template.id, repo.id)
}

/** What a template asks whoever uses it. */
export async function loadInputs(
  ctx: Context,
  { repo }: RepositoryView,
): Promise<readonly TemplateInput[]> {
  return parseDeclared(await readInputsFile(ctx, repo))
}

async function parseDeclared(text: string | undefined): Promise<readonly TemplateInput[]> {
  return text === undefined ? [] : parseInputs(text)
}

function variablesFor(
  ctx: Context,
  { owner, repo }: RepositoryView,
  wanted: Generation,
  inputs: readonly TemplateInput[],
): Variables {
  const made = { owner: wanted.owner.name, name: wanted.name, description: wanted.description }
  const template = { owner: owner.name, name: repo.name, description: repo.description }
  return new Map([
    ...resolveInputs(inputs, wanted.variables),
    ...builtInVariables(ctx.config, ctx.now(), made, template),
  ])
}
