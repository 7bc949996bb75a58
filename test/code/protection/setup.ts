import type { TestContext } from 'node:test'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

export const repo = '/repos/ann/one'
export const administratorsOnly =
  'user should be an owner or a collaborator with admin write of a repository'

export interface Setup {
  readonly app: TestApp
  /** Owns the repository. */
  readonly ann: TestCaller
  /** Writes to it. */
  readonly bob: TestCaller
  /** Has nothing to do with it. */
  readonly cleo: TestCaller
}

/** ann with a public repository that has one commit on main. */
export async function start(t: TestContext): Promise<Setup> {
  const app = await startApp(t)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  const cleo = await app.addCaller('cleo')
  const wanted = { name: 'one', auto_init: true, default_branch: 'main' }
  assertStatus(await app.post(ann, '/user/repos', wanted), 201)
  const permission = { permission: 'write' }
  assertStatus(await app.put(ann, `${repo}/collaborators/bob`, permission), 204)
  return { app, ann, bob, cleo }
}

export async function protectBranch({ app, ann }: Setup, fields: object) {
  const answer = await app.post(ann, `${repo}/branch_protections`, fields)
  assertStatus(answer, 201)
  return answer.body
}

export async function protectTag({ app, ann }: Setup, fields: object) {
  const answer = await app.post(ann, `${repo}/tag_protections`, fields)
  assertStatus(answer, 201)
  return answer.body
}
