import type { Config } from '../../platform/config/config.ts'
import type { Caller } from '../../platform/context.ts'
import { hasSecondFactor } from './account.ts'

/**
 * Whether the caller has to have a second factor and has none: repositories, packages and boards do
 * not exist for them, neither single ones nor in lists.
 */
export function lacksSecondFactor(
  { config }: { readonly config: Config },
  { account }: Caller,
): boolean {
  return config.security.require_two_factor && account !== undefined && !hasSecondFactor(account)
}
