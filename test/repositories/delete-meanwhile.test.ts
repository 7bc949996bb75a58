import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { suite, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { folderOf } from '../support/fill.ts'

const ROUNDS = 6

/** What each of these answers while the repository is being deleted, sooner or later after they began. */
async function whileDeleting(
  app: TestApp,
  owner: TestCaller,
  calls: readonly ((path: string) => Promise<TestAnswer>)[],
): Promise<readonly string[]> {
  const answers: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const path = `/repos/${owner.name}/r${round}`
    const made = { name: `r${round}`, auto_init: true, template: true }
    assertStatus(await app.post(owner, '/user/repos', made), 201)
    const folder = await folderOf(app, `${owner.name}/${made.name}`)
    const running = calls.map((call) => call(path))
    await delay(round)
    assertStatus(await app.delete(owner, path), 204)
    rmSync(folder, { recursive: true, maxRetries: 9 })
    for (const { status, text } of await Promise.all(running)) answers.push(`${status} ${text}`)
  }
  return answers
}

suite('a repository that is deleted meanwhile', () => {
  test('is not found by what reads it', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const places = ['issue_templates', 'issue_config', 'commits', 'branches', 'git/refs']

    const answers = await whileDeleting(
      app,
      ann,
      [...places, ...places].map((place) => (path) => app.get(ann, `${path}/${place}`)),
    )

    assert.deepEqual(
      answers.filter((answer) => !/^(?:200|404 .*"not found")/.test(answer)),
      [],
    )
  })
})
