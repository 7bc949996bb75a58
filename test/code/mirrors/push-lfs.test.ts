import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { LfsCalls, pointerTo, startLinkedHost } from '../lfs/support.ts'
import { PASSWORD } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { addPointer, refsOf } from './support.ts'

suite('a push mirror', () => {
  test('brings the objects of Git LFS to its remote, and the code whatever becomes of them', async (t) => {
    const remote = await startLinkedHost(t, { quota: { per_repository: '1MiB' } })
    const dan = await remote.app.addCaller('dan')
    assertStatus(await remote.app.post(dan, '/user/repos', { name: 'target', private: true }), 201)
    const { app } = await startLinkedHost(t, { network: { allow_private: true } })
    const ann = await app.addCaller('ann')
    assertStatus(await app.post(ann, '/user/repos', { name: 'source', auto_init: true }), 201)
    const mirrors = '/repos/ann/source/push_mirrors'
    const mirror = {
      remote_address: remote.url('dan/target.git'),
      remote_username: 'dan',
      remote_password: PASSWORD,
      interval: '8h',
    }
    assertStatus(await app.post(ann, mirrors, mirror), 200)
    const upload = async (bytes: string) => {
      await addPointer(app, ann, bytes)
      const calls = new LfsCalls(app, 'ann/source')
      assertStatus(await calls.put(ann, pointerTo(bytes), bytes), 200)
    }
    const has = async (bytes: string) => {
      const path = `/objects/${pointerTo(bytes).oid}`
      const { status, text } = await new LfsCalls(remote.app, 'dan/target').get(dan, path)
      return status === 200 && text === bytes
    }
    const tip = async () => (await app.get(ann, '/repos/ann/source/branches/main')).body.commit.id
    const theirs = async () =>
      (await remote.app.get(dan, '/repos/dan/target/branches/main')).body.commit.id

    await upload('one')
    await upload('')
    await addPointer(app, ann, 'never uploaded')
    assertStatus(await app.post(ann, `${mirrors}-sync`), 200)
    assert.deepEqual(
      [await has('one'), await has(''), await has('never uploaded')],
      [true, true, false],
    )
    assert.deepEqual(await refsOf(remote, 'dan/target'), ['refs/heads/main'])

    const large = 'x'.repeat(1_100_000)
    await upload(large)
    await upload('two')
    assertStatus(await app.post(ann, `${mirrors}-sync`), 422)
    const [{ last_error }] = (await app.get(ann, mirrors)).body
    const { oid } = pointerTo(large)
    assert.equal(
      last_error,
      `LFS: 1 of 4 objects could not be pushed: ${oid}: the remote answered 413`,
    )
    assert.deepEqual([await has('two'), await has(large)], [true, false])
    assert.equal(await theirs(), await tip())
  })
})
