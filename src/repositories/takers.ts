import type { Caller } from '../context.ts'
import { networkOf } from '../network/ranges.ts'
import type { Repository } from './repository.ts'

/** The account, or the network of who has none. */
export function clientOf({ account }: Pick<Caller, 'account'>, address: string): string {
  return account ? `account ${account.id}` : `network ${networkOf(address)}`
}

/** For whom a place is that work with a repository takes: neither one client nor one repository gets all of them. */
export function takersOf(
  caller: Pick<Caller, 'account'>,
  address: string,
  { id }: Pick<Repository, 'id'>,
): readonly string[] {
  return [clientOf(caller, address), `repository ${id}`]
}
