import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { RefUpdate } from '../../platform/git/ref-update.ts'
import { loadProtection } from '../protection/enforce.ts'
import type { Repository } from '../../repositories/repository/repository.ts'

/** Holds the refs of a push to the protection of branches and tags. */
export interface PushGuard {
  /** Whether git has to ask about each ref by itself. */
  readonly isNeeded: boolean
  /**
   * Asked when the objects have arrived, in case a rule came while git was not told to ask about
   * each ref.
   */
  readonly refusalOfAll: (asksByRef: boolean) => Promise<string | undefined>
  readonly refusalOf: (ref: string) => Promise<string | undefined>
}

/** For what has no rules of its own. */
export const openGuard: PushGuard = {
  isNeeded: false,
  refusalOfAll: async () => undefined,
  refusalOf: async () => undefined,
}

/**
 * A push may take long: whether a rule is there is asked before it, what the rule says after it.
 */
export async function guardPush(
  ctx: Context,
  caller: SignedInCaller,
  repo: Repository,
  updates: readonly RefUpdate[],
): Promise<PushGuard> {
  const load = () => loadProtection(ctx, caller, repo)
  const findCovered = async () => {
    const protection = await load()
    return updates.find(({ ref }) => protection.covers(ref))
  }
  // Git waits for an answer, so that there is one whatever happens.
  const orUnchecked = async (refusal: () => Promise<string | undefined>) =>
    refusal().catch((error: unknown) => {
      ctx.log.error({ err: error, repository: repo.id }, 'push not checked')
      return 'the protection of branches and tags could not be checked'
    })
  const byRef = new Map(updates.map((update) => [update.ref, update]))
  const isNeeded = (await findCovered()) !== undefined
  return {
    isNeeded,
    refusalOfAll: (asksByRef) =>
      orUnchecked(async () => {
        const covered = isNeeded || asksByRef ? undefined : await findCovered()
        return covered && `${covered.ref} has been protected meanwhile: push again`
      }),
    refusalOf: (ref) =>
      orUnchecked(async () => {
        const update = byRef.get(ref)
        if (!update) return `${ref}: not announced`
        const reason = await (await load()).refusal(update)
        return reason && `${ref}: ${reason.replace(/\s+/g, ' ')}`
      }),
  }
}
