import type { Check } from './check.ts'
import {
  adoptPrimaryAddresses,
  deleteShadowingRedirects,
  findAddressDrift,
  findFollowDrift,
  findSecurityKeyDrift,
  findShadowingRedirects,
  insertMissingAddresses,
  promoteMatchingAddresses,
  promoteOldestAddresses,
  recountFollows,
  recountSecurityKeys,
} from './queries.ts'

export const accountChecks: readonly Check[] = [
  {
    name: 'counts of followers are right',
    find: findFollowDrift,
    mend: recountFollows,
  },
  {
    name: 'security keys are counted',
    find: findSecurityKeyDrift,
    mend: recountSecurityKeys,
  },
  {
    name: 'everybody has one primary address, the one in the account',
    find: findAddressDrift,
    mend: async (tx) => {
      await promoteMatchingAddresses(tx)
      await insertMissingAddresses(tx)
      await promoteOldestAddresses(tx)
      await adoptPrimaryAddresses(tx)
    },
  },
  {
    name: 'no old name hides an account',
    find: findShadowingRedirects,
    mend: deleteShadowingRedirects,
  },
]
