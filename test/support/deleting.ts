import { rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestAnswer, TestApp, TestCaller } from './app.ts'
import { assertStatus } from './expect.ts'
import { folderOf } from './fill.ts'

const ROUNDS = 6

/**
 * What each of these answers while the repository is being deleted, by `stepMs` later after they
 * began in each round.
 */
export async function whileDeleting(
  app: TestApp,
  owner: TestCaller,
  calls: readonly ((path: string) => Promise<TestAnswer>)[],
  stepMs = 1,
): Promise<readonly string[]> {
  const answers: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const path = `/repos/${owner.name}/r${round}`
    const made = { name: `r${round}`, auto_init: true, template: true }
    assertStatus(await app.post(owner, '/user/repos', made), 201)
    const folder = await folderOf(app, `${owner.name}/${made.name}`)
    const running = calls.map((call) => call(path))
    await delay(round * stepMs)
    assertStatus(await app.delete(owner, path), 204)
    rmSync(folder, { recursive: true, maxRetries: 9 })
    for (const { status, text } of await Promise.all(running)) answers.push(`${status} ${text}`)
  }
  return answers
}
