import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import { mirrorRow, startWithMirror } from './support.ts'

suite('PATCH of a mirror', () => {
  test('changes its interval, and takes only good ones', async (t) => {
    const { app, ann, bob, read } = await startWithMirror(t)
    const edit = (change: object) => app.patch(bob, '/repos/bob/copy', change)
    const good = {
      '90m': '1h30m0s',
      '10m': '10m0s',
      '8h30m': '8h30m0s',
      '0': '0s',
      '0h': '0s',
      '1.5h': '1h30m0s',
    }
    const below = (shown: string) =>
      `invalid mirror interval: ${shown} is below minimum interval: 10m0s`
    const bad = {
      abc: 'time: invalid duration "abc"',
      '': 'time: invalid duration ""',
      '10': 'time: missing unit in duration "10"',
      '5m': below('5m0s'),
      '-1h': below('-1h0m0s'),
      '1ns': below('1ns'),
      '9000h': 'invalid mirror interval: 9000h0m0s is longer than a year',
    }

    for (const [mirror_interval, shown] of Object.entries(good)) {
      const answer = await edit({ mirror_interval })
      assertStatus(answer, 200)
      assert.equal(answer.body.mirror_interval, shown)
    }
    await edit({ mirror_interval: '20m' })
    for (const [mirror_interval, message] of Object.entries(bad)) {
      assertError(await edit({ mirror_interval }), 422, message)
    }
    assertError(await edit({ description: 'kept', mirror_interval: 'x' }), 422)

    assert.partialDeepStrictEqual(await read(), { mirror_interval: '20m0s', description: 'kept' })
    const next = Date.parse((await read()).mirror_status.next_attempt) / 1000
    assert.ok(Math.abs(next - app.ctx.now() - 1200) < 60)
    assertStatus(
      await app.patch(ann, '/repos/ann/source', { mirror_interval: 'x', enable_prune: true }),
      200,
    )
    assert.equal((await app.get(ann, '/repos/ann/source')).body.mirror_interval, '')
  })

  test('changes who we are there, and archives nothing', async (t) => {
    const { app, ann, bob, sync, read } = await startWithMirror(t)
    await app.patch(ann, '/repos/ann/source', { private: true })
    const edit = (change: object) => app.patch(bob, '/repos/bob/copy', change)
    const state = async () => (await read()).mirror_status.state

    assertStatus(await edit({ mirror_username: 'ann', mirror_password: 'password1' }), 200)
    await sync()
    assert.equal(await state(), 'ok')
    await edit({ mirror_username: 'ann' })
    await sync()
    assert.equal(await state(), 'ok')
    await edit({ mirror_username: 'bob' })
    await sync()
    assert.equal(await state(), 'failing')
    const { text } = await edit({
      mirror_username: 'ann',
      mirror_password: 'x',
      mirror_token: 'password1',
    })
    await sync()
    assert.equal(await state(), 'ok')

    assert.ok(!text.includes('password1'))
    assert.ok(!JSON.stringify(await mirrorRow(app)).includes('password1'))
    for (const archived of [true, false]) {
      const body = { archived, description: `${archived}`, mirror_interval: '0' }
      assertError(await edit(body), 422, 'repo is a mirror, cannot archive/un-archive')
      assert.partialDeepStrictEqual(await read(), {
        description: `${archived}`,
        mirror_interval: '8h0m0s',
      })
    }
    assertError(await edit({ mirror_password: 'a\nb' }), 422)
    assertStatus(await app.put(bob, '/repos/bob/copy/topics', { topics: ['kept'] }), 204)
    const renamed = await edit({ name: 'other', description: 'new' })
    assert.partialDeepStrictEqual(renamed.body, {
      full_name: 'bob/other',
      description: 'new',
      mirror: true,
      mirror_interval: '8h0m0s',
      topics: ['kept'],
    })
    assert.match(renamed.body.original_url, /\/ann\/source\.git$/)
    assertStatus(await app.post(bob, '/repos/bob/other/mirror-sync'), 200)
    assertStatus(await app.delete(bob, '/repos/bob/other'), 204)
  })
})
