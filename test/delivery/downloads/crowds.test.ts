// One database is enough: the bytes do not pass through it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { suite, test } from 'node:test'
import { startGitHost } from '../../platform/git/support.ts'
import type { TestCaller } from '../../support/app.ts'
import { until } from '../../support/until.ts'

const SIZE = 8_000_000
const CROWD = 80

suite('downloads without number', () => {
  test('of one client leave as much to another one that wants a single file', async (t) => {
    const host = await startGitHost(t)
    const { app } = host
    const [ann, bob] = [await app.addCaller('ann'), await app.addCaller('bob')]
    await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
    const { body: release } = await app.post(ann, '/repos/ann/one/releases', { tag_name: 'v1' })
    const assets = `/repos/ann/one/releases/${release.id}/assets?name=a.bin`
    const { body: asset } = await app.post(ann, assets, Buffer.alloc(SIZE, 'a'), {
      'content-type': 'application/octet-stream',
    })
    const path = new URL(asset.browser_download_url as string).pathname.slice(1)
    const download = async (who: TestCaller, onBytes: (bytes: number) => void) => {
      const asked = get(host.url(path), { headers: who.headers, agent: false })
      asked.on('error', () => undefined)
      const [answer] = (await once(asked, 'response')) as [IncomingMessage]
      assert.equal(answer.statusCode, 200)
      answer.on('data', (chunk: Buffer) => onBytes(chunk.length))
      return { asked, over: once(answer, 'end') }
    }

    let ofAnn = 0
    const crowd = await Promise.all(
      Array.from({ length: CROWD }, () => download(ann, (bytes) => (ofAnn += bytes))),
    )
    await until(() => ofAnn > 0)
    let ofBob = 0
    const before = ofAnn
    const single = await download(bob, (bytes) => (ofBob += bytes))
    await single.over

    assert.equal(ofBob, SIZE)
    // As much, and what was on its way.
    assert.ok(ofAnn - before < (CROWD * SIZE) / 4, String(ofAnn - before))
    await Promise.all(crowd.map(({ over }) => over))
    assert.equal(ofAnn, CROWD * SIZE)
  })
})
