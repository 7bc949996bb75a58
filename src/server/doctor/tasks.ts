import type { Context } from '../../platform/context.ts'
import type { Task } from '../../platform/jobs/schedule.ts'
import { checksBySubject } from './examine.ts'
import { Examiner } from './examiner.ts'
import { keepResult } from './results.ts'

/** For administrators to start: whole tables are read, and what is wrong is told, not mended. */
export function checkTasks(ctx: Context): readonly Task[] {
  const examiner = new Examiner(ctx.config)
  return Object.keys(checksBySubject(ctx.config)).map((subject) => ({
    name: `check_${subject}`,
    run: () => tellFindings(ctx, examiner, subject),
  }))
}

async function tellFindings(
  { db, log, now }: Context,
  examiner: Examiner,
  subject: string,
): Promise<void> {
  for (const { check, found } of await examiner.examine(subject)) {
    if (found.length === 0) log.info({ check }, 'all is well')
    else log.warn({ check, found: found.slice(0, 100), count: found.length }, 'not well')
    await keepResult(db, check, found, now())
  }
}
