import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configWith } from '../src/config/config.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { startOn, type Running } from './servers.ts'
import { printTable } from './table.ts'
import { quantile, timed } from './time.ts'
import { generateWorld, type World } from './world/generate.ts'

const SIZES = (process.env['BENCH_SIZES'] ?? '1000,100000,1000000').split(',').map(Number)
const DATABASES = (process.env['BENCH_DATABASES'] ?? 'sqlite,postgres').split(',')
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 40)

type Who = keyof World['tokens'] | 'anonymous'

/** Search at growing sizes: each shape by one caller, and by eight at once. */
export async function searchBench(): Promise<void> {
  for (const database of DATABASES) {
    for (const size of SIZES) await benchSize(database, size)
  }
}

async function benchSize(database: string, size: number): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'codestead-bench-'))
  const postgres = database === 'postgres' ? await startPostgres() : undefined
  const url = postgres?.url ?? ''
  try {
    const began = performance.now()
    const world = await generateWorld(configWith(data, { database: { url } }), size)
    const seconds = Math.round((performance.now() - began) / 1000)
    const server = await startOn(data, url)
    const rows = []
    for (const [who, path] of shapes(world)) rows.push(await benchShape(server, world, who, path))
    await server.stop()
    printTable(`${size} repositories on ${database}, made in ${seconds} s`, rows)
  } finally {
    await postgres?.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

function shapes({ memberId }: World): readonly [Who, string][] {
  const sorts = [
    'alpha',
    'created',
    'updated',
    'size',
    'git_size',
    'lfs_size',
    'stars',
    'forks',
    'id',
  ]
  return [
    ['anonymous', ''],
    ['ordinary', ''],
    ['restricted', ''],
    ['administrator', ''],
    ['ordinary', 'q=puffin-osprey'],
    ['ordinary', 'q=app'],
    ['anonymous', 'q=app'],
    ['ordinary', 'q=ap'],
    ['ordinary', 'q=basalt-for&includeDesc=true'],
    ['ordinary', 'q=app&includeDesc=true'],
    ['ordinary', 'q=topic-1&topic=true'],
    ['ordinary', 'q=topic-499&topic=true'],
    ['ordinary', 'owner=person7'],
    ['ordinary', 'uid=7'],
    ['member', ''],
    ['member', `uid=${memberId}`],
    ['ordinary', 'starredBy=7'],
    ['ordinary', 'q=app&sort=relevance'],
    ...sorts.flatMap((sort): [Who, string][] =>
      ['asc', 'desc'].map((order) => ['ordinary', `sort=${sort}&order=${order}`]),
    ),
    ...sorts.map((sort): [Who, string] => ['ordinary', `sort=${sort}&order=desc&page=1000`]),
  ]
}

async function benchShape(server: Running, world: World, who: Who, query: string) {
  const headers: Record<string, string> =
    who === 'anonymous' ? {} : { authorization: `token ${world.tokens[who]}` }
  const search = async (more = '') => {
    const answer = await fetch(`${server.url}/api/v1/repos/search?${query}${more}`, { headers })
    if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
    return answer
  }
  const first = await timed(() => search())
  const one: number[] = []
  for (let round = 0; round < ROUNDS; round++) one.push(await timed(() => search()))
  const eight: number[] = []
  for (let round = 0; round < ROUNDS / 8; round++) {
    eight.push(...(await Promise.all(Array.from({ length: 8 }, () => timed(() => search())))))
  }
  const total = (await search()).headers.get('x-total-count') ?? ''
  const ms = (number: number) => number.toFixed(1)
  return {
    caller: who,
    query: query === '' ? 'no filter' : query,
    total,
    'first ms': ms(first),
    p50: ms(quantile(one, 0.5)),
    p95: ms(quantile(one, 0.95)),
    'p95, 8 at once': ms(quantile(eight, 0.95)),
  }
}
