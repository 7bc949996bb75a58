import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import pino from 'pino'
import { examine } from '../../../src/server/doctor/examine.ts'
import { GitClient, GitHost } from '../git/support.ts'
import { startApp, type TestAnswer, type TestCaller } from '../../support/app.ts'
import { openNetwork, type CutNetwork } from '../../support/cut-network.ts'
import { makeDatabase, testDialect } from '../../support/databases.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const skip = testDialect === 'sqlite' && 'there is no network to SQLite'
const OCTETS = { 'content-type': 'application/octet-stream' }

interface Node {
  readonly host: GitHost
  readonly network: CutNetwork
  readonly ann: TestCaller
  readonly push: () => ReturnType<GitClient['run']>
}

/** A node with a repository that was pushed to once; patient for a second. */
async function startNode(t: TestContext, lines: string[] = []): Promise<Node> {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-cut-'))
  const database = await makeDatabase(folder)
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const { network, url } = await openNetwork(database.url)
  const log = pino({ level: 'error' }, { write: (line) => void lines.push(line) })
  const app = await startApp(t, { database: { url, connect_timeout: '1s' } }, log)
  t.after(() => network.close())
  t.after(() => database.remove())
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.server.address() as AddressInfo
  const client = new GitClient(t)
  const host = new GitHost(app, client, `127.0.0.1:${port}`)
  const ann = await app.addCaller('ann')
  assertStatus(await app.post(ann, '/user/repos', { name: 'one' }), 201)
  const work = await client.makeRepository()
  const push = () => client.run(['push', host.urlFor('ann', 'ann/one'), 'main'], work)
  assert.equal((await push()).code, 0)
  await client.commit(work, 'second')
  return { host, network, ann, push }
}

function assertUnavailable(answer: TestAnswer): void {
  assertError(answer, 503, 'the database does not answer')
  assert.equal(answer.headers['retry-after'], '5')
}

suite('a node that is cut off from its database', { skip }, () => {
  for (const how of ['told', 'silent'] as const) {
    test(`(${how}) answers 503, moves no ref, and recovers`, { timeout: 60_000 }, async (t) => {
      const node = await startNode(t)
      const { host, network, ann, push } = node
      const { app } = host
      const folder = await host.folderOf('ann/one')
      const tip = () => host.client.git(['--git-dir', folder, 'rev-parse', 'refs/heads/main'])
      const before = await tip()

      if (how === 'told') await network.close()
      else network.silence(true)
      const answers = await Promise.all([
        app.post(ann, '/user/repos', { name: 'two' }),
        app.patch(ann, '/repos/ann/one', { description: 'x' }),
        app.post(ann, '/repos/ann/one/contents/a', { content: 'eA==' }),
        app.post(ann, '/repos/ann/one/issues', { title: 'x' }),
        app.get(ann, '/repos/ann/one'),
        app.get(undefined, '/repos/search'),
      ])
      const pushed = await push()

      for (const answer of answers) assertUnavailable(answer)
      assert.notEqual(pushed.code, 0)
      assert.match(pushed.notes, /503/)
      assert.equal(await tip(), before)
      assertStatus(await app.get(undefined, '^/api/healthz'), 503)

      if (how === 'told') await network.open()
      else network.silence(false)
      assertStatus(await app.get(ann, '/repos/ann/one'), 200)
      assertStatus(await app.get(ann, '/repos/ann/two'), 404)
      assertStatus(await app.post(ann, '/user/repos', { name: 'two' }), 201)
      assert.equal((await push()).code, 0)
      assert.notEqual(await tip(), before)
      assertStatus(await app.get(undefined, '^/api/healthz'), 200)
    })
  }

  test('in the middle of a push takes none of it', async (t) => {
    const { host, network, push } = await startNode(t)
    const folder = await host.folderOf('ann/one')
    const tip = () => host.client.git(['--git-dir', folder, 'rev-parse', 'refs/heads/main'])
    const before = await tip()

    // What says that refs are about to move, and has a job mend the record should it not be made.
    network.breakAt('insert into "job"', { isHeard: false })
    const refused = await push()

    assert.notEqual(refused.code, 0)
    assert.match(refused.notes, /remote: the database does not answer/)
    assert.equal(await tip(), before)
    assert.equal((await push()).code, 0)
    await host.assertSound('ann/one')
  })

  test('while it commits keeps what belongs to a record that may be there', async (t) => {
    const { host, network, ann } = await startNode(t)
    const { app } = host
    const release = await app.post(ann, '/repos/ann/one/releases', { tag_name: 'v', draft: true })
    const assets = `/repos/ann/one/releases/${release.body.id}/assets`
    const content = randomBytes(1000)

    for (const isHeard of [true, false]) {
      const name = `made-${isHeard}`
      network.breakAt('commit', { isHeard })
      assertUnavailable(await app.post(ann, '/user/repos', { name, auto_init: true }))
      assertStatus(await app.get(ann, `/repos/ann/${name}/contents`), isHeard ? 200 : 404)
      network.breakAt('commit', { isHeard })
      assertUnavailable(await app.post(ann, `${assets}?name=${name}`, content, OCTETS))
    }

    const listed = (await app.get(ann, assets)).body as { name: string; uuid: string }[]
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['made-true'],
    )
    assertStatus(await app.get(ann, `^/attachments/${listed[0]?.uuid}`), 200)
    const { db, config, now } = app.ctx
    const found = (await examine(db, config, now(), { fix: false })).flatMap((one) => one.found)
    assert.deepEqual(found, [])
  })

  test('does nothing twice that is asked for under one key', async (t) => {
    const { host, network, ann } = await startNode(t)
    const { app } = host
    const issues = '/repos/ann/one/issues'
    const send = (title: string) => app.post(ann, issues, { title }, { 'idempotency-key': title })

    network.breakAt('commit', { isHeard: true })
    assertUnavailable(await send('one'))
    assertError(await send('one'), 409, /not known|is being done/)
    network.breakAt('update "idempotency_key"', { isHeard: false })
    assertStatus(await send('two'), 201)
    assertError(await send('two'), 409, /is being done/)

    const titles = ((await app.get(ann, issues)).body as { title: string }[]).map(
      (one) => one.title,
    )
    assert.deepEqual(titles, ['two', 'one'])
  })

  test('says so in its log, whoever is answered', async (t) => {
    const lines: string[] = []
    const { host, network } = await startNode(t, lines)
    await network.close()

    for (const path of [
      '/api/v1/repos/ann/one',
      '/ann/one.git/info/refs?service=git-upload-pack',
      '/api/packages/ann/generic/p/1/f',
      '/ann/one',
    ]) {
      lines.length = 0
      assert.equal((await host.app.server.inject(path)).statusCode, 503, path)
      assert.ok(
        lines.some((line) => line.includes('request failed')),
        path,
      )
    }
  })
})
