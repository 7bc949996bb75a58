// One database is enough: objects are files.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { closeObjects } from '../../../src/platform/git/object-pool.ts'
import type { TestAnswer, TestApp, TestCaller } from '../../support/app.ts'
import { startApp } from '../../support/app.ts'
import { startGitHost } from './support.ts'
import { until } from '../../support/until.ts'

/** The readers of objects that run for this server, by their process ids. */
function readersOf({ ctx }: TestApp): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const words = commandOf(pid)
      return words.includes('cat-file') && words.some((word) => word.startsWith(ctx.config.data))
    })
    .map(Number)
}

/** Nothing when it has ended meanwhile. */
function commandOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

async function createReadable(app: TestApp, ann: TestCaller, name: string): Promise<void> {
  const made = await app.post(ann, '/user/repos', { name, auto_init: true })
  assert.equal(made.status, 201)
}

const readFirst = (app: TestApp, ann: TestCaller, name: string): Promise<TestAnswer> =>
  app.get(ann, `/repos/ann/${name}/raw/README.md`)

const skip = process.platform === 'linux' ? false : 'processes are looked up in /proc'

suite('a reader of objects', { skip }, () => {
  test('answers the requests for one repository one after the other', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await createReadable(app, ann, 'one')

    await readFirst(app, ann, 'one')
    const first = readersOf(app)
    await readFirst(app, ann, 'one')
    await app.get(ann, '/repos/ann/one/branches/main')

    assert.equal(first.length, 1)
    assert.deepEqual(readersOf(app), first)
  })

  test('sees what is pushed, packed and deleted while it waits', async (t) => {
    const host = await startGitHost(t)
    const { app, client } = host
    const ann = await app.addCaller('ann')
    await createReadable(app, ann, 'one')
    const folder = await host.folderOf('ann/one')
    await client.git(['clone', '--quiet', host.urlFor('ann', 'ann/one'), 'work'])
    const work = `${client.home}/work`
    const server = (...words: string[]) => client.git(['--git-dir', folder, ...words])

    const read = async () => (await app.get(ann, '/repos/ann/one/raw/file.txt')).text
    for (const [words, maintain] of [
      ['first', []],
      ['second', ['pack-refs', '--all']],
      ['third', ['repack', '-a', '-d', '-q']],
      ['fourth', ['gc', '--quiet', '--prune=now']],
      ['fifth', []],
    ] as const) {
      await client.commit(work, words)
      await client.git(['push', '--quiet', 'origin', 'main'], work)
      assert.equal(await read(), `${words}\n`)
      if (maintain.length > 0) await server(...maintain)
      assert.equal(await read(), `${words}\n`)
    }
    await client.git(['push', '--quiet', 'origin', 'main:topic'], work)
    assert.equal((await app.get(ann, '/repos/ann/one/branches/topic')).status, 200)
    await client.git(['push', '--quiet', 'origin', '--delete', 'topic'], work)
    assert.equal((await app.get(ann, '/repos/ann/one/branches/topic')).status, 404)
  })

  test('that is killed while it waits is replaced', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await createReadable(app, ann, 'one')
    await readFirst(app, ann, 'one')

    for (const pid of readersOf(app)) process.kill(pid, 'SIGKILL')

    assert.equal((await readFirst(app, ann, 'one')).status, 200)
    assert.equal((await readFirst(app, ann, 'one')).status, 200)
  })

  test('is one of a few, whatever is asked at once, and ends with the server', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const names = Array.from({ length: 12 }, (_, index) => `r${index}`)
    for (const name of names) await createReadable(app, ann, name)

    const answers = await Promise.all(
      names.flatMap((name) => [readFirst(app, ann, name), readFirst(app, ann, name)]),
    )

    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    await until(() => readersOf(app).length <= 8)
    await closeObjects(app.ctx.git)
    assert.deepEqual(readersOf(app), [])
  })
})
