import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

const people = ['ann', 'bob', 'cat']
const words = ['app', 'core', 'äpfel', 'x_y', '50%']
const topics = ['go', 'rust', 'golang']

/** A few repositories of three people, in all the ways in which a filter can tell them apart. */
const worlds = fc.array(
  fc.record({
    owner: fc.nat({ max: 2 }),
    word: fc.constantFrom('app', 'core', 'happy', 'x_y', 'xzy'),
    description: fc.constantFrom('', 'An App', 'ÄPFEL und Birnen', '50% off', 'x_y'),
    oldDescription: fc.constantFrom('', 'An App', '50% off'),
    isPrivate: fc.boolean(),
    wasPrivate: fc.boolean(),
    isTemplate: fc.boolean(),
    isArchived: fc.boolean(),
    topics: fc.subarray(topics),
    stars: fc.subarray([0, 1, 2]),
  }),
  { minLength: 4, maxLength: 9 },
)
type Plain = (typeof worlds extends fc.Arbitrary<infer W> ? W : never)[number] & {
  readonly id: number
  readonly name: string
}

const flag = fc.option(fc.constantFrom('true', 'false'), { nil: undefined })
const queries = fc.record({
  q: fc.option(fc.oneof(fc.constantFrom(...words, ...topics, 'APP', 'app,core', 'ann/app')), {
    nil: undefined,
  }),
  topic: flag,
  includeDesc: flag,
  is_private: flag,
  template: flag,
  archived: flag,
  private: flag,
  owner: fc.option(fc.constantFrom(...people, 'nobody'), { nil: undefined }),
  topics: fc.option(fc.constantFrom('go', 'go,rust'), { nil: undefined }),
  starredBy: fc.option(fc.nat({ max: 2 }), { nil: undefined }),
  sort: fc.option(fc.constantFrom('alpha', 'stars', 'id'), { nil: undefined }),
  order: fc.option(fc.constantFrom('asc', 'desc'), { nil: undefined }),
})
type Asked = typeof queries extends fc.Arbitrary<infer Q> ? Q : never

/**
 * On SQLite the text index then knows some of them, others as they were before, and some not at
 * all.
 */
async function build(
  app: TestApp,
  callers: readonly TestCaller[],
  world: readonly Omit<Plain, 'id' | 'name'>[],
) {
  const made: Plain[] = []
  for (const [index, wanted] of world.entries()) {
    const name = `${wanted.word}-${index}`
    const created = await app.post(callers[wanted.owner], '/user/repos', {
      name,
      description: wanted.oldDescription,
      private: wanted.wasPrivate,
      template: wanted.isTemplate,
    })
    assertStatus(created, 201)
    made.push({ ...wanted, name, id: created.body.id })
    if (index === Math.floor(world.length / 2)) await app.ctx.textIndex.flush()
  }
  const asWanted: Plain[] = []
  for (const repo of made) asWanted.push(await makeAsWanted(app, callers, repo))
  return asWanted
}

async function makeAsWanted(app: TestApp, callers: readonly TestCaller[], wanted: Plain) {
  const owner = callers[wanted.owner]
  const path = `/repos/${owner?.name}/${wanted.name}`
  const { description, isPrivate } = wanted
  if (description !== wanted.oldDescription)
    assertStatus(await app.patch(owner, path, { description }), 200)
  if (isPrivate !== wanted.wasPrivate)
    assertStatus(await app.patch(owner, path, { private: isPrivate }), 200)
  assertStatus(await app.put(owner, `${path}/topics`, { topics: wanted.topics }), 204)
  const stars: number[] = []
  for (const person of wanted.stars) {
    const starred = await app.put(callers[person], `/user/starred/${owner?.name}/${wanted.name}`)
    if (starred.status === 204) stars.push(person)
  }
  if (wanted.isArchived) assertStatus(await app.patch(owner, path, { archived: true }), 200)
  return { ...wanted, stars }
}

/** The obvious way: each repository by itself, each filter by itself. */
function expected(world: readonly Plain[], asked: Asked, me: number): readonly Plain[] {
  const is = (text: string | undefined, value: boolean) =>
    text === undefined || (text === 'true') === value
  return world
    .filter((repo) => !repo.isPrivate || (repo.owner === me && asked.private !== 'false'))
    .filter((repo) => is(asked.is_private, repo.isPrivate))
    .filter((repo) => is(asked.template, repo.isTemplate))
    .filter((repo) => is(asked.archived, repo.isArchived))
    .filter((repo) => asked.owner === undefined || people[repo.owner] === asked.owner)
    .filter((repo) =>
      (asked.topics ?? '').split(',').every((one) => one === '' || repo.topics.includes(one)),
    )
    .filter((repo) => asked.starredBy === undefined || repo.stars.includes(asked.starredBy))
    .filter((repo) => asked.q === undefined || matches(repo, asked.q.toLowerCase(), asked))
    .toSorted(comparing(asked))
}

function matches(repo: Plain, text: string, { topic, includeDesc }: Asked): boolean {
  const pieces = text.split(',')
  if (topic === 'true') return pieces.some((piece) => repo.topics.includes(piece))
  const [owner = '', name = '', ...more] = text.split('/')
  const byPath = text.includes('/') && more.length === 0
  if (byPath && people[repo.owner]?.includes(owner) && repo.name.includes(name)) return true
  return pieces.some(
    (piece) =>
      repo.name.includes(piece) ||
      repo.topics.some((one) => one.includes(piece)) ||
      (includeDesc === 'true' && repo.description.toLowerCase().includes(piece)),
  )
}

function comparing({ q, sort, order }: Asked): (a: Plain, b: Plain) => number {
  const down = order === 'desc' && sort !== undefined ? -1 : 1
  const path = (repo: Plain) => `${people[repo.owner]}/${repo.name}`
  const keys: Record<string, (a: Plain, b: Plain) => number> = {
    alpha: (a, b) => (path(a) < path(b) ? -1 : 1),
    stars: (a, b) => a.stars.length - b.stars.length,
    id: (a, b) => a.id - b.id,
    name: (a, b) => (a.name === b.name ? 0 : a.name < b.name ? -1 : 1),
  }
  const first = (repo: Plain) => (q?.startsWith('ann/') && people[repo.owner] !== 'ann' ? 1 : 0)
  return (a, b) => first(a) - first(b) || down * (keys[sort ?? 'name']?.(a, b) ?? 0) || a.id - b.id
}

function addressOf(asked: Asked, callers: readonly TestCaller[]): string {
  const { starredBy, ...texts } = asked
  const given = Object.entries(texts).filter(([, value]) => value !== undefined) as [
    string,
    string,
  ][]
  const parameters = new URLSearchParams(given)
  if (starredBy !== undefined) parameters.set('starredBy', String(callers[starredBy]?.id))
  return `/repos/search?${parameters.toString()}`
}

const idsOf = ({ body }: TestAnswer): number[] => body.data.map(({ id }: { id: number }) => id)

/** All pages, each by the link in the one before it. */
async function followCursor(app: TestApp, caller: TestCaller | undefined, address: string) {
  const ids: number[] = []
  let next: string | undefined = `${address}&cursor=&limit=2`
  while (next !== undefined) {
    const page = await app.get(caller, next)
    ids.push(...idsOf(page))
    next = /<[^>]*\/api\/v1([^>]*)>; rel="next"/.exec(page.headers['link'] ?? '')?.[1]
  }
  return ids
}

suite('a search', () => {
  test('finds what a plain look at every repository finds, in its order, by number and by cursor', async (t) => {
    await fc.assert(
      fc.asyncProperty(
        worlds,
        fc.array(queries, { minLength: 12, maxLength: 12 }),
        async (world, asked) => {
          const app = await startApp(t)
          const callers: TestCaller[] = []
          for (const name of people) callers.push(await app.addCaller(name))
          const repositories = await build(app, callers, world)

          const assertFinds = async (query: Asked, me: number) => {
            const address = addressOf(query, callers)
            const wanted = expected(repositories, query, me).map(({ id }) => id)
            const found = await app.get(callers[me], `${address}&limit=3`)
            assert.deepEqual(idsOf(found), wanted.slice(0, 3), address)
            assert.equal(found.headers['x-total-count'], String(wanted.length), address)
            assert.deepEqual(await followCursor(app, callers[me], address), wanted, address)
          }
          for (const [index, query] of asked.entries()) await assertFinds(query, (index % 4) - 1)
          await app.ctx.textIndex.flush()
          for (const [index, query] of asked.entries()) await assertFinds(query, (index % 4) - 1)
        },
      ),
      { numRuns: 6 },
    )
  })

  test('that follows a cursor neither repeats nor skips what stays, while repositories come and go', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    for (const name of ['b', 'd', 'f', 'h']) await app.post(ann, '/user/repos', { name })

    const first = await app.get(ann, '/repos/search?sort=alpha&limit=2&cursor=')
    await app.delete(ann, '/repos/ann/b')
    await app.post(ann, '/user/repos', { name: 'a' })
    const next = /<[^>]*\/api\/v1([^>]*)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? ''
    const second = await app.get(ann, next)

    const names = ({ body }: TestAnswer) => body.data.map(({ name }: { name: string }) => name)
    assert.deepEqual(
      [names(first), names(second)],
      [
        ['b', 'd'],
        ['f', 'h'],
      ],
    )
    assert.match(second.headers['link'] ?? '', /cursor=&limit=2&sort=alpha>; rel="first"$/)
  })

  test('with a cursor that is none is refused', async (t) => {
    const app = await startApp(t)
    const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

    for (const cursor of ['x', forged({}), forged(['a']), forged([1, 1]), forged(['a\u0000', 1])]) {
      const answer = await app.get(undefined, `/repos/search?cursor=${cursor}`)
      assert.deepEqual([answer.status, answer.body.message], [422, 'invalid cursor'], cursor)
    }
  })

  test('by relevance shows the exact name first, then beginnings, then the rest, by stars', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    for (const name of ['my-tool', 'tool-b', 'tool', 'tool-a', 'other']) {
      await app.post(ann, '/user/repos', { name, description: name === 'other' ? 'a tool' : '' })
    }
    await app.put(ann, '/user/starred/ann/tool-a')

    const found = await app.get(ann, '/repos/search?q=tool&includeDesc=true&sort=relevance')

    const names = found.body.data.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['tool', 'tool-a', 'tool-b', 'my-tool', 'other'])
    const joann = await app.addCaller('joann')
    await app.post(joann, '/user/repos', { name: 'tool' })
    await app.put(ann, '/user/starred/joann/tool')
    const byPath = await app.get(ann, '/repos/search?q=ann/tool&sort=relevance')
    const paths = byPath.body.data.map((repo: { full_name: string }) => repo.full_name)
    assert.deepEqual(paths.slice(0, 3), ['joann/tool', 'ann/tool', 'ann/tool-a'])
  })

  test('is ordered by the column that it names, and narrowed to forks, mirrors or neither', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const rows = {
      a: { created_at: 3, updated_at: 2, git_size: 9, lfs_size: 0, forks_count: 3, is_fork: 1 },
      b: { created_at: 1, updated_at: 4, git_size: 4, lfs_size: 7, forks_count: 1, is_mirror: 1 },
      c: { created_at: 2, updated_at: 3, git_size: 3, lfs_size: 3, forks_count: 4 },
      d: { created_at: 4, updated_at: 1, git_size: 0, lfs_size: 8, forks_count: 2 },
    } as const
    for (const [name, row] of Object.entries(rows)) {
      await app.post(ann, '/user/repos', { name })
      await app.put(ann, `/repos/ann/${name}/collaborators/bob`, { permission: 'write' })
      await app.ctx.db.updateTable('repository').set(row).where('name', '=', name).execute()
    }
    const cases = {
      'sort=created': 'bcad',
      'sort=updated': 'dacb',
      'sort=git_size': 'dcba',
      'sort=lfs_size': 'acbd',
      'sort=size': 'cdab',
      'sort=forks': 'bdac',
      'mode=fork': 'a',
      'mode=mirror': 'b',
      'mode=source': 'cd',
      'mode=collaborative': 'acd',
      'q=c, d': 'c',
    }

    for (const [query, wanted] of Object.entries(cases)) {
      for (const order of query.startsWith('sort') ? ['asc', 'desc'] : ['']) {
        const { body } = await app.get(bob, `/repos/search?${query}&order=${order}`)
        const names: string[] = body.data.map(({ name }: { name: string }) => name)
        if (order === 'desc') names.reverse()
        assert.equal(names.join(''), wanted, query)
      }
    }
  })

  test('is narrowed by language, license and time', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'licensed', auto_init: true, license: 'MIT' })
    await app.post(ann, '/user/repos', { name: 'plain' })
    await app.ctx.db
      .updateTable('repository')
      .set({ language: 'Go', created_at: 10, updated_at: 20 })
      .where('name', '=', 'plain')
      .execute()
    const namesBy = async (filter: string) =>
      (await app.get(ann, `/repos/search?${filter}`)).body.data.map(
        ({ name }: { name: string }) => name,
      )

    assert.deepEqual(await namesBy('license=mit'), ['licensed'])
    assert.deepEqual(await namesBy('license=MIT&owner=ANN'), ['licensed'])
    assert.deepEqual(await namesBy('license=mi'), [])
    assert.deepEqual(await namesBy('language=gO'), ['plain'])
    assert.deepEqual(await namesBy('language=g'), [])
    assert.deepEqual(await namesBy('updated_since=1970-01-01T00:00:20Z'), ['licensed', 'plain'])
    assert.deepEqual(await namesBy('updated_since=1970-01-01T00:00:21Z'), ['licensed'])
    assert.deepEqual(await namesBy('updated_since=2100-01-01T00:00:00Z'), [])
    assert.equal((await app.get(ann, '/repos/search?updated_since=soon')).status, 422)
  })
})
