import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../src/config/config.ts'
import { startApp } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'

/** A server with a repository of Ann's, and shorthands for editing and reading it. */
export async function withRepository(
  t: TestContext,
  options: object = {},
  changes: ConfigChanges = {},
) {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  assertStatus(await app.post(ann, '/user/repos', { name: 'r', ...options }), 201)
  const edit = (body: object) => app.patch(ann, '/repos/ann/r', body)
  const read = async () => (await app.get(ann, '/repos/ann/r')).body
  return { app, ann, edit, read }
}
