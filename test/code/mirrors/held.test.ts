import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isStillHeld, newLease, type Held } from '../../../src/code/mirrors/held.ts'
import { updateHeld } from '../../../src/code/mirrors/lease-queries.ts'
import { findMirror, updateMirror } from '../../../src/code/mirrors/queries.ts'
import { assertStatus } from '../../support/expect.ts'
import { startMirrorHost } from './support.ts'

suite('a mirror that somebody works on', () => {
  test('is theirs for as long as they live, and soon after another can have it', async (t) => {
    const { app, bob, address } = await startMirrorHost(t)
    const { ctx } = app
    const body = { clone_addr: address, repo_name: 'copy', mirror: true }
    const { id } = (await app.post(bob, '/repos/migrate', body)).body
    const state = async () => (await app.get(bob, '/repos/bob/copy')).body.mirror_status.state
    await updateMirror(ctx.db, id, newLease(ctx))
    const mirror = await findMirror(ctx.db, id)
    assert.ok(mirror)
    const held: Held = {
      holder: mirror.holder,
      find: () => findMirror(ctx.db, id),
      renew: (lease) => updateHeld(ctx.db, 'mirror', mirror, lease),
    }
    assertStatus(await app.post(bob, '/repos/bob/copy/mirror-sync'), 200)

    for (let count = 0; count < 20; count++) {
      app.passTime(25)
      assert.equal(await isStillHeld(ctx, held), true)
      await ctx.jobs.runDue()
      assert.equal(await state(), 'syncing')
    }
    // Its process has died.
    app.passTime(40)
    assert.equal(await state(), 'queued')
    await ctx.jobs.runDue()

    assert.equal(await state(), 'ok')
    assert.equal(await isStillHeld(ctx, held), false)
    assert.equal(await updateHeld(ctx.db, 'mirror', mirror, { last_error: 'too late' }), false)
    await updateMirror(ctx.db, id, newLease(ctx))
    assert.equal(await isStillHeld(ctx, held), false)
    assert.equal(await state(), 'syncing')
    app.passTime(ctx.config.jobs.lease)
    assert.equal(await state(), 'queued')
    assertStatus(await app.delete(bob, '/repos/bob/copy'), 204)
    assert.equal(await isStillHeld(ctx, held), false)
  })
})
