import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * What an address is for: `reserved` ones lead nowhere, or to somewhere that no server of ours has
 * business with.
 */
export type AddressKind = 'public' | 'loopback' | 'private' | 'reserved'

const loopback = listOf(['127.0.0.0/8', '::1/128'])
const ownNetworks = listOf([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
])
const reserved = listOf([
  '0.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/32',
  '2001:10::/28',
  '2001:20::/28',
  '2001:db8::/32',
  '2002::/16',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
])

/** An address that cannot be read is reserved. */
export function kindOfAddress(text: string): AddressKind {
  const address = plainAddress(text)
  if (address === undefined) return 'reserved'
  if (contains(loopback, address)) return 'loopback'
  if (contains(ownNetworks, address)) return 'private'
  return contains(reserved, address) ? 'reserved' : 'public'
}

/**
 * An IPv4 address in the clothes of IPv6 is taken out of them; `undefined` for what is no address.
 */
export function plainAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  if (!isIPv6(text) || text.includes('%')) return undefined
  const [, high, low] =
    /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(new URL(`http://[${text}]`).hostname) ?? []
  if (high === undefined || low === undefined) return text
  const bytes = [high, low].flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255])
  return bytes.join('.')
}

/**
 * Somebody with one IPv6 address has a whole /64 of them; but all IPv4 addresses in its clothes are
 * in one.
 */
export function networkOf(text: string): string {
  const address = plainAddress(text) ?? text
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const left = head.split(':')
  const right = tail?.split(':') ?? []
  const missing = tail === undefined ? 0 : 8 - left.length - right.length
  return [...left, ...Array<string>(missing).fill('0'), ...right].slice(0, 4).join(':')
}

export function contains(list: BlockList, address: string): boolean {
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/** Single addresses and ranges such as 10.0.0.0/8; throws when one is neither. */
export function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', bits] = range.split('/')
    const family = isIPv4(network) ? 'ipv4' : 'ipv6'
    const all = family === 'ipv4' ? 32 : 128
    list.addSubnet(network, bits === undefined ? all : Number(bits), family)
  }
  return list
}
