import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { startWithRepository, type Setup } from '../../code/commits/setup.ts'
import type { TestApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

export interface ReleaseSetup extends Setup {
  /** Addresses below /api/v1. */
  readonly releases: string
  readonly release: string
  readonly assets: string
}

/** The repository with one release, of the tag v1. */
export async function startWithRelease(
  t: TestContext,
  changes: ConfigChanges = {},
  release: object = {},
): Promise<ReleaseSetup> {
  const setup = await startWithRepository(t, changes)
  const releases = `${setup.path}/releases`
  const made = await setup.app.post(setup.ann, releases, { tag_name: 'v1', ...release })
  assertStatus(made, 201)
  const path = `${releases}/${made.body.id}`
  return { ...setup, releases, release: path, assets: `${path}/assets` }
}

/** The keys of all stored attachments, once the jobs are done. */
export async function storedKeys({ ctx }: TestApp): Promise<readonly string[]> {
  await ctx.jobs.runDue()
  return (await Array.fromAsync(ctx.files.list('attachments'))).map(({ key }) => key)
}
