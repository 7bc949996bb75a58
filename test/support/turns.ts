/**
 * How many turns the event loop has while `work` is done: in each of them somebody else can be
 * answered.
 */
export async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const next = () => {
    turns++
    if (!isOver) setImmediate(next)
  }
  next()
  await work()
  isOver = true
  return turns
}
