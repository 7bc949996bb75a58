import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { assertSessionEnded, fromElsewhere, signIn, Visitor, type Fields } from '../support.ts'

export interface Setup {
  readonly app: TestApp
  /** Administers the server. */
  readonly root: TestCaller
  /** Administers nothing. */
  readonly ann: TestCaller
  readonly byRoot: Visitor
  readonly byAnn: Visitor
  readonly visitor: Visitor
}

export const administration = '/-/admin'

export async function startWithAdministrator(
  t: TestContext,
  changes?: ConfigChanges,
): Promise<Setup> {
  const app = await startApp(t, changes)
  return {
    app,
    root: await app.addAdmin('root'),
    ann: await app.addCaller('ann'),
    byRoot: await signIn(app, 'root'),
    byAnn: await signIn(app, 'ann'),
    visitor: new Visitor(app),
  }
}

/** For everybody but administrators there is no such page; a token of theirs is no session. */
export async function assertSeenByAdministrators(
  { root, byRoot, byAnn, visitor }: Setup,
  page: string,
): Promise<void> {
  assertStatus(await byRoot.get(page), 200)
  assertStatus(await byAnn.get(page), 404)
  const login = `/user/login?redirect_to=${encodeURIComponent(page)}`
  assert.equal((await visitor.get(page)).headers['location'], login)
  assert.equal((await visitor.get(page, root.headers)).headers['location'], login)
}

/** A form that nobody but administrators can send, and no other site in their name. */
export async function assertTakenFromAdministrators(
  { root, byRoot, byAnn, visitor }: Setup,
  form: string,
  fields: Fields = {},
): Promise<void> {
  assertStatus(await byAnn.post(form, fields), 404)
  assertSessionEnded(await visitor.post(form, fields))
  assertSessionEnded(await visitor.post(form, fields, root.headers))
  assertStatus(await byRoot.post(form, fields, fromElsewhere), 403)
}
