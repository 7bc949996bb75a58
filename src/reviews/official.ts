import { callerOf } from '../collaborators/collaborate.ts'
import type { Context } from '../context.ts'
import { loadProtection } from '../protection/enforce.ts'
import { writesUnit } from '../repositories/load.ts'
import type { Repository } from '../repositories/repository.ts'
import { viewRepository } from '../repositories/view.ts'
import type { Account } from '../users/account.ts'

/** Whether the word of this person counts for the protection of a branch: they are listed, or write the code. */
export async function isOfficialReviewer(
  ctx: Context,
  repo: Repository,
  branch: string,
  person: Account,
): Promise<boolean> {
  const caller = callerOf(person)
  const protection = await loadProtection(ctx, caller, repo)
  const rule = protection.ruleOf(branch)
  if (rule?.settings.lists.approvals.isEnabled) return protection.approves(rule)
  return writesUnit(await viewRepository(ctx, caller, repo), 'repo.code')
}
