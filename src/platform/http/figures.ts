import type * as Prometheus from 'prom-client'
import { cacheMemory } from '../caches/cache-memory.ts'
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
  #registry: Prometheus.Registry | undefined

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
  async #watch(): Promise<Prometheus.Registry | undefined> {
    if (!this.#watchesProcess || this.#registry) return this.#registry
    const prometheus = await import('prom-client')
    if (this.#registry) return this.#registry
    this.#registry = new prometheus.Registry()
    prometheus.collectDefaultMetrics({ register: this.#registry })
    addCaches(prometheus, this.#registry)
    return this.#registry
  }
}

/** What is kept in memory to be had again. */
function addCaches({ Gauge }: typeof Prometheus, registry: Prometheus.Registry): void {
  const held = new Gauge({
    name: 'codestead_cache_bytes',
    help: 'About what each cache holds.',
    labelNames: ['cache'],
    registers: [],
    collect() {
      for (const [cache, bytes] of cacheMemory.parts) this.set({ cache }, bytes)
    },
  })
  const limit = new Gauge({
    name: 'codestead_cache_limit_bytes',
    help: 'What all caches may hold together.',
    registers: [],
    collect() {
      this.set(cacheMemory.limit)
    },
  })
  registry.registerMetric(held)
  registry.registerMetric(limit)
}

/** Those of several processes together, each added up, or averaged, as it asks for. */
export async function writeFigures(all: readonly Figures[]): Promise<string> {
  const { AggregatorRegistry } = await import('prom-client')
  const ofProcesses = AggregatorRegistry.aggregate(all.map(({ ofProcess }) => ofProcess))
  return writeRequestTimes(all.flatMap(({ requests }) => requests)) + (await ofProcesses.metrics())
}
