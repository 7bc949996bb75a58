import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { testDialect } from '../../support/databases.ts'
import type { Fault } from '../../support/failing-writes.ts'
import {
  assertMatching,
  countAll,
  startFailing,
  sweep,
  type Answer,
  type Failing,
} from './failing-server.ts'
import {
  adopted,
  fileInGit,
  fileOfComment,
  fileOfIssue,
  fileOfRelease,
  forkTo,
  generated,
  lfsObject,
  repository,
  waitingRepository,
} from './writes.ts'

/** `npm run test:endurance` asks for all of it. */
const isFull = process.env['ENDURANCE'] === 'full'

/** Something that takes several steps, and is there whole or not at all. */
interface Work {
  readonly what: string
  /** Before each try. */
  readonly prepare?: (server: Failing) => Promise<unknown>
  readonly run: (server: Failing) => Promise<Answer>
  readonly succeeds: number
  /** By which it can be seen whether it was done. */
  readonly look: (server: Failing) => Promise<number>
  /** How far that moves. */
  readonly by: 1 | -1
}

let name = ''
const inGit = async (server: Failing) =>
  (await server.send('GET', `/api/v1/repos/ann/one/contents/${name}`)).status === 200 ? 1 : 0

const often: readonly Work[] = [
  { what: 'a file of an issue', run: fileOfIssue, succeeds: 201, look: countAll, by: 1 },
  {
    what: 'a repository',
    prepare: async (server) => (name = server.nextName()),
    run: (server) => repository(server, name),
    succeeds: 201,
    look: countAll,
    by: 1,
  },
  {
    what: 'the deletion of a repository',
    prepare: (server) => repository(server, (name = server.nextName())),
    run: (server) => server.send('DELETE', `/api/v1/repos/ann/${name}`),
    succeeds: 204,
    look: countAll,
    by: -1,
  },
]

const rarely: readonly Work[] = [
  {
    what: 'the adoption of a repository',
    prepare: (server) => waitingRepository(server, (name = server.nextName())),
    run: (server) => adopted(server, name),
    succeeds: 204,
    look: countAll,
    by: 1,
  },
  {
    what: 'a file in git',
    prepare: async (server) => (name = server.nextName()),
    run: (server) => fileInGit(server, name),
    succeeds: 201,
    look: inGit,
    by: 1,
  },
  { what: 'a file of a release', run: fileOfRelease, succeeds: 201, look: countAll, by: 1 },
  { what: 'a file of a comment', run: fileOfComment, succeeds: 201, look: countAll, by: 1 },
  { what: 'an object of Git LFS', run: lfsObject, succeeds: 200, look: countAll, by: 1 },
  {
    what: 'a fork',
    prepare: (server) =>
      server.send('POST', '/api/v1/orgs', { username: (name = server.nextName()) }),
    run: (server) => forkTo(server, name),
    succeeds: 202,
    look: countAll,
    by: 1,
  },
  {
    what: 'a repository from a template',
    prepare: async (server) => {
      await server.send('PATCH', '/api/v1/repos/ann/one', { template: true })
      name = server.nextName()
    },
    run: (server) => generated(server, name),
    succeeds: 201,
    look: countAll,
    by: 1,
  },
]

/** What it takes, when nobody kills it. */
async function stepsOf(server: Failing, { prepare, run, succeeds }: Work): Promise<string[]> {
  await prepare?.(server)
  await server.tell({ failAt: Number.MAX_SAFE_INTEGER, code: 'SIGKILL' })
  assert.equal((await run(server)).status, succeeds)
  return [...((await server.tell(null)) ?? [])]
}

/**
 * Before which of them to kill: one after another of the same kind shows little more than the
 * first.
 */
function placesIn(steps: readonly string[]): readonly Place[] {
  return steps.flatMap((step, index) => {
    if (!isFull && step === steps[index - 1]) return []
    const failAt = steps.slice(0, index + 1).filter((one) => one === step).length
    return [{ name: step, failAt }]
  })
}

/** Named, since a file is written in more or fewer parts as its bytes arrive. */
type Place = Required<Pick<Fault, 'name' | 'failAt'>>

/** In the short form, PostgreSQL shows with one of them that its commits count as steps. */
function worksNow(): readonly Work[] {
  if (isFull) return [...often, ...rarely]
  return testDialect === 'postgres' ? often.slice(0, 1) : often
}

suite('a server that is killed before its n-th step', () => {
  for (const work of worksNow()) {
    test(`has done all of ${work.what}, or nothing`, async (t) => {
      const server = await startFailing(t)
      const ends = new Set<boolean>()

      for (const place of placesIn(await stepsOf(server, work))) {
        await work.prepare?.(server)
        const before = await work.look(server)
        await server.tell({ ...place, code: 'SIGKILL' })
        const answer = await work.run(server).catch(() => undefined)
        const isKilled = (await server.tell(null)) === undefined
        if (isKilled) await server.restart()
        const after = await work.look(server)
        const when = `before ${place.name} ${place.failAt}: ${answer?.status}, ${before}, then ${after}`
        assert.ok(after === before + work.by || (after === before && !answer), when)
        assert.equal(answer?.status ?? work.succeeds, work.succeeds, when)
        if (isKilled) ends.add(after === before)
      }

      assert.deepEqual(ends, new Set([true, false]))
      await sweep(server)
      await assertMatching(server)
    })
  }
})
