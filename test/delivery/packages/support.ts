import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { PACKAGE_FILES } from '../../../src/delivery/packages/package.ts'
import { startApp, type TestAnswer, type TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

type Who = TestCaller | undefined

/** The registry and the API of packages, as a client calls them. */
export interface Registry {
  readonly app: TestApp
  /** Owns the organization acme. */
  readonly ann: TestCaller
  readonly bob: TestCaller
  readonly put: (who: Who, path: string, content: string | Buffer) => Promise<TestAnswer>
  readonly get: (who: Who, path: string, headers?: Record<string, string>) => Promise<TestAnswer>
  readonly remove: (who: Who, path: string) => Promise<TestAnswer>
  /** The keys of all that is stored for packages. */
  readonly stored: () => Promise<readonly string[]>
}

export async function withRegistry(t: TestContext, changes: ConfigChanges = {}): Promise<Registry> {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  assertStatus(await app.post(ann, '/orgs', { username: 'acme' }), 201)
  const at = (path: string) => `^/api/packages/${path}`
  return {
    app,
    ann,
    bob,
    put: (who, path, content) =>
      app.put(who, at(path), content, { 'content-type': 'application/octet-stream' }),
    get: (who, path, headers) => app.get(who, at(path), headers),
    remove: (who, path) => app.delete(who, at(path)),
    stored: async () => {
      const files = await Array.fromAsync(app.ctx.files.list(PACKAGE_FILES))
      return files.map(({ key }) => key)
    },
  }
}
