import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startWithRepository, type Setup } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { signIn, Visitor } from '../support.ts'

/** With people before their browsers. */
export interface WebSetup extends Setup {
  readonly byAnn: Visitor
  readonly byBob: Visitor
  readonly visitor: Visitor
}

export async function startInBrowser(
  t: TestContext,
  changes: ConfigChanges = {},
): Promise<WebSetup> {
  const setup = await startWithRepository(t, changes)
  const { app } = setup
  const byAnn = await signIn(app, 'ann')
  const byBob = await signIn(app, 'bob')
  return { ...setup, byAnn, byBob, visitor: new Visitor(app) }
}

/** The text of a file as the API has it; undefined where there is none. */
export async function fileAt(
  { app, ann, path }: Setup,
  file: string,
  ref = 'main',
): Promise<string | undefined> {
  const { status, body } = await app.get(ann, `${path}/contents/${file}?ref=${ref}`)
  return status === 200 ? Buffer.from(body.content as string, 'base64').toString() : undefined
}

export async function blobOf({ app, ann, path }: Setup, file: string): Promise<string> {
  const answer = await app.get(ann, `${path}/contents/${file}`)
  assertStatus(answer, 200)
  return answer.body.sha as string
}

/** The newest commit's message. */
export async function lastMessage({ app, ann, path }: Setup, ref = 'main'): Promise<string> {
  const { body } = await app.get(ann, `${path}/commits?sha=${ref}&limit=1`)
  return body[0].commit.message as string
}

/** Nobody but those on a list may push to main, and the list is empty. */
export async function protectMain({ app, ann, path }: Setup): Promise<void> {
  const rule = { rule_name: 'main', enable_push: true, enable_push_whitelist: true }
  assertStatus(await app.post(ann, `${path}/branch_protections`, rule), 201)
}
