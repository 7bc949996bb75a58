import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

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

export const TAKEN = 'The repository with the same name already exists.'

export const createOwn = (app: TestApp, who: TestCaller | undefined, body: object) =>
  app.post(who, '/user/repos', { name: 'demo', ...body })

/** The directories of repositories that there are on disk. */
export function foldersOf(app: TestApp): string[] {
  return globSync(join(app.ctx.config.data, 'repositories', '*', '*.git'))
}

/** Runs git on the only repository on disk. */
export function gitOf(app: TestApp, ...parameters: string[]): string {
  const [folder = ''] = foldersOf(app)
  return execFileSync('git', ['--git-dir', folder, ...parameters], { encoding: 'utf8' })
}
