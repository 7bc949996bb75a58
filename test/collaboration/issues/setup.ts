import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startApp, type TestApp, type TestAnswer, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

export const repo = '/repos/ann/r'
export const issues = `${repo}/issues`

export interface Tracker {
  readonly app: TestApp
  /** Owns the repository. */
  readonly ann: TestCaller
  /** Has nothing to do with it. */
  readonly bob: TestCaller
  /** Writes to it. */
  readonly cat: TestCaller
  /** Opens an issue and gives its record. */
  readonly open: (who: TestCaller, issue: object, path?: string) => Promise<TestAnswer['body']>
}

/** A repository of ann's, empty unless asked otherwise. */
export async function withTracker(
  t: TestContext,
  options: object = {},
  changes: ConfigChanges = {},
): Promise<Tracker> {
  const app = await startApp(t, changes)
  const [ann, bob, cat] = [
    await app.addCaller('ann'),
    await app.addCaller('bob'),
    await app.addCaller('cat'),
  ]
  assertStatus(await app.post(ann, '/user/repos', { name: 'r', ...options }), 201)
  assertStatus(await app.put(ann, `${repo}/collaborators/cat`, { permission: 'write' }), 204)
  const open: Tracker['open'] = async (who, issue, path = issues) => {
    const answer = await app.post(who, path, issue)
    assertStatus(answer, 201)
    return answer.body
  }
  return { app, ann, bob, cat, open }
}

export const column = ({ body }: TestAnswer, key: string): unknown[] =>
  (body as Record<string, unknown>[]).map((item) => item[key])
