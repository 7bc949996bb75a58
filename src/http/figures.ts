import type { Registry } from 'prom-client'
import { RequestTimes, writeRequestTimes, type Series } from './request-times.ts'

/** What one process has counted. */
export interface Figures {
  readonly requests: readonly Series[]
  /** In the form of prom-client. */
  readonly ofProcess: readonly object[]
}

/** Asks all processes that share a port. */
export type GatherFigures = () => Promise<readonly Figures[]>

/** Counts what this process does. */
export class Meter {
  readonly requests = new RequestTimes()
  readonly #watchesProcess: boolean
  #registry: Registry | undefined

  /** `watchesProcess`: also memory, event loop and garbage collection, for a real server. */
  constructor({ watchesProcess = false } = {}) {
    this.#watchesProcess = watchesProcess
  }

  async figures(): Promise<Figures> {
    const registry = await this.#watch()
    const ofProcess = (await registry?.getMetricsAsJSON()) ?? []
    return { requests: this.requests.series, ofProcess }
  }

  /** In the text form of Prometheus. */
  async write(): Promise<string> {
    const registry = await this.#watch()
    return writeRequestTimes(this.requests.series) + ((await registry?.metrics()) ?? '')
  }

  /** Loaded when figures are first asked for: most servers are never asked. */
  async #watch(): Promise<Registry | undefined> {
    if (!this.#watchesProcess || this.#registry) return this.#registry
    const prometheus = await import('prom-client')
    if (this.#registry) return this.#registry
    this.#registry = new prometheus.Registry()
    prometheus.collectDefaultMetrics({ register: this.#registry })
    return this.#registry
  }
}

/** Those of several processes together, each added up, or averaged, as it asks for. */
export async function writeFigures(all: readonly Figures[]): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client')
  const ofProcesses = AggregatorRegistry.aggregate(all.map(({ ofProcess }) => ofProcess))
  return writeRequestTimes(all.flatMap(({ requests }) => requests)) + (await ofProcesses.metrics())
}
