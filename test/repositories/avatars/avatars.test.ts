import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sweepAvatars } from '../../../src/repositories/avatars/sweep.ts'
import { startApp, type TestApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

/** One pixel of PNG. */
const dot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const gif = Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1').toString('base64')
const jpeg = Buffer.from(
  'ffd8ffe000104a46494600010100000100010000ffc0000b080001000101011100ffd9',
  'hex',
).toString('base64')
const webp = Buffer.concat([
  Buffer.from('RIFF\x1e\x00\x00\x00WEBPVP8L\x11\x00\x00\x00\x2f', 'latin1'),
  Buffer.alloc(16),
]).toString('base64')

const pathOf = (url: string) => `^${new URL(url).pathname}`

async function storedCount({ ctx }: TestApp): Promise<number> {
  return (await Array.fromAsync(ctx.files.list('avatars'))).length
}

suite('the picture of a repository', () => {
  test('is set, shown, copied, replaced and removed', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one', template: true })
    const urlOf = async (path = 'ann/one') =>
      (await app.get(ann, `/repos/${path}`)).body.avatar_url as string
    assert.equal(await urlOf(), '')

    assertStatus(await app.post(ann, '/repos/ann/one/avatar', { image: dot }), 204)
    const first = await urlOf()
    assert.match(first, /^http:\/\/codestead\.test\/repo-avatars\/[\w-]+$/)
    const shown = await app.get(undefined, pathOf(first))
    assert.deepEqual([shown.status, shown.headers['content-type']], [200, 'image/png'])
    assert.match(shown.headers['content-security-policy'] ?? '', /sandbox/)
    const etag = { 'if-none-match': shown.headers['etag'] ?? '' }
    assertStatus(await app.get(undefined, pathOf(first), etag), 304)

    const copy = { owner: 'ann', name: 'copy', avatar: true }
    assertStatus(await app.post(ann, '/repos/ann/one/generate', copy), 201)
    const copied = await urlOf('ann/copy')
    assert.notEqual(copied, first)
    assertStatus(await app.get(undefined, pathOf(copied)), 200)
    for (const image of [gif, jpeg, webp, `data:image/png;base64,${dot}`]) {
      assertStatus(await app.post(ann, '/repos/ann/one/avatar', { image }), 204)
    }
    await app.ctx.jobs.runDue()
    assertStatus(await app.get(undefined, pathOf(first)), 404)
    assert.equal(await storedCount(app), 2)

    assertStatus(await app.delete(ann, '/repos/ann/one/avatar'), 204)
    assertStatus(await app.delete(ann, '/repos/ann/one/avatar'), 204)
    assert.equal(await urlOf(), '')
    await app.delete(ann, '/repos/ann/copy')
    await app.ctx.jobs.runDue()
    assert.equal(await storedCount(app), 0)
  })

  test('is for administrators to set, and has to be a picture', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/user/repos', { name: 'one' })
    const path = '/repos/ann/one/avatar'
    const large = Buffer.from(dot, 'base64')
    large.writeUInt32BE(5000, 16)

    assertError(await app.post(undefined, path, { image: dot }), 401)
    assertError(await app.post(bob, path, { image: dot }), 403)
    assertError(await app.delete(bob, path), 403)
    assertError(await app.post(ann, '/repos/ann/none/avatar', { image: dot }), 404)
    const cases: [unknown, number][] = [
      [undefined, 422],
      ['', 422],
      ['not base64!', 400],
      [Buffer.from('<svg onload="alert(1)"/>').toString('base64'), 422],
      [Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64'), 422],
      [Buffer.from('ffd8ffe0', 'hex').toString('base64'), 422],
      [large.toString('base64'), 422],
      [Buffer.concat([large, Buffer.alloc(1_048_576)]).toString('base64'), 413],
    ]
    for (const [image, status] of cases) assertError(await app.post(ann, path, { image }), status)
    assert.equal(await storedCount(app), 0)
  })
})

suite('the picture of an account', () => {
  test('is its own, or made from its address', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/orgs', { username: 'acme' })
    const urlOf = async (path: string) => (await app.get(ann, path)).body.avatar_url as string
    const made = await urlOf('/user')
    const drawn = await app.get(undefined, pathOf(made))
    assert.deepEqual([drawn.status, drawn.headers['content-type']], [200, 'image/svg+xml'])

    assertStatus(await app.post(ann, '/user/avatar', { image: dot }), 204)
    assertStatus(await app.post(ann, '/orgs/acme/avatar', { image: dot }), 204)
    assertError(await app.post(bob, '/orgs/acme/avatar', { image: dot }), 403)
    assertError(await app.post(undefined, '/user/avatar', { image: dot }), 401)

    for (const path of ['/user', '/orgs/acme']) {
      const shown = await app.get(undefined, pathOf(await urlOf(path)))
      assert.deepEqual([shown.status, shown.headers['content-type']], [200, 'image/png'])
    }
    assertStatus(await app.delete(ann, '/user/avatar'), 204)
    assertStatus(await app.delete(ann, '/orgs/acme/avatar'), 204)
    assert.equal(await urlOf('/user'), made)
    for (const name of ['x', 'a..b', 'a'.repeat(31)]) {
      assertStatus(await app.get(undefined, `^/avatars/${name}`), 404)
    }
  })

  test('that nobody has any more is swept away', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const root = await app.addAdmin()
    for (const who of [ann, bob]) await app.post(who, '/user/avatar', { image: dot })
    assertStatus(await app.delete(root, '/admin/users/bob'), 204)

    app.passTime(2 * 86_400)
    await sweepAvatars(app.ctx)

    assert.equal(await storedCount(app), 1)
  })
})
