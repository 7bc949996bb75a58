import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { collectAllGarbage } from '../../../src/repositories/repository/garbage.ts'
import { startGitHost, type GitClient, type GitHost } from '../../platform/git/support.ts'
import { assertStatus } from '../../support/expect.ts'
import { Pause, startFailingGit } from '../../support/failing-git.ts'
import { until } from '../../support/until.ts'

/** To git these are packs of their own, whatever is in them. */
function copyPack(folder: string, times: number): void {
  const files = readdirSync(folder).filter((name) => /\.(pack|idx)$/.test(name))
  for (let index = 0; index < times; index++) {
    const name = `pack-${index.toString(16).padStart(40, '0')}`
    for (const file of files) {
      copyFileSync(join(folder, file), join(folder, name + file.slice(file.lastIndexOf('.'))))
    }
  }
}

/** Somebody has pushed for so many seconds, over a slow line. */
function leavePush(folder: string, seconds: number): string {
  const pushed = join(folder, 'objects', 'tmp_objdir-incoming-abcdef')
  mkdirSync(pushed)
  makeOld(pushed, seconds)
  return pushed
}

function makeOld(path: string, seconds: number): void {
  const time = Date.now() / 1000 - seconds
  utimesSync(path, time, time)
}

suite('a repository in many packs', () => {
  test('is packed by a task, and stays as it was', async (t) => {
    const host = await startGitHost(t, { mirror: { time_limit: '10m' } })
    const { app, client } = host
    const ann = await app.addCaller('ann')
    for (const name of ['one', 'small']) {
      await app.post(ann, '/user/repos', { name, auto_init: true })
    }
    const folder = await host.folderOf('ann/one')
    const packs = () =>
      readdirSync(join(folder, 'objects', 'pack')).filter((name) => name.endsWith('.pack')).length
    await client.git(['--git-dir', folder, 'repack', '-a', '-d', '--quiet'])
    copyPack(join(folder, 'objects', 'pack'), 51)
    assert.ok(packs() > 50)
    const before = await client.git(['--git-dir', folder, 'rev-parse', 'main'])
    const pushed = leavePush(folder, 50 * 60)

    await collectAllGarbage(app.ctx)
    await app.ctx.jobs.runDue()

    assert.ok(packs() <= 2, `${packs()} packs`)
    assert.equal(existsSync(pushed), true)
    assert.equal(await client.git(['--git-dir', folder, 'rev-parse', 'main']), before)
    await host.assertSound('ann/one')
    const tasks = (await app.get(await app.addAdmin(), '/admin/cron?limit=50')).body
    assert.ok(tasks.some(({ name }: { name: string }) => name === 'git_gc_repos'))
  })
})

/** A repository that is to be packed, on a server whose git fails where it is told to. */
async function startScattered(t: TestContext) {
  const { host, failAt } = await startFailingGit(t)
  const { app, client } = host
  const ann = await app.addCaller('ann')
  await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
  const content = randomBytes(100_000).toString('base64')
  await app.post(ann, '/repos/ann/one/contents/random', { content })
  await app.ctx.jobs.runDue()
  const folder = await host.folderOf('ann/one')
  await client.git(['--git-dir', folder, 'repack', '-a', '-d', '--quiet'])
  copyPack(join(folder, 'objects', 'pack'), 51)
  const filesOf = (kind: RegExp) =>
    readdirSync(join(folder, 'objects', 'pack')).filter((name) => kind.test(name))
  return { host, app, ann, folder, failAt, packs: () => filesOf(/\.pack$/), filesOf }
}

suite('a repository that could not be packed', () => {
  test('is packed later, and nothing stays of what git had begun', async (t) => {
    const { host, app, ann, folder, failAt, packs, filesOf } = await startScattered(t)
    const { length: before } = packs()
    await app.ctx.jobs.enqueue(app.ctx.db, 'collect_garbage', { id: 1 })
    // So large that the disk has no room for another pack.
    failAt('count-objects', { begins: 'echo packs: 52; echo size-pack: 99999999999999; exit' })
    await app.ctx.jobs.runDue()
    assert.deepEqual([packs().length, filesOf(/tmp/)], [before, []])
    app.passTime(2 * 3600)

    for (let round = 0; round < 2; round++) {
      // No file may become larger: as on a full disk.
      failAt('gc', { begins: 'ulimit -f 8' })
      await app.ctx.jobs.runDue()
      assert.equal(packs().length, before)
      assert.equal(filesOf(/tmp/).length, 1, filesOf(/tmp/).join())
      // Somebody pushes meanwhile.
      await app.ctx.jobs.enqueue(app.ctx.db, 'measure_repository', { id: 1 })
      await app.ctx.jobs.runDue()
      assert.equal(packs().length, before)
      app.passTime(2 * 3600)
    }
    leaveLock(join(folder, 'objects', 'info', 'commit-graph.lock'), 3600)
    leaveLock(join(folder, 'packed-refs.new'), 3600)
    await app.ctx.jobs.runDue()

    assert.ok(packs().length <= 2, packs().join())
    await host.assertSound('ann/one')
    assert.equal(existsSync(join(folder, 'objects', 'info', 'commit-graph.lock')), false)
    assert.equal(existsSync(join(folder, 'packed-refs.new')), false)
    const { size } = (await app.get(ann, '/repos/ann/one')).body
    assert.ok(size < 300, `${size} KiB`)
  })

  test('because the server stopped has no git at work, and is packed by the next', async (t) => {
    const { host, app, folder, failAt, packs } = await startScattered(t)
    const [begun, ended] = [join(folder, 'begun'), join(folder, 'ended')]
    failAt('gc', { begins: `(sleep 20; touch ${ended}) & touch ${begun}; wait` })

    await app.ctx.jobs.enqueue(app.ctx.db, 'collect_garbage', { id: 1 })
    app.ctx.jobs.start()
    await until(() => existsSync(begun))
    await app.ctx.jobs.stop()
    assert.equal(existsSync(ended), false)
    app.ctx.jobs.start()
    await until(() => packs().length <= 2)
    await app.ctx.jobs.stop()

    await host.assertSound('ann/one')
  })
})

suite('a repository that is deleted while it is packed', () => {
  for (const ends of ['exit 128', 'exit 0']) {
    test(`leaves no folder, whatever git says of it: ${ends}`, async (t) => {
      const { host, app, ann, folder, failAt } = await startScattered(t)
      const pause = new Pause(host)
      // Git writes a list of packs where the folder was just removed.
      failAt('gc', { begins: `${pause.lines}; mkdir -p '${folder}/objects/info'; ${ends}` })

      await app.ctx.jobs.enqueue(app.ctx.db, 'collect_garbage', { id: 1 })
      const packed = app.ctx.jobs.runDue()
      await pause.begun()
      assertStatus(await app.delete(ann, '/repos/ann/one'), 204)
      await app.ctx.jobs.runDue()
      assert.equal(existsSync(folder), false)
      pause.end()
      await packed

      assert.equal(existsSync(folder), false)
      const jobs = await app.ctx.db.selectFrom('job').select('kind').execute()
      assert.deepEqual(
        jobs.filter(({ kind }) => kind === 'collect_garbage'),
        [],
      )
    })
  }
})

/** Each changes one of two files in turn, and makes three objects. */
async function makeHistory(client: GitClient, folder: string, commits: number): Promise<void> {
  const child = client.start(['fast-import', '--quiet'], folder)
  for (let number = 0; number < commits; number++) {
    const from = number === 0 ? 'from refs/heads/main^0\n' : ''
    child.stdin.write(
      `commit refs/heads/main\ncommitter Ann <ann@example.org> ${1_700_000_000 + number} +0000\n` +
        `data 4\nnext\n${from}M 100644 inline ${number % 2 ? 'odd' : 'even'}.txt\ndata <<END\n${number}\nEND\n`,
    )
  }
  child.stdin.end()
  const [code] = (await once(child, 'close')) as [number]
  assert.equal(code, 0)
}

function leaveLock(path: string, secondsAgo: number): void {
  writeFileSync(path, '')
  makeOld(path, secondsAgo)
}

/** The server's index of a history, if there is one. */
class Index {
  readonly #path: string
  readonly #folder: string
  readonly #client: GitClient

  constructor({ client }: GitHost, folder: string) {
    this.#client = client
    this.#folder = folder
    this.#path = join(folder, 'objects', 'info', 'commit-graph')
  }

  get isThere(): boolean {
    return existsSync(this.#path)
  }

  /** Its chunk of filters that tell which paths a commit may have changed. */
  get knowsPaths(): boolean {
    return readFileSync(this.#path).subarray(0, 200).includes('BDAT')
  }

  async assertSound(): Promise<void> {
    await this.#client.git(['--git-dir', this.#folder, 'commit-graph', 'verify'])
  }

  /** Its table of ids has every commit that it knows. */
  has(commit: string): boolean {
    return readFileSync(this.#path).includes(Buffer.from(commit, 'hex'))
  }

  /** Another number once it has been replaced. */
  get file(): number {
    return statSync(this.#path).ino
  }

  makeOld(seconds: number): void {
    makeOld(this.#path, seconds)
  }

  /** As git leaves it that was killed. */
  leaveLock(secondsAgo: number): void {
    leaveLock(`${this.#path}.lock`, secondsAgo)
  }
}

suite('a long history', () => {
  test('is indexed after it was pushed, and again on a day after something came', async (t) => {
    const host = await startGitHost(t)
    const { app, client } = host
    const ann = await app.addCaller('ann')
    const work = await client.makeRepository()
    const push = async (name: string) => {
      await client.git(['push', '--quiet', host.urlFor('ann', `ann/${name}.git`), 'main'], work)
      await app.ctx.jobs.runDue()
    }
    const nightly = async () => {
      await collectAllGarbage(app.ctx)
      await app.ctx.jobs.runDue()
    }
    for (const name of ['short', 'long']) await app.post(ann, '/user/repos', { name })
    await push('short')
    await makeHistory(client, work, 6_700)
    await client.git(['reset', '--quiet', '--hard'], work)
    await push('long')

    assert.ok(!new Index(host, await host.folderOf('ann/short')).isThere)
    const index = new Index(host, await host.folderOf('ann/long'))
    assert.ok(index.isThere && index.knowsPaths)
    await index.assertSound()
    const odd = await app.get(ann, '/repos/ann/long/commits?path=odd.txt&limit=1')
    assert.equal(odd.headers['x-total-count'], '3350')

    const newest = await client.commit(work, 'the newest')
    index.makeOld(100)
    await push('long')
    assert.ok(!index.has(newest), 'what is there serves for the day')
    index.leaveLock(40 * 60)
    await nightly()
    assert.ok(index.has(newest))
    await index.assertSound()
    await host.assertSound('ann/long')

    index.makeOld(-60)
    const { file } = index
    await nightly()
    assert.equal(index.file, file, 'nothing is new')
  })
})
