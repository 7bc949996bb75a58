// One database is enough: descriptors are those of files, of git and of connections.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  assertMatching,
  countAll,
  startFailing,
  sweep,
  type Answer,
  type Failing,
} from './failing-server.ts'
import {
  fileInGit,
  fileOfComment,
  fileOfIssue,
  fileOfRelease,
  lfsObject,
  repository,
} from './writes.ts'

/**
 * Something that opens files, starts git or both, and how many records there are of it afterwards.
 */
interface Work {
  readonly what: string
  readonly fails: number
  readonly succeeds: number
  readonly makes: number
  readonly run: (server: Failing) => Promise<Answer>
}

const one = '/api/v1/repos/ann/one'
const refs = '/ann/one.git/info/refs?service=git-upload-pack'

const works: readonly Work[] = [
  { what: 'a file of a release', fails: 500, succeeds: 201, makes: 1, run: fileOfRelease },
  { what: 'a file of an issue', fails: 500, succeeds: 201, makes: 1, run: fileOfIssue },
  { what: 'a file of a comment', fails: 500, succeeds: 201, makes: 1, run: fileOfComment },
  { what: 'an object of Git LFS', fails: 503, succeeds: 200, makes: 1, run: lfsObject },
  made('a repository', 1, (server) => repository(server, server.nextName())),
  made('a commit', 0, (server) => fileInGit(server, server.nextName())),
  read('an archive', `${one}/archive/main.zip`),
  read('a folder', `${one}/contents`),
  read('a fetch', refs),
]

function made(what: string, makes: number, run: Work['run']): Work {
  return { what, fails: 503, succeeds: 201, makes, run }
}

function read(what: string, path: string): Work {
  const run = (server: Failing) => server.send('GET', path)
  return { what, fails: 503, succeeds: 200, makes: 0, run }
}

/** With so many left, all of it succeeds. */
const ENOUGH = 6

suite('when the n-th descriptor cannot be had', () => {
  test('it is told, and nothing is half there, hangs or is lost', async (t) => {
    const server = await startFailing(t, { descriptors: 200 })

    for (const { what, fails, succeeds, makes, run } of works) {
      for (let left = 0; left <= ENOUGH; left++) {
        const before = await countAll(server)
        await server.leave(left)
        // Without a descriptor for it, a connection is closed; so is one on which an answer has
        // begun.
        const { status } = await run(server).catch(() => ({ status: 0 }))
        await server.leave(null)
        const when = `${what}, ${left} left: ${status}`
        assert.ok(status === succeeds || (left < ENOUGH && [0, fails].includes(status)), when)
        assert.equal(await countAll(server), before + (status === succeeds ? makes : 0), when)
      }
      assert.equal((await run(server)).status, succeeds, `${what}, afterwards`)
    }

    await sweep(server)
    await assertMatching(server)
  })
})

suite('a server with few descriptors', () => {
  test('has some left, however many folders it has put files into', async (t) => {
    const server = await startFailing(t, { descriptors: 80 })

    const statuses = new Set<number>()
    for (let file = 0; file < 80; file++) statuses.add((await fileOfRelease(server)).status)

    assert.deepEqual([...statuses], [201])
    assert.equal((await fileInGit(server, 'afterwards')).status, 201)
  })
})
