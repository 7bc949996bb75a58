import { setTimeout as delay } from 'node:timers/promises'
import type { TestAnswer } from './app.ts'

const ROUNDS = 6

/**
 * Two calls at the same moment, in each of several rounds. What is there for them is made by
 * `prepare`, and looked at by `judge`.
 */
export async function atOnce<T>(
  prepare: (round: number) => Promise<T>,
  calls: readonly [(made: T) => Promise<TestAnswer>, (made: T) => Promise<TestAnswer>],
  judge: (made: T, answers: readonly [TestAnswer, TestAnswer]) => Promise<void> | void,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const made = await prepare(round)
    // One or the other comes later, by ever more.
    const begin = async (index: 0 | 1) => {
      if (index === round % 2) await delay(Math.floor(round / 2))
      return calls[index](made)
    }
    await judge(made, await Promise.all([begin(0), begin(1)]))
  }
}
