import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp, type TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { LfsCalls, pointerTo } from './support.ts'

const KIB = 1024
const piece = (letter: string, kib: number) => Buffer.alloc(kib * KIB, letter)

interface Presented {
  readonly error?: { readonly code: number; readonly message: string }
}

const codesOf = ({ body }: TestAnswer) =>
  (body.objects as Presented[]).map(({ error }) => error?.code ?? 200)

suite('quotas', () => {
  test('count objects of Git LFS beside attachments, in the repository and with its owner', async (t) => {
    const app = await startApp(t, {
      lfs: { enabled: true },
      quota: { per_repository: '1MiB', per_owner: '2MiB' },
    })
    const ann = await app.addCaller('ann')
    for (const name of ['one', 'two', 'three'])
      await app.post(ann, '/user/repos', { name, auto_init: name === 'one' })
    const calls = (name: string) => new LfsCalls(app, `ann/${name}`)
    const upload = (name: string, bytes: Buffer) => calls(name).put(ann, pointerTo(bytes), bytes)
    const release = await app.post(ann, '/repos/ann/one/releases', { tag_name: 'v1', draft: true })
    let files = 0
    const attach = (bytes: Buffer) =>
      app.post(ann, `/repos/ann/one/releases/${release.body.id}/assets?name=${++files}`, bytes, {
        'content-type': 'application/octet-stream',
      })

    // Of one megabyte 600 KiB are taken: a batch says of each object whether it fits beside those
    // before it.
    assertStatus(await attach(piece('a', 200)), 201)
    assertStatus(await upload('one', piece('b', 400)), 200)
    const wanted = [piece('b', 400), piece('c', 300), piece('d', 200), piece('e', 100)]
    const asked = await calls('one').batch(ann, 'upload', wanted.map(pointerTo))
    assert.deepEqual(codesOf(asked), [200, 200, 413, 200])
    assert.equal(asked.body.objects[2].error.message, 'quota exceeded')
    assert.deepEqual(asked.body.objects[0].actions, undefined)
    const refused = await upload('one', piece('f', 500))
    assert.deepEqual([refused.status, refused.body.message], [413, 'quota exceeded'])
    assertStatus(await attach(piece('g', 500)), 413)

    // Uploads that race for the rest stay within it together.
    const raced = await Promise.all(['c', 'd', 'e'].map((one) => upload('one', piece(one, 300))))
    assert.deepEqual(
      raced.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 413, 413],
    )

    // What is linked without being sent counts too, and with the owner everything does.
    assertStatus(await upload('two', piece('h', 1000)), 200)
    const linked = await calls('three').batch(ann, 'upload', [piece('b', 400)].map(pointerTo))
    assert.deepEqual(codesOf(linked), [413])
    assertStatus(await upload('three', piece('i', 200)), 413)
    assertStatus(await upload('three', piece('i', 100)), 200)
    const again = await calls('one').batch(ann, 'upload', [piece('b', 400)].map(pointerTo))
    assert.deepEqual(codesOf(again), [200])
    const sizes = await app.ctx.db
      .selectFrom('repository')
      .select('lfs_size')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      sizes.map(({ lfs_size }) => lfs_size / KIB),
      [700, 1000, 100],
    )
    const bob = await app.addCaller('bob')
    assertStatus(await app.post(bob, '/user/repos', { name: 'own' }), 201)
    const own = piece('j', 1024)
    assertStatus(await new LfsCalls(app, 'bob/own').put(bob, pointerTo(own), own), 200)
  })
})
