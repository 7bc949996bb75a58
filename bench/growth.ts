import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configWith, type Config } from '../src/platform/config/config.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { startOn, type Running } from './servers.ts'
import { printTable } from './table.ts'
import { quantile, timed } from './time.ts'

const DATABASES = (process.env['BENCH_DATABASES'] ?? 'sqlite,postgres').split(',')
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 40)

/** Something to read below /api/v1. */
export interface Reading {
  readonly name: string
  readonly path: string
  /** Of whoever reads, unless it is nobody. */
  readonly token?: string | undefined
}

export interface Growth<World> {
  readonly heading: string
  readonly sizes: readonly number[]
  readonly fill: (config: Config, size: number) => Promise<World>
  readonly readings: (world: World) => readonly Reading[]
}

/**
 * Reads the same at growing sizes; what it costs at the largest beside what it costs at the
 * smallest.
 */
export async function benchGrowth<World>(growth: Growth<World>): Promise<void> {
  const { heading, sizes } = growth
  for (const database of DATABASES) {
    const costs = new Map<string, number[]>()
    for (const size of sizes) {
      for (const [name, cost] of await benchSize(growth, database, size)) {
        costs.set(name, [...(costs.get(name) ?? []), cost])
      }
    }
    printTable(
      `${heading} on ${database}, p50 in ms`,
      [...costs].map(([name, measured]) => rowOf(sizes, name, measured)),
    )
  }
}

function rowOf(
  sizes: readonly number[],
  name: string,
  costs: readonly number[],
): Record<string, string> {
  const bySize = sizes.map((size, index) => [`${size}`, (costs[index] ?? 0).toFixed(1)])
  const ratio = (costs.at(-1) ?? 0) / (costs[0] ?? 1)
  return { work: name, ...Object.fromEntries(bySize), ratio: ratio.toFixed(2) }
}

async function benchSize<World>(
  { fill, readings }: Growth<World>,
  database: string,
  size: number,
): Promise<readonly [string, number][]> {
  const data = mkdtempSync(join(tmpdir(), 'codestead-bench-'))
  const postgres = database === 'postgres' ? await startPostgres() : undefined
  const url = postgres?.url ?? ''
  try {
    const world = await fill(configWith(data, { database: { url } }), size)
    return await benchReadings(await startOn(data, url), readings(world))
  } finally {
    await postgres?.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

async function benchReadings(
  server: Running,
  readings: readonly Reading[],
): Promise<readonly [string, number][]> {
  try {
    const costs: [string, number][] = []
    for (const reading of readings) {
      costs.push([reading.name, await benchReading(server, reading)])
    }
    return costs
  } finally {
    await server.stop()
  }
}

async function benchReading({ url }: Running, { path, token }: Reading): Promise<number> {
  const headers: Record<string, string> = token ? { authorization: `token ${token}` } : {}
  const read = async () => {
    const answer = await fetch(`${url}/api/v1${path}`, { headers })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  for (let round = 0; round < 5; round++) await read()
  const measured: number[] = []
  for (let round = 0; round < ROUNDS; round++) measured.push(await timed(read))
  return quantile(measured, 0.5)
}
