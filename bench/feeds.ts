import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configWith } from '../src/config/config.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { startOn, type Running } from './servers.ts'
import { printTable } from './table.ts'
import { quantile, timed } from './time.ts'
import { generateActivities, type ActivityWorld } from './world/activities.ts'

const SIZES = (process.env['BENCH_ACTIVITIES'] ?? '10000,10000000').split(',').map(Number)
const DATABASES = (process.env['BENCH_DATABASES'] ?? 'sqlite,postgres').split(',')
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 40)

type Who = 'administrator' | 'member' | 'ordinary' | 'anonymous'

/** A page of each feed at growing sizes; what it costs at the largest beside what it costs at the smallest. */
export async function feedsBench(): Promise<void> {
  for (const database of DATABASES) {
    const costs = new Map<string, number[]>()
    for (const size of SIZES) {
      for (const [shape, cost] of await benchSize(database, size)) {
        costs.set(shape, [...(costs.get(shape) ?? []), cost])
      }
    }
    printTable(
      `feeds on ${database}, p50 in ms`,
      [...costs].map(([shape, measured]) => rowOf(shape, measured)),
    )
  }
}

function rowOf(shape: string, costs: readonly number[]): Record<string, string> {
  const bySize = SIZES.map((size, index) => [`${size}`, (costs[index] ?? 0).toFixed(1)])
  const ratio = (costs.at(-1) ?? 0) / (costs[0] ?? 1)
  return { feed: shape, ...Object.fromEntries(bySize), ratio: ratio.toFixed(2) }
}

async function benchSize(database: string, size: number): Promise<readonly [string, number][]> {
  const data = mkdtempSync(join(tmpdir(), 'codestead-bench-'))
  const postgres = database === 'postgres' ? await startPostgres() : undefined
  const url = postgres?.url ?? ''
  try {
    const world = await generateActivities(configWith(data, { database: { url } }), size)
    const server = await startOn(data, url)
    const costs: [string, number][] = []
    for (const [who, path] of shapes(world)) {
      costs.push([`${who} ${path}`, await benchFeed(server, world, who, path)])
    }
    await server.stop()
    return costs
  } finally {
    await postgres?.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

/** `member` owns the repository and is in the team; the third page is there at every size. */
function shapes(world: ActivityWorld): readonly [Who, string][] {
  const callers: readonly Who[] = ['administrator', 'member', 'ordinary', 'anonymous']
  const paths = [
    `/repos/${world.repository}`,
    `/users/${world.person}`,
    `/orgs/${world.organization}`,
  ]
  const insiders: readonly Who[] = ['administrator', 'member']
  const feeds: readonly [Who, string][] = [
    ...paths.flatMap((path) => callers.map((who): [Who, string] => [who, path])),
    ...insiders.map((who): [Who, string] => [who, `/teams/${world.teamId}`]),
  ]
  return ['', '?page=3'].flatMap((page) =>
    feeds.map(([who, path]): [Who, string] => [who, `${path}/activities/feeds${page}`]),
  )
}

async function benchFeed(
  server: Running,
  { tokens }: ActivityWorld,
  who: Who,
  path: string,
): Promise<number> {
  const headers: Record<string, string> =
    who === 'anonymous' ? {} : { authorization: `token ${tokens[who]}` }
  const read = async () => {
    const answer = await fetch(`${server.url}/api/v1${path}`, { headers })
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  for (let round = 0; round < 5; round++) await read()
  const measured: number[] = []
  for (let round = 0; round < ROUNDS; round++) measured.push(await timed(read))
  return quantile(measured, 0.5)
}
