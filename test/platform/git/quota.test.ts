import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { findFreePort } from '../../code/lfs/support.ts'
import { skipWithoutSsh, sshWith } from '../../protocols/ssh/support.ts'
import type { TestCaller } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { startGitHost, type GitHost } from './support.ts'

const KIB = 1024

/** A working copy whose main has a file of so many bytes that no compression makes smaller. */
async function workWith({ client }: GitHost, name: string, kib: number): Promise<string> {
  const work = await client.makeRepository(name)
  await addFile({ client }, work, `${name}.bin`, kib)
  return work
}

async function addFile(
  { client }: Pick<GitHost, 'client'>,
  work: string,
  file: string,
  kib: number,
) {
  writeFileSync(join(work, file), randomBytes(kib * KIB))
  await client.git(['add', '.'], work)
  await client.git(['commit', '--quiet', '-m', file], work)
}

async function sizeOf({ app }: GitHost, path: string): Promise<number> {
  await app.ctx.jobs.runDue()
  const { git_size } = await app.ctx.db
    .selectFrom('repository')
    .select('git_size')
    .where('lower_name', '=', path)
    .executeTakeFirstOrThrow()
  return git_size / KIB
}

/** Neither refs nor objects, also none that wait. */
async function assertEmpty(host: GitHost, path: string): Promise<void> {
  const folder = await host.folderOf(path)
  assert.deepEqual(readdirSync(join(folder, 'refs', 'heads')), [])
  const folders = readdirSync(join(folder, 'objects')).filter((name) => !/^(info|pack)$/.test(name))
  assert.deepEqual(folders, [])
  const packs = join(folder, 'objects', 'pack')
  assert.deepEqual(existsSync(packs) ? readdirSync(packs) : [], [])
}

async function startWithRepositories(
  ...parameters: Parameters<typeof startGitHost>
): Promise<{ host: GitHost; ann: TestCaller }> {
  const host = await startGitHost(...parameters)
  const ann = await host.app.addCaller('ann')
  for (const name of ['one', 'two', 'three']) {
    assertStatus(await host.app.post(ann, '/user/repos', { name }), 201)
  }
  return { host, ann }
}

suite('quotas', () => {
  test('count what is pushed, and refuse what is too much before anything moves', async (t) => {
    const { host, ann } = await startWithRepositories(t, { quota: { per_repository: '1MiB' } })
    const { app, client } = host
    const push = (work: string, to: string, ...refs: string[]) =>
      client.run(['push', host.urlFor('ann', to), ...refs], work)
    const small = await workWith(host, 'small', 600)

    const large = await push(await workWith(host, 'large', 1500), 'ann/one', 'main')
    assert.notEqual(large.code, 0)
    assert.match(large.notes, /remote: quota exceeded: what is pushed takes 15\d\d KiB/)
    const huge = await push(await workWith(host, 'huge', 12_000), 'ann/one', 'main')
    assert.notEqual(huge.code, 0)
    assert.match(huge.notes, /pack exceeds maximum allowed size/)
    await assertEmpty(host, 'ann/one')
    assert.equal(await sizeOf(host, 'one'), 0)

    assert.equal((await push(small, 'ann/one', 'main')).code, 0)
    const taken = await sizeOf(host, 'one')
    assert.ok(taken > 600 && taken < 700, `${taken}`)
    await addFile(host, small, 'more.bin', 600)
    assert.match((await push(small, 'ann/one', 'main')).notes, /quota exceeded/)
    // What brings nothing new, or takes something away, fits always.
    assert.equal((await push(small, 'ann/one', 'HEAD~1:refs/heads/other')).code, 0)
    assert.equal((await push(small, 'ann/one', ':other')).code, 0)
    assert.match((await push(small, 'ann/one.wiki', 'main')).notes, /quota exceeded/)
    assert.equal(await sizeOf(host, 'one'), taken)
    await host.assertSound('ann/one')

    // Everything that a repository holds counts together.
    const release = await app.post(ann, '/repos/ann/one/releases', { tag_name: 'v', draft: true })
    const assets = `/repos/ann/one/releases/${release.body.id}/assets?name=x`
    const type = { 'content-type': 'application/octet-stream' }
    assertError(await app.post(ann, assets, randomBytes(500 * KIB), type), 413, 'quota exceeded')
    assertStatus(await app.post(ann, assets, randomBytes(200 * KIB), type), 201)
    const content = (kib: number) => ({ content: randomBytes(kib * KIB).toString('base64') })
    const contents = '/repos/ann/one/contents/'
    assertError(await app.post(ann, `${contents}a`, content(300)), 413, 'quota exceeded')
    assert.equal(await sizeOf(host, 'one'), taken)
    assertStatus(await app.post(ann, `${contents}a`, content(100)), 201)
    assert.ok((await sizeOf(host, 'one')) >= taken + 100)
    assertError(await app.post(ann, `${contents}b`, content(100)), 413, 'quota exceeded')
    // One that was refused for something else is not counted.
    assertStatus(await app.post(ann, `${contents}a`, content(10)), 422)
    assertStatus(await app.delete(ann, `${contents}small.bin`, { sha: 'f'.repeat(40) }), 422)
  })

  test('of an owner count all repositories, also new ones, however they race', async (t) => {
    const { host, ann } = await startWithRepositories(t, { quota: { per_owner: '1MiB' } })
    const bob = await host.app.addCaller('bob')
    const works = await Promise.all(['a', 'b', 'c'].map((name) => workWith(host, name, 600)))
    const names = ['one', 'two', 'three']

    const raced = await Promise.all(
      works.map((work, index) =>
        host.client.run(['push', host.urlFor('ann', `ann/${names[index]}`), 'main'], work),
      ),
    )

    assert.deepEqual(
      raced.map(({ code }) => code).toSorted((one, other) => one - other),
      [0, 1, 1],
    )
    const full = names[raced.findIndex(({ code }) => code === 0)] ?? ''
    assert.ok((await sizeOf(host, full)) > 600)
    // A fork is a copy, which its owner has to have room for.
    await host.app.ctx.db
      .updateTable('repository')
      .set({ is_template: 1 })
      .where('lower_name', '=', full)
      .execute()
    const generation = { owner: 'ann', name: 'made', git_content: true }
    assertError(await host.app.post(ann, `/repos/ann/${full}/generate`, generation), 413)
    assertStatus(await host.app.post(bob, `/repos/ann/${full}/forks`, {}), 202)
    const root = join(host.app.ctx.config.data, 'repositories')
    const folders = globSync('*/*', { cwd: root })
    assert.equal(folders.length, names.length + 1)
  })

  test('hold over SSH too', { skip: skipWithoutSsh }, async (t) => {
    const port = await findFreePort()
    const { host, ann } = await startWithRepositories(t, {
      quota: { per_repository: '1MiB' },
      ssh: { enabled: true, port, listen_host: '127.0.0.1' },
    })
    await host.app.listenSsh()
    const key = join(host.client.home, 'key')
    spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    const line = readFileSync(`${key}.pub`, 'utf8').trim()
    assertStatus(await host.app.post(ann, '/user/keys', { title: 'k', key: line }), 201)
    await host.client.git(['config', '--global', 'core.sshCommand', sshWith(key).join(' ')])
    const work = await workWith(host, 'large', 1500)

    const url = `ssh://git@127.0.0.1:${port}/ann/one.git`
    const refused = await host.client.run(['push', url, 'main'], work)

    assert.notEqual(refused.code, 0)
    assert.match(refused.notes, /remote: quota exceeded: what is pushed takes 15\d\d KiB/)
    await assertEmpty(host, 'ann/one')
    await host.client.git(['push', url, 'main~1:refs/heads/main'], work)
  })
})
