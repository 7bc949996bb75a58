import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { cpSync, existsSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import { startFailingGit } from '../../support/failing-git.ts'
import { startGitHost, type GitHost } from './support.ts'

const one = '/repos/ann/one'
const content = Buffer.from('hello').toString('base64')

async function addOne({ app }: GitHost) {
  const ann = await app.addCaller('ann')
  assertStatus(await app.post(ann, '/user/repos', { name: 'one', auto_init: true }), 201)
  return ann
}

async function startOne(t: TestContext) {
  const host = await startGitHost(t)
  return { host, app: host.app, ann: await addOne(host), folder: await host.folderOf('ann/one') }
}

async function startFailingOne(t: TestContext) {
  const { host, failAt } = await startFailingGit(t, { network: { allow_private: true } })
  return { host, app: host.app, ann: await addOne(host), failAt }
}

suite('a disk that fails under git', () => {
  test('loses no object of a commit', async (t) => {
    const { host, app, ann, folder } = await startOne(t)
    // No folder can be made where the blob would go.
    const id = hash('sha1', 'blob 5\0hello')
    const inTheWay = join(folder, 'objects', id.slice(0, 2))
    writeFileSync(inTheWay, '')

    assertStatus(await app.post(ann, `${one}/contents/file`, { content }), 201)

    assertStatus(await app.get(ann, `${one}/raw/file`), 200)
    rmSync(inTheWay)
    await host.client.git(['--git-dir', folder, 'fsck', '--strict'])
  })

  test('is told as what it is, and not as somebody else who was faster', async (t) => {
    const { app, ann, host, failAt } = await startFailingOne(t)
    const says = `fatal: cannot lock ref 'refs/heads/x': Unable to create '/x.lock': No space left on device\n`

    failAt('update-ref', { says })
    const branch = await app.post(ann, `${one}/branches`, { new_branch_name: 'new' })
    failAt('update-ref', { says })
    const tag = await app.post(ann, `${one}/tags`, { tag_name: 'v1' })
    failAt('fast-import', { says })
    const file = await app.post(ann, `${one}/contents/file`, { content })
    failAt('fetch', { says })
    const clone = { clone_addr: host.url('ann/one.git'), repo_name: 'two' }
    const migration = await app.post(ann, '/repos/migrate', clone)

    const waiting = join(app.ctx.config.data, 'adopt', 'ann', 'three.git')
    cpSync(await host.folderOf('ann/one'), waiting, { recursive: true })
    const root = await app.addAdmin()
    failAt('fetch', { says: `error: cannot update ref 'refs/heads/x': couldn't write '/x.lock'\n` })
    const adoption = await app.post(root, '/admin/unadopted/ann/three')

    for (const answer of [branch, tag, file, migration, adoption]) {
      assertError(answer, 507, 'insufficient storage')
    }
    assertStatus(await app.post(ann, `${one}/branches`, { new_branch_name: 'new' }), 201)
    assertStatus(await app.post(ann, `${one}/tags`, { tag_name: 'v1' }), 201)
    assertStatus(await app.post(ann, `${one}/contents/file`, { content }), 201)
    assertStatus(await app.post(ann, '/repos/migrate', clone), 201)
    assertStatus(await app.post(root, '/admin/unadopted/ann/three'), 204)
  })

  test('of another server is that of another server', async (t) => {
    const { app, ann, host, failAt } = await startFailingOne(t)

    failAt('fetch', { says: 'remote: fatal: No space left on device\nfatal: early EOF\n' })
    const clone = { clone_addr: host.url('ann/one.git'), repo_name: 'two' }

    assertError(await app.post(ann, '/repos/migrate', clone), 422, /^Migration failed/)
  })

  test('is not shown to who pushes with the place of the repository', async (t) => {
    const { host, app, folder } = await startOne(t)
    const work = await host.client.makeRepository()
    writeFileSync(join(folder, 'refs', 'heads', 'new.lock'), '')

    const push = ['push', host.urlFor('ann', 'ann/one.git'), 'main:new', 'main:other']
    const { code, notes } = await host.client.run(push, work)

    assert.notEqual(code, 0)
    assert.match(notes, /Unable to create 'the repository\/.*new\.lock': File exists/)
    assert.ok(!notes.includes(app.ctx.config.data))
    assert.match(notes, /\[new branch\] +main -> other/)
  })
})

suite('a git that is killed', () => {
  test('after it has moved refs has moved them', async (t) => {
    const { app, ann, failAt } = await startFailingOne(t)

    failAt('update-ref', 'killed after')
    assertStatus(await app.post(ann, `${one}/branches`, { new_branch_name: 'new' }), 201)
    failAt('update-ref', 'killed after')
    assertStatus(await app.patch(ann, `${one}/branches/main`, { name: 'trunk' }), 204)
    failAt('fast-import', 'killed after')
    assertStatus(await app.post(ann, `${one}/contents/file`, { content }), 201)

    const { body } = await app.get(ann, one)
    assert.partialDeepStrictEqual(body, { default_branch: 'trunk', branch_count: 2 })
    assertStatus(await app.get(ann, `${one}/raw/file`), 200)
  })

  test('before it has moved them has moved none', async (t) => {
    const { app, ann, failAt } = await startFailingOne(t)

    failAt('update-ref', 'killed before')
    assertStatus(await app.patch(ann, `${one}/branches/main`, { name: 'trunk' }), 500)
    failAt('fast-import', 'killed before')
    assertStatus(await app.post(ann, `${one}/contents/file`, { content }), 500)

    assert.equal((await app.get(ann, one)).body.default_branch, 'main')
    assertStatus(await app.get(ann, `${one}/raw/file`), 404)
    assertStatus(await app.post(ann, `${one}/contents/file`, { content }), 201)
    assertStatus(await app.patch(ann, `${one}/branches/main`, { name: 'trunk' }), 204)
  })

  test('leaves locks that are in nobody’s way some minutes later', async (t) => {
    const { host, app, ann, folder } = await startOne(t)
    const work = await host.client.makeRepository()
    await host.client.git(['fetch', host.urlFor('ann', 'ann/one.git'), 'main'], work)
    await host.client.git(['reset', '--hard', 'FETCH_HEAD'], work)
    await host.client.commit(work, 'more')
    const push = ['push', host.urlFor('ann', 'ann/one.git'), 'main']
    const lock = (name: string, minutes: number) => {
      writeFileSync(join(folder, name), '')
      const at = Date.now() / 1000 - minutes * 60
      utimesSync(join(folder, name), at, at)
    }

    lock('refs/heads/new.lock', 11)
    assertStatus(await app.post(ann, `${one}/branches`, { new_branch_name: 'new' }), 201)
    lock('HEAD.lock', 11)
    assertStatus(await app.patch(ann, one, { default_branch: 'new' }), 200)
    assertStatus(await app.post(ann, `${one}/branches`, { new_branch_name: 'other' }), 201)
    lock('packed-refs.lock', 11)
    assertStatus(await app.delete(ann, `${one}/branches/main`), 204)
    await host.client.git(['pack-refs', '--all'], folder)
    lock('packed-refs.new', 11)
    assertStatus(await app.delete(ann, `${one}/branches/other`), 204)
    lock('refs/heads/main.lock', 11)
    assert.notEqual((await host.client.run(push, work)).code, 0)
    assert.equal((await host.client.run(push, work)).code, 0)
    lock('refs/heads/main.lock', 11)
    const file = { content, branch: 'main' }
    assertStatus(await app.post(ann, `${one}/contents/file`, file), 201)
    lock('refs/heads/main.lock', 5)
    assertError(await app.delete(ann, `${one}/branches/main`), 503, /being changed there/)
    assert.ok(existsSync(join(folder, 'refs', 'heads', 'main.lock')))
  })
})
