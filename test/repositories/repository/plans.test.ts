// One database is enough: PostgreSQL chooses by what it knows of the rows, and there are hardly any
// here.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { findRelations } from '../../../src/repositories/repository/relations.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

/** How SQLite goes about every statement that `work` takes. */
async function plansOf(t: TestContext, { ctx: { db } }: TestApp, work: () => Promise<void>) {
  const executor = db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  const taken: Parameters<typeof execute>[0][] = []
  const watched = t.mock.method(
    executor,
    'executeQuery',
    (...given: Parameters<typeof execute>) => {
      taken.push(given[0])
      return execute(...given)
    },
  )
  await work()
  watched.mock.restore()
  const plans: string[][] = []
  for (const query of taken.filter(({ sql }) => /^\s*select/i.test(sql))) {
    const explained = { ...query, sql: `EXPLAIN QUERY PLAN ${query.sql}` }
    const { rows } = await db.executeQuery<{ detail: string }>(explained)
    plans.push(rows.map(({ detail }) => detail))
  }
  return plans
}

suite('lists of repositories for somebody in many teams', () => {
  test('look at none but those that are listed, whatever else there is', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    assertStatus(await app.post(ann, '/orgs', { username: 'acme' }), 201)
    const team = { name: 'readers', permission: 'read', units: ['repo.code'] }
    const { body } = await app.post(ann, '/orgs/acme/teams', team)
    for (const name of ['one', 'two']) {
      assertStatus(await app.post(ann, '/orgs/acme/repos', { name, private: true }), 201)
      assertStatus(await app.put(ann, `/teams/${body.id}/repos/acme/${name}`), 204)
    }
    assertStatus(await app.put(ann, `/teams/${body.id}/members/bob`), 204)

    const ofOrganization = await plansOf(t, app, async () =>
      assert.equal((await app.get(bob, '/orgs/acme/repos')).body.length, 2),
    )
    const own = await plansOf(t, app, async () =>
      assert.equal((await app.get(bob, '/user/repos')).body.length, 2),
    )

    assert.deepEqual(ofOrganization.filter(isOnceForEachRepository), [])
    assert.deepEqual(own.flat().filter(isOfEverybody), [])
  })

  test('find out what each lets them do from those that are listed', async (t) => {
    const app = await startApp(t)
    const page = Array.from({ length: 30 }, (_, place) => ({ id: 1 + place, ownerId: 1 }))
    const plans = await plansOf(t, app, async () => {
      await findRelations(app.ctx.db, page, [2])
    })

    assert.notEqual(plans.length, 0)
    assert.deepEqual(plans.filter(isOnceForEachTeam), [])
  })
})

/** All repositories of an organization, from each team. */
function isOnceForEachTeam(plan: readonly string[]): boolean {
  const first = plan.findIndex((step) => step.startsWith('SEARCH team_member'))
  return first >= 0 && plan.slice(first).some((step) => /^SEARCH repository .*owner_id/.test(step))
}

/** All teams of somebody, or of the organization, from each repository. */
function isOnceForEachRepository(plan: readonly string[]): boolean {
  return /CORRELATED SCALAR SUBQUERY \d+\n(?:SEARCH team_member|SEARCH team USING)/.test(
    plan.join('\n'),
  )
}

function isOfEverybody(step: string): boolean {
  return step.startsWith('SCAN repository')
}
