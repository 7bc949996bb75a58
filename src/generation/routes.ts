import type { Static } from 'typebox'
import { isSiteAdmin, type Context, type SignedInCaller } from '../context.ts'
import { AppError, forbidden, invalid, Moved } from '../errors.ts'
import { created, ok } from '../http/answer.ts'
import type { Api } from '../http/api.ts'
import { assertReads } from '../repositories/load.ts'
import { mayCreateFor } from '../repositories/may-create.ts'
import { presentRepository } from '../repositories/present.ts'
import { loadCode, loadOfPath } from '../repositories/routes.ts'
import { asOwner, viewRepository, type RepositoryView } from '../repositories/view.ts'
import type { Account } from '../users/account.ts'
import { loadVisibleAccount } from '../users/load.ts'
import {
  generateRepository,
  loadInputs,
  planGeneration,
  type Generation,
  type Plan,
} from './generate.ts'
import type { TemplateInput } from './inputs.ts'
import { toText } from './plan.ts'
import { assertTemplate, mayNotCreate } from './rights.ts'
import {
  generateRepo,
  GenerateRepoOption,
  repoGetTemplate,
  type GeneratedFilesBody,
  type TemplateBody,
} from './schema.ts'

export function generationRoutes(api: Api, ctx: Context): void {
  api.post('/repos/:owner/:repo/generate', generateRepo, async (call) => {
    const template = await loadOfPath(ctx, call)
    const caller = call.signedIn()
    assertReads(template, 'repo.code')
    const body = await call.body(GenerateRepoOption)
    assertMayGenerate(caller, template, body)
    const owner = await findOwner(ctx, caller, body.owner ?? '')
    if (!owner) return unknownOwner(body.owner ?? '')
    await assertMayGenerateFor(ctx, caller, owner)
    const wanted = readWanted(ctx, owner, body)
    const plan = await planGeneration(ctx, caller, template, wanted)
    if (call.query.boolean('dry_run')) return ok(presentPlan(plan))
    const repo = await generateRepository(ctx, caller, template, wanted, plan)
    const view = asOwner(await viewRepository(ctx, caller, repo))
    return created(presentRepository(ctx.config, view))
  })

  api.get('/repos/:owner/:repo/template', repoGetTemplate, async (call) => {
    const template = await loadCode(ctx, call)
    assertTemplate(template)
    return ok({ inputs: (await loadInputs(ctx, template)).map(presentInput) })
  })
}

type Body = Static<typeof GenerateRepoOption>

function assertMayGenerate(caller: SignedInCaller, template: RepositoryView, body: Body): void {
  assertTemplate(template)
  if (caller.account.kind === 'organization') {
    throw invalid('not allowed creating repository for organization')
  }
  const { git_content, topics, git_hooks, webhooks, avatar, labels, protected_branch } = body
  const items = [git_content, topics, git_hooks, webhooks, avatar, labels, protected_branch]
  if (!items.includes(true)) throw invalid('must select at least one template item')
}

/** Whom the caller may not see does not exist. */
async function findOwner(
  ctx: Context,
  caller: SignedInCaller,
  name: string,
): Promise<Account | undefined> {
  if (name === caller.account.name) return caller.account
  try {
    return await loadVisibleAccount(ctx, caller, name)
  } catch (error) {
    if (error instanceof Moved) return undefined
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  }
}

function unknownOwner(name: string) {
  return { status: 404, body: { error: `request owner \`${name}\` does not exist` } }
}

/** Who writes the own name in other letters names somebody else, as far as the contract is concerned. */
async function assertMayGenerateFor(
  ctx: Context,
  caller: SignedInCaller,
  owner: Account,
): Promise<void> {
  if (owner === caller.account || isSiteAdmin(caller)) return
  if (owner.kind !== 'organization') {
    throw forbidden('Only admin can generate repository for other user.')
  }
  if (!(await mayCreateFor(ctx, caller, owner))) throw mayNotCreate()
}

function readWanted({ config }: Context, owner: Account, body: Body): Generation {
  return {
    owner,
    name: body.name,
    description: body.description ?? '',
    isPrivate: config.repositories.force_private || (body.private ?? false),
    defaultBranch: body.default_branch ?? '',
    items: {
      content: body.git_content ?? false,
      topics: body.topics ?? false,
      labels: body.labels ?? false,
      branchRules: body.protected_branch ?? false,
      webhooks: body.webhooks ?? false,
      avatar: body.avatar ?? false,
    },
    variables: body.variables ?? {},
  }
}

function presentPlan({ branch, files = [] }: Plan): Static<typeof GeneratedFilesBody> {
  return {
    default_branch: branch,
    files: files.map(({ path, mode, size, content }) => ({
      path: toText(path),
      mode,
      size: content?.length ?? size,
    })),
  }
}

function presentInput(input: TemplateInput): Static<typeof TemplateBody>['inputs'][number] {
  return {
    name: input.name,
    type: input.type,
    prompt: input.prompt,
    pattern: input.pattern,
    options: [...input.options],
    default: input.fallback ?? null,
    required: input.fallback === undefined,
  }
}
