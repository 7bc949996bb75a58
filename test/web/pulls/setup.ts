import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import type { Setup } from '../../code/commits/setup.ts'
import { startWithTopic } from '../../collaboration/pulls/setup.ts'
import { signIn, Visitor } from '../support.ts'

export interface PullSetup extends Setup {
  readonly byAnn: Visitor
  readonly byBob: Visitor
  readonly visitor: Visitor
}

export const pulls = '/ann/one/pulls'

/** Ann's repository with the branch `topic`, and people before a browser. */
export async function startWithPulls(t: TestContext, changes?: ConfigChanges): Promise<PullSetup> {
  const setup = await startWithTopic(t, changes)
  return {
    ...setup,
    byAnn: await signIn(setup.app, 'ann'),
    byBob: await signIn(setup.app, 'bob'),
    visitor: new Visitor(setup.app),
  }
}
