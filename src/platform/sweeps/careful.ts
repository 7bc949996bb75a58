import type { Context } from '../context.ts'
import type { Executor } from '../db/database.ts'
import { allowHeld, findHeld, forgetHeld, holdSweep, listHeld, type HeldSweep } from './queries.ts'

export type { HeldSweep } from './queries.ts'

/** What lies there, and what of it belongs to nothing. */
export interface Swept {
  readonly total: number
  readonly strays: readonly string[]
}

const HANDFUL = 10
const FEW_OF_A_HUNDRED = 5

/** A crash leaves a few; a wrong database makes rubbish of everything. */
export function areTooMany({ strays, total }: { strays: number; total: number }): boolean {
  return strays > HANDFUL && strays * 100 > total * FEW_OF_A_HUNDRED
}

/**
 * Throws the strays away, unless they are so many that something else must be wrong: then nothing
 * goes, and a person is asked. Whoever allowed it allowed what was found then.
 */
export async function sweepCarefully(
  ctx: Context,
  name: string,
  { total, strays }: Swept,
  throwAway: (stray: string) => Promise<void>,
): Promise<void> {
  const found = { strays: strays.length, total }
  if (areTooMany(found) && !(await isAllowed(ctx.db, name, found.strays))) {
    await holdSweep(ctx.db, { name, ...found, held_at: ctx.now() })
    ctx.log.error({ sweep: name, ...found }, 'a sweep found too much and took nothing')
    return
  }
  for (const stray of strays) {
    await throwAway(stray)
    ctx.log.info({ sweep: name, stray }, 'moved to the trash: nothing in the database names it')
  }
  await forgetHeld(ctx.db, name)
}

async function isAllowed(db: Executor, name: string, strays: number): Promise<boolean> {
  const held = await findHeld(db, name)
  return held !== undefined && held.allowed_at > 0 && strays <= held.strays + HANDFUL
}

/** Those that wait for a person. */
export async function listHeldSweeps(db: Executor): Promise<readonly HeldSweep[]> {
  return (await listHeld(db)).filter(({ allowed_at }) => allowed_at === 0)
}

/** The next run of that sweep takes what it found; false when none of that name waits. */
export async function allowSweep(db: Executor, name: string, now: number): Promise<boolean> {
  return allowHeld(db, name, now)
}
