import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { assertSessionEnded, fromElsewhere, signIn, Visitor, type Fields } from '../support.ts'

export interface Setup {
  readonly app: TestApp
  readonly ann: TestCaller
  readonly byAnn: Visitor
  readonly visitor: Visitor
}

export const settings = '/user/settings'

export async function startWithAccount(t: TestContext, changes?: ConfigChanges): Promise<Setup> {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  return { app, ann, byAnn: await signIn(app, 'ann'), visitor: new Visitor(app) }
}

/** Nobody but whoever is signed in, from pages of this server, sees or sends it. */
export async function assertOwn(
  { ann, byAnn, visitor }: Setup,
  page: string,
  form: string,
  fields: Fields = {},
): Promise<void> {
  assertStatus(await byAnn.get(page), 200)
  const login = `/user/login?redirect_to=${encodeURIComponent(page)}`
  assert.equal((await visitor.get(page)).headers['location'], login)
  assert.equal((await visitor.get(page, ann.headers)).headers['location'], login)
  assertSessionEnded(await visitor.post(form, fields))
  assertSessionEnded(await visitor.post(form, fields, ann.headers))
  assertStatus(await byAnn.post(form, fields, fromElsewhere), 403)
}
