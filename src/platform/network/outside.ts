import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Config } from '../config/config.ts'
import { invalid, type AppError } from '../errors.ts'
import { hostOf, ReachPolicy } from './policy.ts'

export interface Address {
  readonly address: string
  readonly family: number
}

export type Resolver = (host: string) => Promise<readonly Address[]>

const systemResolver: Resolver = (host) => lookup(host, { all: true, verbatim: true })

/** The network beyond this server, as far as it may be reached. */
export class Outside {
  readonly #policy: ReachPolicy
  readonly #resolve: Resolver

  constructor(config: Config, resolve: Resolver = systemResolver) {
    this.#policy = new ReachPolicy(config)
    this.#resolve = resolve
  }

  /** What can be said without asking where a name leads. */
  assertNameable(url: URL): void {
    const host = hostOf(url)
    const isBad =
      isIP(host) === 0 ? !this.#policy.mayNameHost(host) : !this.#policy.mayReach(host, host)
    if (isBad || !this.#policy.mayUsePort(url)) throw disallowed()
  }

  /** For addresses that are kept for later: a name that leads nowhere today may do so tomorrow. */
  async assertReachable(url: URL): Promise<void> {
    this.assertNameable(url)
    const host = hostOf(url)
    if (isIP(host) !== 0) return
    const found = await this.#resolve(host).catch(() => [])
    if (found.some(({ address }) => !this.#policy.mayReach(host, address))) throw disallowed()
  }

  /**
   * Where to connect to. Every address that the name has must be allowed, and whoever connects uses
   * what is given here: a second question could be answered differently.
   */
  async locate(url: URL): Promise<readonly Address[]> {
    this.assertNameable(url)
    const host = hostOf(url)
    const family = isIP(host)
    if (family !== 0) return [{ address: host, family }]
    const found = await this.#resolve(host).catch((cause: unknown) => {
      throw invalid(`the host ${host} cannot be found`, { cause })
    })
    const isGood =
      found.length > 0 && found.every(({ address }) => this.#policy.mayReach(host, address))
    if (!isGood) throw disallowed()
    return found
  }
}

/** Says nothing of where the name leads. */
function disallowed(): AppError {
  return invalid('You can not import from disallowed hosts.', { reason: 'host_disallowed' })
}
