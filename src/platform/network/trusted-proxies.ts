import { contains, listOf, plainAddress } from './ranges.ts'

/** Names of networks that Fastify takes for those that are trusted, too. */
const networks: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Whether an address is that of a proxy whose word counts: nobody's is who is not named. */
export function trustedProxies(trusted: readonly string[]): (address: string) => boolean {
  const ranges = listOf(trusted.flatMap((entry) => networks[entry] ?? [entry]))
  return (address) => {
    const plain = plainAddress(address)
    return plain !== undefined && contains(ranges, plain)
  }
}
