import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { assertSessionEnded, fromElsewhere, signIn, Visitor, type Fields } from '../support.ts'

export interface Setup {
  readonly app: TestApp
  /** Owns the repository ann/one, which has a first commit. */
  readonly ann: TestCaller
  /** Writes it, and administers nothing. */
  readonly bob: TestCaller
  readonly byAnn: Visitor
  readonly byBob: Visitor
  readonly visitor: Visitor
}

export const settings = '/ann/one/settings'

export async function startWithSettings(t: TestContext, changes?: ConfigChanges): Promise<Setup> {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
  await app.put(ann, '/repos/ann/one/collaborators/bob', { permission: 'write' })
  return {
    app,
    ann,
    bob,
    byAnn: await signIn(app, 'ann'),
    byBob: await signIn(app, 'bob'),
    visitor: new Visitor(app),
  }
}

/** Nobody but administrators, from pages of this server, sees or sends it. */
export async function assertForAdministrators(
  { byAnn, byBob, visitor }: Setup,
  page: string,
  form: string,
  fields: Fields = {},
): Promise<void> {
  assertStatus(await byAnn.get(page), 200)
  assertStatus(await byBob.get(page), 404)
  assertStatus(await visitor.get(page), 404)
  assertStatus(await byBob.post(form, fields), 403)
  assertSessionEnded(await visitor.post(form, fields))
  assertStatus(await byAnn.post(form, fields, fromElsewhere), 403)
}

/** The field of a form that is told to be wrong, with what is said about it. */
export function complaintIn(text: string): string {
  const found = /id="([\w-]+)-problem" role="alert">([^<]*)</.exec(text)
  return found ? `${found[1]}: ${found[2]}` : ''
}
