import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, globSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import pino from 'pino'
import { buildApp } from '../../../src/server/app.ts'
import { holdRemovals } from '../../../src/platform/storage/removals.ts'
import { startGitHost, type GitHost } from '../../platform/git/support.ts'
import { callerWith, TestApp, type TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { Machine, machineOf } from '../../support/terminal.ts'

const OCTETS = { 'content-type': 'application/octet-stream' }

/** What was answered, and so has to be in a copy that is begun later. */
interface Ledger {
  readonly repositories: string[]
  readonly commits: { readonly path: string; readonly id: string }[]
  readonly files: { readonly uuid: string; readonly content: Buffer }[]
}

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-backup-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'copy')
}

/** Creates, pushes, uploads and deletes until it is told to stop. */
class Load {
  readonly #host: GitHost
  readonly #ann: TestCaller
  readonly ledger: Ledger = { repositories: [], commits: [], files: [] }
  /** What may be deleted while the copy is made. */
  readonly #doomed: string[] = []
  #isOver = false
  #count = 0

  constructor(host: GitHost, ann: TestCaller) {
    this.#host = host
    this.#ann = ann
  }

  async create(name = `r${++this.#count}`): Promise<string> {
    const made = await this.#host.app.post(this.#ann, '/user/repos', { name, auto_init: true })
    assertStatus(made, 201)
    return `/repos/ann/${name}`
  }

  async write(path: string): Promise<void> {
    const file = `${path}/contents/f${++this.#count}`
    const content = randomBytes(5_000).toString('base64')
    const made = await this.#host.app.post(this.#ann, file, { content })
    assertStatus(made, 201)
    this.ledger.commits.push({ path, id: made.body.commit.sha as string })
  }

  async upload(path: string): Promise<string> {
    const { app } = this.#host
    const release = await app.post(this.#ann, `${path}/releases`, { tag_name: `v${++this.#count}` })
    const assets = `${path}/releases/${release.body.id}/assets`
    const content = randomBytes(20_000)
    const made = await app.post(this.#ann, `${assets}?name=x`, content, OCTETS)
    assertStatus(made, 201)
    this.ledger.files.push({ uuid: made.body.uuid as string, content })
    return `${assets}/${made.body.id}`
  }

  async push(path: string, work: string): Promise<void> {
    const id = await this.#host.client.commit(work, `push ${++this.#count}`)
    const url = this.#host.urlFor('ann', path.replace('/repos/', ''))
    await this.#host.client.git(['push', '--quiet', url, 'HEAD:refs/heads/pushed'], work)
    this.ledger.commits.push({ path, id })
  }

  async fill(): Promise<void> {
    for (let count = 0; count < 6; count++) {
      const path = await this.create()
      this.ledger.repositories.push(path)
      await this.write(path)
      await this.upload(path)
      const doomed = await this.create()
      this.#doomed.push(doomed, await this.upload(path))
      this.ledger.files.pop()
    }
  }

  /** Each loop does one thing after the other, all of them at once. */
  run(work: string): () => Promise<void> {
    const [first = '', second = ''] = this.ledger.repositories
    const loops = [
      () => this.create(),
      () => this.write(first),
      () => this.upload(second),
      () => this.push(second, work),
      () => this.#delete(),
    ]
    const running = loops.map(async (step) => {
      while (!this.#isOver) await step()
    })
    return async () => {
      this.#isOver = true
      await Promise.all(running)
    }
  }

  async #delete(): Promise<void> {
    const path = this.#doomed.pop() ?? (await this.create())
    assertStatus(await this.#host.app.delete(this.#ann, path), 204)
  }

  /** What has been answered by now. */
  answered(): Ledger {
    const { repositories, commits, files } = this.ledger
    return { repositories: [...repositories], commits: [...commits], files: [...files] }
  }
}

async function startOn(t: TestContext, data: string, like: GitHost['app']): Promise<TestApp> {
  const { config } = like.ctx
  const onFile = { ...config, data, database: { ...config.database, url: '' } }
  const app = await buildApp(onFile, pino({ level: 'silent' }))
  t.after(() => app.close())
  return new TestApp(app, { offset: 0 })
}

suite('admin backup', () => {
  test('under load has everything that was answered before it, and nothing that does not match', async (t) => {
    const host = await startGitHost(t)
    const ann = await host.app.addCaller('ann', { isAdmin: true })
    host.app.ctx.jobs.start()
    const load = new Load(host, ann)
    await load.fill()
    const work = await host.client.makeRepository()
    await load.push(load.ledger.repositories[1] ?? '', work)
    const to = folderFor(t)

    const stop = load.run(work)
    const answered = load.answered()
    const copied = await machineOf(host.app).admin(['backup', '--to', to])
    await stop()

    assert.equal(copied.status, 0, copied.notes)
    assert.equal(statSync(to).mode & 0o777, 0o700)
    assert.equal(statSync(join(to, 'codestead.db')).mode & 0o777, 0o600)
    assert.equal(existsSync(join(host.app.ctx.config.data, 'removals.hold')), false)
    assert.deepEqual(globSync('**/*.{lock,hold}', { cwd: to }), [])
    const doctor = await new Machine(to, '').admin(['doctor'])
    assert.equal(doctor.status, 0, doctor.out)
    const restored = await startOn(t, to, host.app)
    await restored.ctx.jobs.runDue()
    const again = callerWith(ann.account, ann.headers)
    for (const path of answered.repositories) assertStatus(await restored.get(again, path), 200)
    for (const { path, id } of answered.commits) {
      assertStatus(await restored.get(again, `${path}/git/commits/${id}`), 200)
    }
    for (const { uuid, content } of answered.files) {
      const file = await restored.server.inject(`/attachments/${uuid}`)
      assert.ok(file.rawPayload.equals(content))
    }
    for (const folder of globSync('repositories/*/*', { cwd: to })) {
      await host.client.git(['--git-dir', join(to, folder), 'fsck', '--strict'])
    }
    assert.ok(answered.commits.length > 6 && answered.files.length === 6)
  })

  test('has every branch, whatever it is called', async (t) => {
    const host = await startGitHost(t)
    const ann = await host.app.addCaller('ann')
    const path = await new Load(host, ann).create()
    for (const name of ['tmp_x', 'incoming-x/y', 'some.keep']) {
      assertStatus(await host.app.post(ann, `${path}/branches`, { new_branch_name: name }), 201)
    }
    const to = folderFor(t)

    assert.equal((await machineOf(host.app).admin(['backup', '--to', to])).status, 0)

    const [folder = ''] = globSync('repositories/*/*', { cwd: to })
    const parameters = ['--git-dir', join(to, folder), 'for-each-ref', '--format=%(refname:short)']
    const branches = (await host.client.git(parameters)).split('\n')
    assert.deepEqual(branches.toSorted(), ['incoming-x/y', 'main', 'some.keep', 'tmp_x'])
  })

  test('keeps what is deleted meanwhile until the hold is gone', async (t) => {
    const host = await startGitHost(t)
    const { app } = host
    const ann = await app.addCaller('ann')
    const load = new Load(host, ann)
    const path = await load.create()
    const asset = await load.upload(path)
    const { data } = app.ctx.config
    const stored = () => globSync('{files/attachments/*/*,repositories/*/*}', { cwd: data }).length
    const before = stored()
    const busy = await machineOf(app).admin(['backup', '--to', join(data, 'inside')])
    assert.equal(busy.status, 2)
    assert.equal((await machineOf(app).admin(['backup', '--to', data])).status, 2)

    const release = holdRemovals(app.ctx.config)
    assertStatus(await app.delete(ann, asset), 204)
    assertStatus(await app.delete(ann, path), 204)
    await app.ctx.jobs.runDue()
    assert.equal(stored(), before)
    // A backup in between leaves the hold of somebody else alone.
    assert.equal((await machineOf(app).admin(['backup', '--to', folderFor(t)])).status, 0)
    app.passTime(60)
    await app.ctx.jobs.runDue()
    assert.equal(stored(), before)
    release()
    app.passTime(60)
    await app.ctx.jobs.runDue()

    assert.equal(stored(), 0)
    assert.deepEqual(readdirSync(data).includes('removals.hold'), false)
  })
})
