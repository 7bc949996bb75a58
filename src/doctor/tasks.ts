import type { Context } from '../context.ts'
import type { Task } from '../jobs/schedule.ts'
import type { Check } from './check.ts'
import { checksBySubject } from './examine.ts'
import { keepResult } from './results.ts'

/** For administrators to start: whole tables are read, and what is wrong is told, not mended. */
export function checkTasks(ctx: Context): readonly Task[] {
  return Object.entries(checksBySubject(ctx.config)).map(([subject, checks]) => ({
    name: `check_${subject}`,
    run: () => tellFindings(ctx, checks),
  }))
}

async function tellFindings({ db, log, now }: Context, checks: readonly Check[]): Promise<void> {
  for (const { name, find } of checks) {
    const found = await find(db)
    if (found.length === 0) log.info({ check: name }, 'all is well')
    else log.warn({ check: name, found: found.slice(0, 100), count: found.length }, 'not well')
    await keepResult(db, name, found, now())
  }
}
