import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { forgetOldDeliveries } from '../../../src/outbound/webhooks/deliver.ts'
import { assertStatus } from '../../support/expect.ts'
import { failing, start, startPushing, type Setup } from './setup.ts'

const hooks = '/repos/ann/one/hooks'

/** What the database holds of it, in characters. */
async function heldBy({ app }: Pick<Setup, 'app'>): Promise<number> {
  const deliveries = await app.ctx.db.selectFrom('webhook_delivery').selectAll().execute()
  const payloads = await app.ctx.db.selectFrom('webhook_payload').selectAll().execute()
  return JSON.stringify([deliveries, payloads]).length
}

suite('what webhooks are told', () => {
  test('is stored once for all receivers, and small', async (t) => {
    const setup = await startPushing(t)
    const { listen, client, work, push, write, heard } = setup
    for (let at = 0; at < 20; at++) await listen(['push', 'create'])
    write('a.txt', 'a')
    await client.git(['add', '.'], work)
    write('message', `long\n\n${'word '.repeat(100_000)}`)
    await client.git(['commit', '--quiet', '-F', 'message'], work)

    await push('HEAD:refs/heads/main')
    const calls = await heard()

    assert.equal(calls.length, 40)
    const pushes = calls.filter(({ headers }) => headers['x-gitea-event'] === 'push')
    assert.equal(new Set(pushes.map(({ text }) => text)).size, 1)
    assert.match(pushes[0]?.body.commits[0].message, /^long\n\nword word/)
    assert.ok(pushes[0]?.body.commits[0].message.length <= 131_072)
    assert.ok((await heldBy(setup)) < 100_000, String(await heldBy(setup)))
  })

  test('is the same when it is told again, and shown', async (t) => {
    const setup = await start(t)
    const { app, ann, listen, heard } = setup
    const id = await listen(['issues'])
    const opened = await app.post(ann, '/repos/ann/one/issues', { title: 'told' })
    assertStatus(opened, 201)
    const [first] = await heard()
    const { body } = await app.get(ann, `${hooks}/${id}/deliveries`)

    assertStatus(await app.post(ann, `${hooks}/${id}/deliveries/${body[0].id}/redeliver`), 201)
    const [again] = await heard()
    const shown = await app.get(ann, `${hooks}/${id}/deliveries/${body[0].id}`)

    assert.equal(again?.text, first?.text)
    assert.deepEqual(shown.body.payload, first?.body)
    const payloads = await app.ctx.db.selectFrom('webhook_payload').select('id').execute()
    assert.equal(payloads.length, 1)
  })

  test('goes when nobody is told it any more', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    const left = async () =>
      (await app.ctx.db.selectFrom('webhook_payload').select('id').execute()).length
    const id = await listen(['issues'])
    await app.post(ann, '/repos/ann/one/issues', { title: 'told' })
    await heard()
    await forgetOldDeliveries(app.ctx)
    assert.equal(await left(), 1)

    assertStatus(await app.delete(ann, `${hooks}/${id}`), 204)
    await forgetOldDeliveries(app.ctx)

    assert.equal(await left(), 0)
  })
})

suite('the room of deliveries', () => {
  test('has an end for one repository: the oldest go first, also those that wait', async (t) => {
    const setup = await start(t, { webhooks: { max_deliveries: 100 } })
    const { app, ann, listen, heard, receiver } = setup
    for (let at = 0; at < 10; at++) await listen(['issues'])
    receiver.answer(...Array.from({ length: 10 }, () => failing(503)))
    for (let at = 0; at < 15; at++) {
      await app.post(ann, '/repos/ann/one/issues', { title: String(at) })
    }

    await heard()

    const kept = await app.ctx.db
      .selectFrom('webhook_delivery')
      .select(['id', 'is_waiting'])
      .orderBy('id')
      .execute()
    assert.ok(kept.length <= 100, String(kept.length))
    assert.ok(kept.length >= 80, String(kept.length))
    const newest = await app.get(ann, `${hooks}?limit=1`)
    const { body } = await app.get(ann, `${hooks}/${newest.body[0].id}/deliveries?limit=1`)
    assert.ok(kept.some(({ id }) => id === body[0].id))
    const payloads = await app.ctx.db.selectFrom('webhook_payload').select('id').execute()
    assert.ok(payloads.length <= 10, String(payloads.length))
  })

  test('counts what receivers answer', async (t) => {
    const setup = await start(t, { webhooks: { max_room: '256KiB' } })
    const { app, ann, listen, heard, receiver } = setup
    await listen(['issues'])
    for (let at = 0; at < 12; at++) {
      receiver.answer((response) => void response.end('x'.repeat(60_000)))
      await app.post(ann, '/repos/ann/one/issues', { title: String(at) })
      await heard()
      app.passTime(10)
    }

    assert.ok((await heldBy(setup)) < 330_000, String(await heldBy(setup)))
  })

  test('has an end for an owner, however many repositories there are', async (t) => {
    const setup = await start(t, { webhooks: { max_deliveries: 100 } })
    const { app, ann, listen, heard } = setup
    for (let at = 0; at < 12; at++) {
      const name = `r${at}`
      assertStatus(await app.post(ann, '/user/repos', { name }), 201)
      for (let hook = 0; hook < 10; hook++) await listen(['issues'], {}, `/repos/ann/${name}/hooks`)
      for (let issue = 0; issue < 5; issue++) {
        await app.post(ann, `/repos/ann/${name}/issues`, { title: String(issue) })
      }
    }
    await heard()

    const kept = await app.ctx.db.selectFrom('webhook_delivery').select('id').execute()

    assert.ok(kept.length <= 400, String(kept.length))
  })
})
