// One database is enough: files of git are in none.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { startGitHost } from './support.ts'

suite('a client that fetches plain files', () => {
  test('clones what is loose and what is packed, and fetches what comes later', async (t) => {
    const host = await startGitHost(t)
    const { app, client } = host
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const work = await client.makeRepository()
    const push = ['push', '--quiet', host.urlFor('ann', 'ann/one.git'), 'main', '--tags']
    await client.git(['tag', '-a', '-m', 'the first', 'v1'], work)
    await client.git(push, work)
    client.isSmart = false

    await client.git(['clone', '--quiet', host.url('ann/one'), 'loose'])

    const loose = join(client.home, 'loose')
    assert.equal(await client.git(['log', '--format=%s', 'v1'], loose), 'first')
    const folder = await host.folderOf('ann/one')
    await client.git(['--git-dir', folder, 'repack', '-adq'])
    await client.git(['clone', '--quiet', host.url('ann/one.git'), 'packed'])
    client.isSmart = true
    const second = await client.commit(work, 'second')
    await client.git(push, work)
    client.isSmart = false
    const packed = join(client.home, 'packed')
    await client.git(['pull', '--quiet'], packed)
    assert.equal(await client.git(['rev-parse', 'HEAD'], packed), second)
    await client.git(['fsck', '--strict'], packed)
  })

  test('sees no more than anybody else who fetches', async (t) => {
    const { app } = await startGitHost(t)
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await app.post(ann, '/user/repos', { name: 'secret', private: true, auto_init: true })
    const refs = (await app.get(ann, '^/ann/secret/info/refs')).text
    const [, start = '', rest = ''] = /^(..)(\w+)\trefs\/heads\/main\n$/.exec(refs) ?? []
    const types = new Map([
      ['info/refs', 'text/plain; charset=utf-8'],
      ['HEAD', 'text/plain; charset=utf-8'],
      ['objects/info/packs', 'text/plain; charset=utf-8'],
      [`objects/${start}/${rest}`, 'application/x-git-loose-object'],
    ])

    for (const [path, type] of types) {
      const address = `^/ann/secret.git/${path}`
      assertStatus(await app.get(undefined, address), 401)
      assertStatus(await app.get(bob, address), 404)
      const answer = await app.get(ann, address)
      assertStatus(answer, 200)
      assert.equal(answer.headers['content-type'], type)
      assert.match(String(answer.headers['cache-control']), /private|no-cache/)
    }
    assert.equal((await app.get(ann, '^/ann/secret/HEAD')).text, 'ref: refs/heads/main\n')
  })

  test('finds nothing where git over HTTP is switched off', async (t) => {
    const { app } = await startGitHost(t, { repositories: { http_git: false } })
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one', auto_init: true })

    for (const path of ['info/refs', 'HEAD', 'objects/info/packs', `objects/aa/${'0'.repeat(38)}`])
      assertStatus(await app.get(ann, `^/ann/one/${path}`), 403)
  })
})
