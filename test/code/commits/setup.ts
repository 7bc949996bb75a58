import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { repositoryFolder } from '../../../src/platform/git/layout.ts'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

export interface Setup {
  readonly app: TestApp
  /** Owns the repository. */
  readonly ann: TestCaller
  /** Reads it, as everybody does. */
  readonly bob: TestCaller
  /** Its address below /api/v1. */
  readonly path: string
}

/** A public repository with one commit on `main` that holds README.md. */
export async function startWithRepository(
  t: TestContext,
  changes: ConfigChanges = {},
): Promise<Setup> {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  assertStatus(await app.post(ann, '/user/repos', { name: 'one', auto_init: true }), 201)
  return { app, ann, bob, path: '/repos/ann/one' }
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** One commit with these files; its id. */
export async function commit(
  { app, ann, path }: Setup,
  files: Readonly<Record<string, string>>,
  options: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const answer = await app.post(ann, `${path}/contents`, {
    ...options,
    files: Object.entries(files).map(([name, text]) => ({
      operation: 'upload',
      path: name,
      content: base64(text),
    })),
  })
  assertStatus(answer, 201)
  return answer.body.commit.sha as string
}

/** What the API cannot write, written into the repository behind its back. */
export async function importInto({ app }: Setup, stream: string): Promise<void> {
  await app.ctx.git.run(await folderOf(app, 'one'), ['fast-import', '--quiet', '--force'], {
    input: stream,
  })
}

export async function folderOf(app: TestApp, name: string): Promise<string> {
  const { folder } = await app.ctx.db
    .selectFrom('repository')
    .select('folder')
    .where('lower_name', '=', name)
    .executeTakeFirstOrThrow()
  return repositoryFolder(app.ctx.config, folder)
}

export function names(items: readonly { readonly name: string }[]): readonly string[] {
  assert.ok(Array.isArray(items))
  return items.map(({ name }) => name)
}

/** Makes the repository one that nobody may change. */
export async function archive({ app, ann, path }: Setup): Promise<void> {
  assertStatus(await app.patch(ann, path, { archived: true }), 200)
}

export async function makePrivate({ app, ann, path }: Setup): Promise<void> {
  assertStatus(await app.patch(ann, path, { private: true }), 200)
}

/** Rows are enough: nothing of the mirror itself is looked at. */
export async function makeMirror({ app }: Setup): Promise<void> {
  await app.ctx.db.updateTable('repository').set({ is_mirror: 1 }).execute()
}

/** What came of calls at once, in no order of theirs. */
export function statuses(answers: readonly TestAnswer[]): readonly number[] {
  return answers.map(({ status }) => status).sort((a, b) => a - b)
}
