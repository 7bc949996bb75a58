import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { callerOf } from '../../../src/platform/context.ts'
import { partsOf } from '../../../src/platform/db/parts.ts'
import { isReadable } from '../../../src/collaboration/issues/conditions.ts'
import { idsOf } from '../../../src/collaboration/issues/queries.ts'
import { testDialect } from '../../support/databases.ts'
import { assertStatus } from '../../support/expect.ts'
import { column, issues, repo, withTracker, type Tracker } from './setup.ts'

/** More than are looked through on the way. */
const COUNT = 5400

const isOpen = (number: number) => number % 2 === 0

/** In one go: one by one they would take a minute. */
async function addMany({ app, ann }: Tracker, labels: Record<string, (n: number) => boolean>) {
  const { db } = app.ctx
  const { id: place } = (await app.get(ann, repo)).body
  const numbers = Array.from({ length: COUNT }, (_, index) => index + 1)
  const ids = new Map<number, number>()
  for (const some of partsOf(numbers)) {
    const rows = some.map((number) => ({
      repository_id: place,
      number,
      author_id: ann.id,
      title: `number ${number}`,
      lower_text: number % 7 === 0 ? 'a seventh' : 'another',
      is_closed: isOpen(number) ? (0 as const) : (1 as const),
      created_at: number,
      updated_at: number,
    }))
    const made = await db.insertInto('issue').values(rows).returning(['id', 'number']).execute()
    for (const { id, number } of made) ids.set(number, id)
  }
  for (const [name, isLabelled] of Object.entries(labels)) {
    const { id: label } = (await app.post(ann, `${repo}/labels`, { name, color: 'fff' })).body
    for (const some of partsOf(numbers.filter(isLabelled))) {
      const rows = some.map((number) => ({ issue_id: ids.get(number) ?? 0, label_id: label }))
      await db.insertInto('issue_label').values(rows).execute()
    }
  }
}

/** The newest first, open ones unless `isShown` says otherwise. */
function expected(isShown: (number: number) => boolean): { numbers: number[]; total: number } {
  const all = Array.from({ length: COUNT }, (_, index) => COUNT - index).filter(isShown)
  return { numbers: all.slice(10, 20), total: all.length }
}

const labels = {
  common: (number: number) => number % 3 === 0,
  rare: (number: number) => number % 200 === 0,
}

suite('very many issues', () => {
  test('are listed as few are: by state, label and text, with their number', async (t) => {
    const tracker = await withTracker(t)
    const { app, ann, bob } = tracker
    await addMany(tracker, labels)

    const cases: readonly [query: string, isShown: (number: number) => boolean][] = [
      ['', isOpen],
      ['state=all', () => true],
      ['state=closed', (number) => !isOpen(number)],
      ['labels=common', (number) => isOpen(number) && labels.common(number)],
      ['labels=rare', labels.rare],
      ['labels=rare,common', (number) => labels.rare(number) && labels.common(number)],
      ['labels=common&state=closed', (number) => !isOpen(number) && labels.common(number)],
      ['q=Seventh', (number) => isOpen(number) && number % 7 === 0],
      ['q=nowhere', () => false],
      ['since=1970-01-01T01:00:00Z', (number) => isOpen(number) && number >= 3600],
    ]
    for (const [query, isShown] of cases) {
      const { numbers, total } = expected(isShown)
      for (const list of [issues, '/repos/issues/search']) {
        if (list !== issues && query.includes(',')) continue
        const answer = await app.get(bob, `${list}?limit=10&page=2&${query}`)
        assertStatus(answer, 200)
        assert.deepEqual(column(answer, 'number'), numbers, `${list} ${query}`)
        assert.equal(answer.headers['x-total-count'], String(total), `${list} ${query}`)
      }
    }
    const foreign = await app.get(bob, '/repos/issues/search?limit=10&state=all&created_by=bob')
    assert.equal(foreign.headers['x-total-count'], '0')
    const pulls = await app.get(bob, '/repos/issues/search?limit=10&page=2&type=pulls')
    assert.equal(pulls.headers['x-total-count'], '0')
    await app.post(ann, '/user/repos', { name: 'hidden', private: true })
    await app.post(ann, '/repos/ann/hidden/issues', { title: 'not for everybody' })
    const count = async (caller: typeof ann) =>
      (await app.get(caller, '/repos/issues/search?limit=10')).headers['x-total-count']
    assert.equal(await count(ann), String(COUNT / 2 + 1))
    assert.equal(await count(bob), String(COUNT / 2))
    const { body: hidden } = await app.patch(ann, repo, { private: true })
    assert.equal(hidden.private, true)
    assert.deepEqual((await app.get(bob, '/repos/issues/search?q=seventh')).body, [])
  })
})

/** Repositories of somebody's, each with an issue. */
async function addPlaces({ app, ann }: Tracker): Promise<void> {
  const { db } = app.ctx
  await sql`INSERT INTO repository (owner_id, name, lower_name, folder, default_branch, created_at, updated_at)
    SELECT ${ann.id}, 'place' || n, 'place' || n, 'folder' || n, 'main', 1, 1 FROM generate_series(1, 3000) n`.execute(
    db,
  )
  await sql`INSERT INTO repository_unit (repository_id, unit)
    SELECT id, 'repo.issues' FROM repository WHERE name LIKE 'place%'`.execute(db)
  await sql`INSERT INTO issue (repository_id, number, author_id, title, created_at, updated_at)
    SELECT id, 1, owner_id, name, id, id FROM repository WHERE name LIKE 'place%'`.execute(db)
  await sql`ANALYZE repository, repository_unit, issue`.execute(db)
}

const skip = testDialect === 'sqlite' && 'there nothing is gone through ahead of time'

suite('issues of very many repositories', { skip }, () => {
  test('are found without going through all of these first', async (t) => {
    const tracker = await withTracker(t)
    const { db, config } = tracker.app.ctx
    await addPlaces(tracker)

    const readable = isReadable(config, callerOf(tracker.bob.account), {
      issues: true,
      pulls: true,
    })
    const page = idsOf(db, [readable]).limit(10).compile()
    const explained = { ...page, sql: `EXPLAIN ${page.sql}` }
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': string }>(explained)

    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    assert.match(plan, /on repository/)
    assert.doesNotMatch(plan, /repository_id = \(hashed SubPlan/)
  })
})
