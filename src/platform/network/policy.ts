import { isIP, type BlockList } from 'node:net'
import { ConfigError, type Config } from '../config/config.ts'
import { baseUrl } from '../config/urls.ts'
import { contains, kindOfAddress, listOf, plainAddress, type AddressKind } from './ranges.ts'

/** Hosts and addresses by their names, patterns, ranges and kinds. */
interface HostList {
  readonly patterns: readonly RegExp[]
  readonly ranges: BlockList
  readonly kinds: ReadonlySet<AddressKind>
}

/** Decides what requests of the server may reach. */
export class ReachPolicy {
  readonly #allowed: HostList
  readonly #blocked: HostList
  readonly #allowsPrivate: boolean
  readonly #ports: ReadonlySet<string>
  readonly #ownHost: string

  constructor(config: Config) {
    const { allow_hosts, block_hosts, allow_private, ports } = config.network
    this.#allowed = readHosts('network.allow_hosts', allow_hosts)
    this.#blocked = readHosts('network.block_hosts', block_hosts)
    this.#allowsPrivate = allow_private
    this.#ports = new Set(ports)
    this.#ownHost = hostOf(new URL(baseUrl(config)))
  }

  mayUsePort({ port, protocol }: URL): boolean {
    const number = port === '' ? (protocol === 'https:' ? '443' : '80') : port
    return this.#ports.size === 0 || this.#ports.has(number)
  }

  /** What the name alone says, before anybody asks where it leads. */
  mayNameHost(host: string): boolean {
    if (matchesName(this.#blocked, host)) return false
    if (matchesName(this.#allowed, host)) return true
    return this.#allowsPrivate || host !== this.#ownHost
  }

  /** Whether `host` may be reached at `address`. */
  mayReach(host: string, address: string): boolean {
    const plain = plainAddress(address)
    if (plain === undefined || !this.mayNameHost(host)) return false
    if (matchesAddress(this.#blocked, plain)) return false
    if (matchesName(this.#allowed, host) || matchesAddress(this.#allowed, plain)) return true
    const kind = kindOfAddress(plain)
    return kind === 'public' || (kind !== 'reserved' && this.#allowsPrivate)
  }
}

/** Without the brackets of IPv6 and the dot that ends an absolute name. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

function readHosts(setting: string, entries: readonly string[]): HostList {
  const kinds = entries.filter((entry) => entry === 'private' || entry === 'loopback')
  const others = entries.filter((entry) => entry !== 'private' && entry !== 'loopback')
  const ranges = others.filter((entry) => isIP(entry.split('/')[0] ?? '') !== 0)
  const names = others.filter((entry) => !ranges.includes(entry))
  const odd = names.find((name) => /[/\s]/.test(name))
  if (odd !== undefined) throw new ConfigError(`${setting}: ${odd} is neither a host nor a range`)
  try {
    const patterns = names.map(toPattern)
    return { patterns, ranges: listOf(ranges), kinds: new Set(kinds as AddressKind[]) }
  } catch (cause) {
    throw new ConfigError(`${setting}: ${(cause as Error).message}`, { cause })
  }
}

/** `*` stands for any part of a name. */
function toPattern(name: string): RegExp {
  const escaped = name.toLowerCase().replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*')}$`)
}

function matchesName({ patterns }: HostList, host: string): boolean {
  return patterns.some((pattern) => pattern.test(host))
}

function matchesAddress({ ranges, kinds }: HostList, address: string): boolean {
  return contains(ranges, address) || kinds.has(kindOfAddress(address))
}
