import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { assertSessionEnded, fromElsewhere, signIn, Visitor, type Fields } from '../support.ts'

export interface Setup {
  readonly app: TestApp
  /** Owns the organization acme. */
  readonly ann: TestCaller
  /** Is a member of it, in the team crew, and owns nothing. */
  readonly bob: TestCaller
  readonly byAnn: Visitor
  readonly byBob: Visitor
  readonly visitor: Visitor
  readonly teamId: number
}

export async function startWithOrganization(
  t: TestContext,
  changes?: ConfigChanges,
): Promise<Setup> {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  await app.post(ann, '/orgs', { username: 'acme' })
  const { body } = await app.post(ann, '/orgs/acme/teams', { name: 'crew', permission: 'read' })
  await app.put(ann, `/teams/${body.id}/members/bob`)
  return {
    app,
    ann,
    bob,
    teamId: body.id as number,
    byAnn: await signIn(app, 'ann'),
    byBob: await signIn(app, 'bob'),
    visitor: new Visitor(app),
  }
}

/** Nobody but owners, from pages of this server, sees or sends it. */
export async function assertForOwners(
  { byAnn, byBob, visitor }: Setup,
  page: string,
  action: string,
  fields: Fields = {},
): Promise<void> {
  assertStatus(await byAnn.get(page), 200)
  assertStatus(await byBob.get(page), 404)
  const login = `/user/login?redirect_to=${encodeURIComponent(page)}`
  assert.equal((await visitor.get(page)).headers['location'], login)
  assertStatus(await byBob.post(action, fields), 403)
  assertSessionEnded(await visitor.post(action, fields))
  assertStatus(await byAnn.post(action, fields, fromElsewhere), 403)
}
