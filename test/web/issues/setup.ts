import type { TestContext } from 'node:test'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { signIn, Visitor } from '../support.ts'

export interface Setup {
  readonly app: TestApp
  /** Owns the repository ann/one. */
  readonly ann: TestCaller
  /** May read it, like everybody. */
  readonly bob: TestCaller
  readonly byAnn: Visitor
  readonly byBob: Visitor
  readonly visitor: Visitor
}

export const issues = '/ann/one/issues'

export async function startWithIssues(
  t: TestContext,
  options: Readonly<Record<string, unknown>> = {},
  changes: Parameters<typeof startApp>[1] = {},
): Promise<Setup> {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  await app.post(ann, '/user/repos', { name: 'one', ...options })
  return {
    app,
    ann,
    bob,
    byAnn: await signIn(app, 'ann'),
    byBob: await signIn(app, 'bob'),
    visitor: new Visitor(app),
  }
}

/** Gives the number of the issue. */
export async function addIssue(
  { app }: Setup,
  who: TestCaller,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<number> {
  const { body } = await app.post(who, '/repos/ann/one/issues', { title: 'Broken', ...fields })
  return body.number as number
}

export async function addFile({ app, ann }: Setup, path: string, text: string): Promise<void> {
  const content = Buffer.from(text).toString('base64')
  const file = { content, message: `Add ${path}` }
  const { status, text: told } = await app.post(ann, `/repos/ann/one/contents/${path}`, file)
  if (status !== 201) throw new Error(told)
}
