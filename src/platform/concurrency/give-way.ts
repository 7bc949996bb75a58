import { setImmediate as nextTurn } from 'node:timers/promises'

/** Who waits for the event loop should not wait longer. */
const TURN_MS = 10

let begun = performance.now()
let last = Promise.resolve()

/**
 * Between pieces of long work: lets everybody else go first when this turn of the event loop has
 * taken long. Of many that wait, as the fifty comments of a page do, each begins when the one
 * before it has done its piece: not `async`, as a promise around this one would end too late.
 */
export function giveWay(): Promise<void> {
  last = last.then(takeTurn)
  return last
}

async function takeTurn(): Promise<void> {
  if (performance.now() - begun < TURN_MS) return
  await nextTurn()
  begun = performance.now()
}

/** Few enough that they take no time worth measuring. */
const AT_ONCE = 32

/** Like `map`, for what may be long. */
export async function mapInTurns<Of, Made>(
  all: readonly Of[],
  make: (one: Of, index: number) => Made,
): Promise<Made[]> {
  const made: Made[] = []
  for (const [index, one] of all.entries()) {
    if (index % AT_ONCE === 0) await giveWay()
    made.push(make(one, index))
  }
  return made
}
