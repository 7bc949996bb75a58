import { AsyncLocalStorage } from 'node:async_hooks'
import type { TestContext } from 'node:test'
import type { TestApp } from './app.ts'

/**
 * Tells how many statements, or those with `words`, some work takes; those of jobs that run
 * meanwhile do not count.
 */
export function countStatements(t: TestContext, app: TestApp, words = '') {
  const caller = new AsyncLocalStorage<{ count: number }>()
  // What is kept from call to call stays: PostgreSQL has another version as soon as any test beside
  // this one writes.
  t.mock.method(app.ctx.db, 'dataVersion', () => 1)
  const executor = app.ctx.db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  t.mock.method(executor, 'executeQuery', (...given: Parameters<typeof execute>) => {
    const mine = caller.getStore()
    if (mine !== undefined && given[0].sql.includes(words)) mine.count++
    return execute(...given)
  })
  return async (work: () => Promise<void>) => {
    const mine = { count: 0 }
    await caller.run(mine, work)
    return mine.count
  }
}
