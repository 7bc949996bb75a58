import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { LfsCalls, pointerTo, prepareLarge, skipWithoutGitLfs, startLinkedHost } from './support.ts'

suite('the real git-lfs', { skip: skipWithoutGitLfs }, () => {
  test('pushes, clones and locks over HTTP', async (t) => {
    const host = await startLinkedHost(t)
    const { app, client } = host
    const { ann, url, work, bytes } = await prepareLarge(host)
    await client.git(['remote', 'add', 'origin', url], work)

    await client.git(['push', 'origin', 'main'], work)
    await client.git(['lfs', 'lock', 'big.bin'], work)
    await client.git(['clone', '--quiet', url, 'copy'])

    assert.ok(readFileSync(join(client.home, 'copy', 'big.bin')).equals(bytes))
    const pointer = pointerTo(bytes)
    const calls = new LfsCalls(app, 'ann/one')
    assert.deepEqual((await calls.batch(ann, 'upload', [pointer])).body.objects, [pointer])
    assert.match(await client.git(['lfs', 'locks'], work), /big\.bin\s+ann/)
    const raw = await app.get(ann, '/repos/ann/one/raw/big.bin')
    assert.match(raw.text, /^version https:\/\/git-lfs/)
    await client.git(['lfs', 'unlock', 'big.bin'], work)
    assert.deepEqual((await calls.get(ann, '/locks')).body, { locks: [] })
  })
})
