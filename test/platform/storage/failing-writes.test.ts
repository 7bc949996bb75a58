// One database is enough: files do not pass through it.
import assert from 'node:assert/strict'
import { globSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import type { Machine } from '../../support/terminal.ts'
import {
  assertMatching,
  countAll,
  startFailing,
  sweep,
  type Answer,
  type Failing,
} from './failing-server.ts'
import {
  fileOfComment,
  fileOfIssue,
  fileOfRelease,
  forkTo,
  lfsObject,
  repository,
} from './writes.ts'

/**
 * Something that writes files, and is one record when it succeeds: a fork also has what its base
 * has of Git LFS.
 */
interface Write {
  readonly what: string
  readonly fails: number
  readonly succeeds: number
  readonly run: (server: Failing) => Promise<Answer>
}

const kinds: readonly Write[] = [
  { what: 'a file of a release', fails: 500, succeeds: 201, run: fileOfRelease },
  { what: 'a file of an issue', fails: 500, succeeds: 201, run: fileOfIssue },
  { what: 'a file of a comment', fails: 507, succeeds: 201, run: fileOfComment },
  { what: 'a fork', fails: 507, succeeds: 202, run: (server) => forkTo(server, 'team') },
  { what: 'an object of Git LFS', fails: 507, succeeds: 200, run: lfsObject },
  {
    what: 'a repository',
    fails: 507,
    succeeds: 201,
    run: (server) => repository(server, server.nextName()),
  },
]

suite('when the n-th write to a file fails', () => {
  for (const code of ['ENOSPC', 'EIO'] as const) {
    test(`with ${code}, it is told, and nothing is half there`, async (t) => {
      const server = await startFailing(t)

      for (const { what, fails, succeeds, run } of kinds) {
        for (let failAt = 1, isReached = true; isReached; failAt++) {
          removeEmptyFolders(server.machine)
          const before = await countAll(server)
          await server.tell({ failAt, code })
          const { status } = await run(server)
          const writes = (await server.tell(null)) ?? []
          isReached = writes.length >= failAt
          const when = `${what}, write ${failAt} of ${writes.join(', ')}`
          assert.equal(status, isReached ? fails : succeeds, when)
          assert.equal(await countAll(server), before + (isReached ? 0 : 1), when)
          assert.ok(isReached || failAt > 4, when)
        }
      }

      await sweep(server)
      await assertMatching(server)
    })
  }
})

/** So that each upload has to make its folder, as the first one. */
function removeEmptyFolders({ data }: Machine): void {
  for (const folder of globSync('files/**/', { cwd: data }).toSorted().toReversed()) {
    if (readdirSync(join(data, folder)).length === 0) rmdirSync(join(data, folder))
  }
}
