import type { Static } from 'typebox'
import { isSiteAdmin, type Context, type SignedInCaller } from '../../platform/context.ts'
import { forbidden, invalid, isNotFound, Moved } from '../../platform/errors.ts'
import { mayCreateFor } from '../../repositories/repository/may-create.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import type { Account } from '../../identity/users/account.ts'
import { loadVisibleAccount } from '../../identity/users/load.ts'
import type { Generation } from './generate.ts'
import { assertTemplate, mayNotCreate } from './rights.ts'
import type { GenerateRepoOption } from './schema.ts'

type Body = Static<typeof GenerateRepoOption>

/** What a caller asks for, and may; nothing when there is nobody whom they name as the owner. */
export async function readGeneration(
  ctx: Context,
  caller: SignedInCaller,
  template: RepositoryView,
  body: Body,
): Promise<Generation | undefined> {
  assertMayGenerate(caller, template, body)
  const owner = await findOwner(ctx, caller, body.owner ?? '')
  if (!owner) return undefined
  await assertMayGenerateFor(ctx, caller, owner)
  return readWanted(ctx, owner, body)
}

function assertMayGenerate(caller: SignedInCaller, template: RepositoryView, body: Body): void {
  assertTemplate(template)
  if (caller.account.kind === 'organization') {
    throw invalid('not allowed creating repository for organization')
  }
  const { git_content, topics, git_hooks, webhooks, avatar, labels, protected_branch } = body
  const items = [git_content, topics, git_hooks, webhooks, avatar, labels, protected_branch]
  if (!items.includes(true))
    throw invalid('must select at least one template item', { reason: 'nothing_chosen' })
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
    if (isNotFound(error)) return undefined
    throw error
  }
}

/**
 * Who writes the own name in other letters names somebody else, as far as the contract is
 * concerned.
 */
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
