import type { FastifyRequest } from 'fastify'
import { anonymous, type Caller } from '../context.ts'
import { networkOf } from '../network/ranges.ts'

/** The account, or the network of who has none. */
export function clientOf({ account }: Pick<Caller, 'account'>, address: string): string {
  return account ? `account ${account.id}` : `network ${networkOf(address)}`
}

/** Who gets a share: the account that asks, or the network of who has none. */
export function clientOfRequest({ caller, ip }: FastifyRequest): string {
  return clientOf(caller ?? anonymous, ip)
}

/** Who takes a place for work with a repository: no client and no repository gets all places. */
export function takersOf(
  caller: Pick<Caller, 'account'>,
  address: string,
  { id }: { readonly id: number },
): readonly string[] {
  return [clientOf(caller, address), `repository ${id}`]
}
