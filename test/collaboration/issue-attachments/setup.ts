import type { TestContext } from 'node:test'
import { upload, type SentFile } from '../../repositories/attachments/form.ts'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

export const FORBIDDEN =
  'This file cannot be uploaded or modified due to a forbidden file extension or type.'

export interface IssueSetup {
  readonly app: TestApp
  /** Owns the repository. */
  readonly ann: TestCaller
  /** Wrote the issue. */
  readonly bob: TestCaller
  readonly path: string
  readonly issue: string
  readonly assets: string
}

/** An empty repository of ann with an issue of bob. */
export async function start(t: TestContext, changes: ConfigChanges = {}): Promise<IssueSetup> {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  assertStatus(await app.post(ann, '/user/repos', { name: 'one' }), 201)
  const path = '/repos/ann/one'
  const issue = await openIssue(app, bob, path)
  return { app, ann, bob, path, issue, assets: `${issue}/assets` }
}

export async function openIssue(app: TestApp, who: TestCaller, path: string): Promise<string> {
  const made = await app.post(who, `${path}/issues`, { title: 'an issue' })
  assertStatus(made, 201)
  return `${path}/issues/${made.body.number}`
}

export async function say(
  app: TestApp,
  who: TestCaller,
  path: string,
  issue: string,
): Promise<string> {
  const made = await app.post(who, `${issue}/comments`, { body: 'a remark' })
  assertStatus(made, 201)
  return `${path}/issues/comments/${made.body.id}`
}

export async function attach(app: TestApp, who: TestCaller, path: string, file?: SentFile) {
  const made = await upload(app, who, path, file)
  assertStatus(made, 201)
  return made.body
}
