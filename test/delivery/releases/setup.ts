import type { TestContext } from 'node:test'
import { startWithRepository, type Setup } from '../../code/commits/setup.ts'
import type { TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

export interface ReleaseSetup extends Setup {
  readonly releases: string
  readonly make: (body: object) => Promise<TestAnswer>
}

export async function start(t: TestContext): Promise<ReleaseSetup> {
  const setup = await startWithRepository(t)
  const releases = `${setup.path}/releases`
  return { ...setup, releases, make: (body) => setup.app.post(setup.ann, releases, body) }
}

/** Tags that begin with p- are bob's. */
export async function protect({ app, ann, path }: Setup): Promise<void> {
  const rule = { name_pattern: 'p-*', whitelist_usernames: ['bob'] }
  await app.put(ann, `${path}/collaborators/bob`, { permission: 'read' })
  assertStatus(await app.post(ann, `${path}/tag_protections`, rule), 201)
}

export const tags = ({ body }: TestAnswer) =>
  (body as { tag_name: string }[]).map(({ tag_name }) => tag_name)
