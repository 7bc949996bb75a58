import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { noS3, startS3 } from '../../support/s3.ts'
import { startApp } from '../../support/app.ts'
import { base64 } from '../commits/setup.ts'
import {
  LfsCalls,
  oidOf,
  pointerTo,
  prepareLarge,
  skipWithoutGitLfs,
  startLinkedHost,
} from './support.ts'

const BYTES = Buffer.from('\0\x01 sixteen bytes')

async function startLeading(t: TestContext) {
  const app = await startApp(t, {
    lfs: { enabled: true },
    storage: { ...(await startS3(t)), redirect: true },
  })
  const ann = await app.addCaller('ann')
  assertStatus(await app.post(ann, '/user/repos', { name: 'one', private: true }), 201)
  const calls = new LfsCalls(app, 'ann/one')
  assertStatus(await calls.put(ann, pointerTo(BYTES), BYTES), 200)
  return { app, ann, calls }
}

async function read(link: string | undefined, headers: Record<string, string> = {}) {
  const response = await fetch(link ?? '', { headers })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}

suite('objects of Git LFS from the bucket itself', { skip: noS3 }, () => {
  test('are linked to in a batch, without a credential of ours', async (t) => {
    const { app, ann, calls } = await startLeading(t)
    const bob = await app.addCaller('bob')
    const pointer = pointerTo(BYTES)
    const missing = pointerTo('missing')
    assertStatus(await calls.put(ann, pointerTo(''), ''), 200)

    const { body } = await calls.batch(ann, 'download', [pointer, missing, pointerTo('')])
    const [object, none, empty] = body.objects
    const upload = await calls.batch(ann, 'upload', [pointerTo('new')])
    const refused = await calls.batch(bob, 'download', [pointer])

    const { href, ...rest } = object.actions.download
    assert.deepEqual(rest, { header: {}, expires_in: 300 })
    assert.equal(object.authenticated, true)
    const { response, bytes } = await read(href)
    assert.ok(bytes.equals(BYTES))
    assert.equal(response.headers.get('content-type'), 'application/octet-stream')
    assert.equal(response.headers.get('content-disposition'), 'attachment')
    assert.equal((await read(empty.actions.download.href)).bytes.length, 0)
    assert.equal(none.error.code, 404)
    const [{ actions }] = upload.body.objects
    assert.match(actions.upload.href, /^http:\/\/codestead\.test\//)
    assert.equal(actions.upload.header.Authorization, ann.headers['authorization'])
    assertStatus(refused, 404)
    assert.doesNotMatch(refused.text, /X-Amz/i)
  })

  test('are led to from their own address, and from that of the file that they stand for', async (t) => {
    const { app, ann, calls } = await startLeading(t)
    const bob = await app.addCaller('bob')
    const { oid, size } = pointerTo(BYTES)
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`
    const text = Buffer.from('shown by us')
    assertStatus(await calls.put(ann, pointerTo(text), text), 200)
    const ofText = pointer.replace(oid, oidOf(text)).replace(`size ${size}`, `size ${text.length}`)
    for (const [name, content] of Object.entries({ 'a.bin': pointer, 'a.txt': ofText })) {
      const made = { content: base64(content), branch: 'main' }
      assertStatus(await app.post(ann, `/repos/ann/one/contents/${name}`, made), 201)
    }
    const object = `^/ann/one/info/lfs/objects/${oid}`
    const media = ['/repos/ann/one/media/a.bin', '^/ann/one/media/branch/main/a.bin']

    for (const address of [object, ...media]) {
      const led = await app.get(ann, address)
      assertStatus(led, 303)
      assert.equal(led.headers['cache-control'], 'private, no-store')
      const { response, bytes } = await read(led.headers['location'], { range: 'bytes=2-4' })
      assert.equal(response.status, 206)
      assert.ok(bytes.equals(BYTES.subarray(2, 5)))
      assert.match(response.headers.get('content-disposition') ?? '', /^attachment/)
      const refused = await app.get(bob, address)
      assertStatus(refused, 404)
      assert.equal(refused.headers['location'], undefined)
    }
    for (const address of media) {
      const head = await app.head(ann, address)
      assertStatus(head, 200)
      assert.equal(head.headers['content-length'], String(size))
      assert.equal((await app.get(ann, address.replace('a.bin', 'a.txt'))).text, 'shown by us')
      const { etag = '' } = head.headers
      assertStatus(await app.get(ann, address, { 'if-none-match': etag }), 304)
    }
    assertStatus(await app.get(ann, object, { range: 'bytes=99-' }), 416)
  })

  test('are cloned by the real client', { skip: skipWithoutGitLfs }, async (t) => {
    const storage = await startS3(t)
    const host = await startLinkedHost(t, {
      storage: {
        ...storage,
        redirect: true,
        public_endpoint: String(storage.endpoint).replace('127.0.0.1', 'localhost'),
      },
    })
    const { app, client } = host
    const { url, work, bytes } = await prepareLarge(host)
    await client.git(['push', url, 'main'], work)
    const asked: string[] = []
    app.server.server.on('request', ({ url: path = '' }) => asked.push(path))

    await client.git(['clone', '--quiet', url, 'copy'])

    assert.ok(readFileSync(join(client.home, 'copy', 'big.bin')).equals(bytes))
    assert.ok(asked.some((path) => path.endsWith('/objects/batch')))
    assert.ok(!asked.some((path) => path.includes(oidOf(bytes))), 'the bytes are not asked of us')
  })
})
