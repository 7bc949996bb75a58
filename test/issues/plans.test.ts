// One database is enough: PostgreSQL chooses by what it knows of the rows, and there are none here.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { filtersOf, isOfRepository, type IssueFilter } from '../../src/issues/conditions.ts'
import { idsOf, type IssueOrder } from '../../src/issues/queries.ts'
import { startApp } from '../support/app.ts'

const open: IssueFilter = { state: 'open', keyword: '' }
const byState = 'SEARCH issue USING COVERING INDEX issue_by_state (repository_id=? AND is_closed=?)'
const byCreation = 'SEARCH issue USING COVERING INDEX issue_by_creation (repository_id=?)'
const sorted = 'USE TEMP B-TREE FOR ORDER BY'

const shapes: readonly [name: string, IssueFilter, IssueOrder, plan: readonly string[]][] = [
  ['open', open, 'newest', [byState]],
  ['closed, oldest first', { ...open, state: 'closed' }, 'oldest', [byState]],
  ['all', { ...open, state: 'all' }, 'newest', [byCreation]],
  ['by somebody', { ...open, createdBy: 1 }, 'newest', [byState]],
  ['lately changed', { ...open, since: 1, before: 2 }, 'newest', [byState]],
  ['by last change', open, 'updated', [byState, sorted]],
  ['by comments', open, 'comments', [byState, sorted]],
]

suite('lists of issues', () => {
  for (const [name, filter, order, expected] of shapes) {
    test(`are read off an index: ${name}`, async (t) => {
      const { db } = (await startApp(t)).ctx
      const conditions = [isOfRepository(1, { issues: true, pulls: false }), ...filtersOf(filter)]
      const compiled = idsOf(db, conditions, order).limit(20).compile()
      const explained = { ...compiled, sql: `EXPLAIN QUERY PLAN ${compiled.sql}` }
      const { rows } = await db.executeQuery<{ detail: string }>(explained)

      assert.deepEqual(
        rows.map(({ detail }) => detail),
        expected,
      )
    })
  }
})
