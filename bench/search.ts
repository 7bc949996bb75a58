import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configWith } from '../src/platform/config/config.ts'
import { sorts as everySort } from '../src/repositories/search/wanted.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { startOn, type Running } from './servers.ts'
import { printTable } from './table.ts'
import { quantile, timed } from './time.ts'
import { findCursors } from './world/cursors.ts'
import { generateWorld, type World } from './world/generate.ts'

const SIZES = (process.env['BENCH_SIZES'] ?? '1000,100000,1000000').split(',').map(Number)
const DATABASES = (process.env['BENCH_DATABASES'] ?? 'sqlite,postgres').split(',')
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 40)
/** A folder in which worlds on SQLite stay, to be measured again. */
const KEPT = process.env['BENCH_KEPT']
const PAGE = 1000

/** Relevance has rows of its own: it needs a word. */
const sorts = everySort.filter((sort) => sort !== 'relevance')

type Who = keyof World['tokens'] | 'anonymous'
type Shape = readonly [Who, string]

/** Search at growing sizes: each shape by one caller, and by eight at once. */
export async function searchBench(): Promise<void> {
  for (const database of DATABASES) {
    for (const size of SIZES) {
      if (database === 'postgres') await benchPostgres(size)
      else await benchSqlite(size)
    }
  }
}

async function benchSqlite(size: number): Promise<void> {
  const data = KEPT ? join(KEPT, `sqlite-${size}`) : mkdtempSync(join(tmpdir(), 'codestead-bench-'))
  mkdirSync(data, { recursive: true })
  try {
    await benchWorld(data, '', size)
  } finally {
    if (!KEPT) rmSync(data, { recursive: true, force: true })
  }
}

async function benchPostgres(size: number): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'codestead-bench-'))
  const postgres = await startPostgres()
  try {
    await benchWorld(data, postgres.url, size)
  } finally {
    await postgres.stop()
    rmSync(data, { recursive: true, force: true })
  }
}

async function benchWorld(data: string, url: string, size: number): Promise<void> {
  const began = performance.now()
  const config = configWith(data, { database: { url } })
  const file = join(data, 'world.json')
  if (!existsSync(file)) writeFileSync(file, JSON.stringify(await generateWorld(config, size)))
  const world = JSON.parse(readFileSync(file, 'utf8')) as World
  const seconds = Math.round((performance.now() - began) / 1000)
  const cursors = await findCursors(config, sorts, PAGE)
  const server = await startOn(data, url)
  const rows = []
  try {
    for (const shape of [...shapes(world), ...deepShapes(cursors)]) {
      rows.push(await benchShape(server, world, shape))
    }
  } finally {
    await server.stop()
  }
  const database = url === '' ? 'sqlite' : 'postgres'
  printTable(`${size} repositories on ${database}, made in ${seconds} s`, rows)
}

function shapes({ memberId }: World): readonly Shape[] {
  return [
    ['anonymous', ''],
    ['ordinary', ''],
    ['restricted', ''],
    ['administrator', ''],
    ['member', ''],
    ['ordinary', 'q=puffin-osprey'],
    ['anonymous', 'q=app'],
    ['ordinary', 'q=app'],
    ['restricted', 'q=app'],
    ['member', 'q=app'],
    ['ordinary', 'q=falcon'],
    ['ordinary', 'q=ap'],
    ['ordinary', 'q=app&archived=false'],
    ['ordinary', 'q=basalt-for&includeDesc=true'],
    ['ordinary', 'q=app&includeDesc=true'],
    ['ordinary', 'q=topic-1&topic=true'],
    ['ordinary', 'q=topic-499&topic=true'],
    ['ordinary', 'owner=person7'],
    ['ordinary', 'uid=7'],
    ['member', `uid=${memberId}`],
    ['ordinary', 'starredBy=7'],
    ['anonymous', 'q=app&sort=relevance'],
    ['ordinary', 'q=app&sort=relevance'],
    ['ordinary', 'q=falcon&sort=relevance'],
    ['ordinary', 'q=falcon&sort=relevance&includeDesc=true'],
    ...sorts.flatMap((sort) =>
      ['asc', 'desc'].map((order): Shape => ['ordinary', `sort=${sort}&order=${order}`]),
    ),
  ]
}

/** The thousandth page, by number and by cursor. */
function deepShapes(cursors: ReadonlyMap<string, string>): readonly Shape[] {
  return [
    ...sorts.map((sort): Shape => ['ordinary', `sort=${sort}&order=desc&page=${PAGE}`]),
    ...[...cursors].map(([sort, cursor]): Shape => [
      'ordinary',
      `sort=${sort}&order=desc&cursor=${cursor}`,
    ]),
  ]
}

async function benchShape({ url }: Running, world: World, [who, query]: Shape) {
  const callers =
    who === 'ordinary' ? world.ordinary : [who === 'anonymous' ? '' : world.tokens[who]]
  const search = async (place = 0) => {
    const token = callers[place % callers.length]
    const headers: Record<string, string> = token ? { authorization: `token ${token}` } : {}
    const answer = await fetch(`${url}/api/v1/repos/search?${query}`, { headers })
    if (answer.status !== 200) throw new Error(`${query}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
    return answer
  }
  const first = await timed(() => search())
  const one: number[] = []
  for (let round = 0; round < ROUNDS; round++) one.push(await timed(() => search()))
  const eight: number[] = []
  for (let round = 0; round < ROUNDS / 8; round++) {
    const all = Array.from({ length: 8 }, (_, place) => timed(() => search(place)))
    eight.push(...(await Promise.all(all)))
  }
  const total = (await search()).headers.get('x-total-count') ?? ''
  const ms = (number: number) => number.toFixed(1)
  return {
    caller: who,
    query: query.replace(/cursor=.*/, `cursor of page ${PAGE}`) || 'no filter',
    total,
    'first ms': ms(first),
    p50: ms(quantile(one, 0.5)),
    p95: ms(quantile(one, 0.95)),
    'p95, 8 at once': ms(quantile(eight, 0.95)),
  }
}
