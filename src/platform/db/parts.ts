import { setImmediate as nextTurn } from 'node:timers/promises'

/** A statement takes only so many parameters: here up to thirty for each item. */
const AT_ONCE = 1000

/** Long lists as shorter ones, one after the other. */
export function* partsOf<T>(items: readonly T[], size = AT_ONCE): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}

/** So few at a time that nobody waits long for SQLite, which holds everybody up while it writes. */
const IN_A_TURN = 200

/** Does `write` with a part of many rows after the other; others have their turn in between. */
export async function writeInTurns<T>(
  rows: readonly T[],
  write: (some: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (const some of partsOf(rows, IN_A_TURN)) {
    await write(some)
    if (some.length === IN_A_TURN) await nextTurn()
  }
}
