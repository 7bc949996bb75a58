// One database is enough: PostgreSQL chooses by what it knows of the rows, and there are none here.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Compilable } from 'kysely'
import { configWith } from '../../../src/platform/config/config.ts'
import { anonymous } from '../../../src/platform/context.ts'
import type { Database } from '../../../src/platform/db/database.ts'
import {
  filtersOf,
  hasLabelNamed,
  hasMilestoneTitled,
  isOfRepository,
  type IssueCondition,
  type IssueFilter,
} from '../../../src/collaboration/issues/conditions.ts'
import { idsOf, type IssueOrder } from '../../../src/collaboration/issues/queries.ts'
import { isVisibleRepository } from '../../../src/repositories/repository/visibility.ts'
import { startApp } from '../../support/app.ts'

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

async function planOf(db: Database, query: Compilable): Promise<readonly string[]> {
  const compiled = query.compile()
  const explained = { ...compiled, sql: `EXPLAIN QUERY PLAN ${compiled.sql}` }
  const { rows } = await db.executeQuery<{ detail: string }>(explained)
  return rows.map(({ detail }) => detail)
}

const isVisible = isVisibleRepository(configWith(''), anonymous)
const named: readonly [what: string, condition: IssueCondition, index: string][] = [
  [
    'labels',
    hasLabelNamed(['bug'], isVisible),
    'SEARCH label USING INDEX label_by_name (<expr>=?)',
  ],
  [
    'milestones',
    hasMilestoneTitled(['v1']),
    'SEARCH milestone USING INDEX milestone_by_title (<expr>=?)',
  ],
]

suite('lists of issues', () => {
  for (const [what, condition, index] of named) {
    test(`find ${what} by their names off an index`, async (t) => {
      const { db } = (await startApp(t)).ctx
      const plan = await planOf(db, idsOf(db, [condition]))

      assert.ok(plan.includes(index), plan.join('\n'))
    })
  }

  for (const [name, filter, order, expected] of shapes) {
    test(`are read off an index: ${name}`, async (t) => {
      const { db } = (await startApp(t)).ctx
      const conditions = [isOfRepository(1, { issues: true, pulls: false }), ...filtersOf(filter)]

      assert.deepEqual(await planOf(db, idsOf(db, conditions, order).limit(20)), expected)
    })
  }
})
