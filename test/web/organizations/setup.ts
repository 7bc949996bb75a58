import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/config/config.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { signIn, Visitor } from '../support.ts'

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
