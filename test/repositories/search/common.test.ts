import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../../support/app.ts'

/** More than a search sorts before it walks through an index instead. */
const COUNT = 3_400
const PER_PAGE = 10

function nameOf(n: number): string {
  if (n === 1) return 'app'
  if (n === 2) return 'ppz'
  return n % 17 === 0 ? `my-app-${n}` : n % 19 === 0 ? `core-${n}` : `app-${n}`
}

/** What one of the repositories is like, by its number. */
function plainOf(n: number) {
  return {
    id: n,
    name: nameOf(n),
    isPrivate: n % 3 === 0,
    isShared: n % 60 === 0,
    stars: n % 7,
    hasTopic: n % 50 === 0,
  }
}
type Plain = ReturnType<typeof plainOf>
const world = Array.from({ length: COUNT }, (_, index) => plainOf(index + 1))

/** Ann owns all of them; bob collaborates on a few. */
async function build({ ctx: { db } }: TestApp, ann: TestCaller, bob: TestCaller): Promise<void> {
  const columns = sql`(id, owner_id, name, lower_name, folder, description, lower_description, default_branch,
    is_private, stars_count, created_at, updated_at)`
  for (let from = 0; from < COUNT; from += 500) {
    const rows = world
      .slice(from, from + 500)
      .map(
        ({ id, name, isPrivate, stars }) =>
          sql`(${id}, ${ann.id}, ${name}, ${name}, ${`f${id}`}, 'for all', 'for all', 'main', ${isPrivate ? 1 : 0}, ${stars}, 1, 1)`,
      )
    await sql`INSERT INTO repository ${columns} VALUES ${sql.join(rows)}`.execute(db)
  }
  await sql`INSERT INTO topic (id, name, repo_count, created_at, updated_at) VALUES (1, 'apples', 68, 1, 1)`.execute(
    db,
  )
  await sql`INSERT INTO repository_topic (repository_id, topic_id)
    SELECT id, 1 FROM repository WHERE id % 50 = 0`.execute(db)
  await sql`INSERT INTO collaboration (repository_id, account_id, access, created_at)
    SELECT id, ${bob.id}, 'read', 1 FROM repository WHERE id % 60 = 0`.execute(db)
}

/**
 * Leaves the text index, which SQLite alone brings up to date later, with what every fifth was
 * before: another name, seen by others.
 */
async function misleadIndex({ ctx: { db, textIndex } }: TestApp): Promise<void> {
  if (db.dialect !== 'sqlite') return
  await sql`UPDATE repository SET lower_name = 'app-' || lower_name, is_private = 1 - is_private
    WHERE id % 5 = 0`.execute(db)
  await textIndex.flush()
  await sql`UPDATE repository SET lower_name = name, is_private = 1 - is_private
    WHERE id % 5 = 0`.execute(db)
}

interface Case {
  readonly query: string
  readonly fits: (repo: Plain) => boolean
  readonly word?: string
}

const cases: readonly Case[] = [
  { query: '', fits: () => true },
  { query: 'q=app', fits: (repo) => repo.name.includes('app') || repo.hasTopic, word: 'app' },
  { query: 'q=pp', fits: (repo) => repo.name.includes('pp') || repo.hasTopic, word: 'pp' },
  { query: 'q=p-1', fits: (repo) => repo.name.includes('p-1'), word: 'p-1' },
  { query: 'q=or+a&includeDesc=true', fits: () => true, word: 'or a' },
  { query: 'q=apples&topic=true', fits: (repo) => repo.hasTopic, word: 'apples' },
  {
    query: 'q=app&is_private=true',
    fits: (repo) => (repo.isPrivate && /app/.test(repo.name)) || (repo.isPrivate && repo.hasTopic),
    word: 'app',
  },
  { query: 'q=my-a,core', fits: ({ name }) => /^my-a|^core/.test(name) },
  { query: 'q=y-app,app-&owner=ann', fits: ({ name }) => /y-app|app-/.test(name) },
]

function rankOf(name: string, word = ''): number {
  return name === word ? 0 : name.startsWith(word) ? 1 : name.includes(word) ? 2 : 3
}

type Order = (a: Plain, b: Plain) => number
const byName: Order = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
const orders = (word: string | undefined): Record<string, Order> => ({
  '': (a, b) => byName(a, b) || a.id - b.id,
  'sort=stars&order=desc': (a, b) => b.stars - a.stars || a.id - b.id,
  'sort=alpha&order=desc': (a, b) => byName(b, a),
  ...(word === undefined
    ? {}
    : {
        'sort=relevance': (a, b) =>
          rankOf(a.name, word) - rankOf(b.name, word) || b.stars - a.stars || a.id - b.id,
      }),
})

const idsOf = ({ body }: TestAnswer): number[] => body.data.map(({ id }: { id: number }) => id)
const nextOf = ({ headers }: TestAnswer) =>
  /<[^>]*\/api\/v1([^>]*)>; rel="next"/.exec(headers['link'] ?? '')?.[1]

suite('a search that finds very many', () => {
  test('finds what a plain look finds, on near and far pages, by number and by cursor, from rank to rank', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await build(app, ann, bob)
    const callers: [TestCaller | undefined, (repo: Plain) => boolean][] = [
      [undefined, (repo) => !repo.isPrivate],
      [ann, () => true],
      [bob, (repo) => !repo.isPrivate || repo.isShared],
    ]

    for (const { query, fits, word } of cases) {
      await misleadIndex(app)
      for (const [caller, sees] of callers) {
        for (const [order, compare] of Object.entries(orders(word))) {
          const address = `/repos/search?${query}&${order}&limit=${PER_PAGE}`
          const ids = world.filter((repo) => sees(repo) && fits(repo)).toSorted(compare)
          const wanted = (page: number) =>
            ids.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(({ id }) => id)
          const near = await app.get(caller, address)
          assert.equal(near.headers['x-total-count'], String(ids.length), address)
          assert.deepEqual(idsOf(near), wanted(1), address)
          const last = Math.ceil(ids.length / PER_PAGE)
          assert.deepEqual(idsOf(await app.get(caller, `${address}&page=${last}`)), wanted(last))
          const first = await app.get(caller, `${address}&cursor=`)
          const next = nextOf(first)
          if (next) assert.deepEqual(idsOf(await app.get(caller, next)), wanted(2), next)
        }
      }
    }

    const found: number[] = []
    let next: string | undefined = '/repos/search?q=app&sort=relevance&cursor=&limit=50'
    while (next !== undefined) {
      const page = await app.get(ann, next)
      found.push(...idsOf(page))
      next = nextOf(page)
    }

    const compare = orders('app')['sort=relevance']
    const wanted = world.filter(({ name, hasTopic }) => name.includes('app') || hasTopic)
    assert.deepEqual(
      found,
      wanted.toSorted(compare).map(({ id }) => id),
    )
  })
})
