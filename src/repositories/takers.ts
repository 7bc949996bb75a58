import type { Caller } from '../context.ts'
import { networkOf } from '../network/ranges.ts'
import type { Repository } from './repository.ts'

/** For whom a place is that work with a repository takes: neither one client nor one repository gets all of them. */
export function takersOf(
  { account }: Pick<Caller, 'account'>,
  address: string,
  { id }: Pick<Repository, 'id'>,
): readonly string[] {
  return [account ? `account ${account.id}` : `network ${networkOf(address)}`, `repository ${id}`]
}
