import type { Context } from '../../platform/context.ts'
import { created, noContent, ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { assertAdministers, assertNotArchived } from '../../repositories/repository/load.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { loadAdministered, loadOfPath } from '../../repositories/repository/routes.ts'
import {
  createBranchRule,
  editBranchRule,
  loadBranchRule,
  loadBranchRules,
  orderBranchRules,
  removeBranchRule,
} from './branch-rules.ts'
import {
  presentBranchRules,
  presentTagRules,
  readBranchRuleEdit,
  readTagRuleEdit,
} from './present.ts'
import type { BranchRule, TagRule } from './rule.ts'
import {
  CreateBranchProtectionOption,
  CreateTagProtectionOption,
  EditBranchProtectionOption,
  EditTagProtectionOption,
  repoCreateBranchProtection,
  repoCreateTagProtection,
  repoDeleteBranchProtection,
  repoDeleteTagProtection,
  repoEditBranchProtection,
  repoEditTagProtection,
  repoGetBranchProtection,
  repoGetTagProtection,
  repoListBranchProtection,
  repoListTagProtection,
  repoUpdateBranchProtectionPriories,
  UpdateBranchProtectionPriories,
  type BranchProtectionBody,
  type TagProtectionBody,
} from './schema.ts'
import {
  createTagRule,
  editTagRule,
  loadTagRule,
  loadTagRules,
  removeTagRule,
} from './tag-rules.ts'

export function branchProtectionRoutes(api: Api, ctx: Context): void {
  const rules = '/repos/:owner/:repo/branch_protections'
  const oneRule = `${rules}/*name`

  api.get(rules, repoListBranchProtection, async (call) => {
    const { repo } = await loadAdministered(ctx, call)
    return ok(await presentBranchRules(ctx, repo, await loadBranchRules(ctx, repo)))
  })

  api.post(rules, repoCreateBranchProtection, async (call) => {
    const repo = await loadChangeable(ctx, call)
    const body = await call.body(CreateBranchProtectionOption)
    const name = body.rule_name || body.branch_name || ''
    const rule = await createBranchRule(ctx, repo, name, readBranchRuleEdit(body))
    return created(await presentOne(ctx, repo, rule))
  })

  api.post(`${rules}/priority`, repoUpdateBranchProtectionPriories, async (call) => {
    const repo = await loadChangeable(ctx, call)
    const { ids = [] } = await call.body(UpdateBranchProtectionPriories)
    await orderBranchRules(ctx, repo, ids)
    return noContent()
  })

  api.get(oneRule, repoGetBranchProtection, async (call) => {
    const { repo } = await loadAdministered(ctx, call)
    return ok(await presentOne(ctx, repo, await loadBranchRule(ctx, repo, call.rest)))
  })

  api.patch(oneRule, repoEditBranchProtection, async (call) => {
    const repo = await loadChangeable(ctx, call)
    const edit = readBranchRuleEdit(await call.body(EditBranchProtectionOption))
    const rule = await loadBranchRule(ctx, repo, call.rest)
    return ok(await presentOne(ctx, repo, await editBranchRule(ctx, repo, rule, edit)))
  })

  api.delete(oneRule, repoDeleteBranchProtection, async (call) => {
    const { repo } = await loadAdministered(ctx, call)
    await removeBranchRule(ctx, repo, call.rest)
    return noContent()
  })
}

export function tagProtectionRoutes(api: Api, ctx: Context): void {
  const rules = '/repos/:owner/:repo/tag_protections'

  api.get(rules, repoListTagProtection, async (call) => {
    const { repo } = await loadAdministered(ctx, call)
    return ok(await presentTagRules(ctx, repo, await loadTagRules(ctx, repo)))
  })

  api.post(rules, repoCreateTagProtection, async (call) => {
    const repo = await loadChangeable(ctx, call)
    const edit = readTagRuleEdit(await call.body(CreateTagProtectionOption))
    return created(await presentTag(ctx, repo, await createTagRule(ctx, repo, edit)))
  })

  api.get(`${rules}/:id`, repoGetTagProtection, async (call) => {
    const { repo } = await loadAdministered(ctx, call)
    return ok(await presentTag(ctx, repo, await loadTagRule(ctx, repo, call.id('id'))))
  })

  api.patch(`${rules}/:id`, repoEditTagProtection, async (call) => {
    const repo = await loadChangeable(ctx, call)
    const edit = readTagRuleEdit(await call.body(EditTagProtectionOption))
    const rule = await loadTagRule(ctx, repo, call.id('id'))
    return ok(await presentTag(ctx, repo, await editTagRule(ctx, repo, rule, edit)))
  })

  api.delete(`${rules}/:id`, repoDeleteTagProtection, async (call) => {
    const { repo } = await loadAdministered(ctx, call)
    await removeTagRule(ctx, repo, call.id('id'))
    return noContent()
  })
}

/** Rules of an archive stay as they are, though they may be deleted. */
async function loadChangeable(ctx: Context, call: Call): Promise<Repository> {
  const view = await loadOfPath(ctx, call)
  call.signedIn()
  assertNotArchived(view)
  assertAdministers(view)
  return view.repo
}

async function presentOne(
  ctx: Context,
  repo: Repository,
  rule: BranchRule,
): Promise<BranchProtectionBody> {
  const [body] = await presentBranchRules(ctx, repo, [rule])
  return body as BranchProtectionBody
}

async function presentTag(
  ctx: Context,
  repo: Repository,
  rule: TagRule,
): Promise<TagProtectionBody> {
  const [body] = await presentTagRules(ctx, repo, [rule])
  return body as TagProtectionBody
}
