import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { upload } from '../attachments/form.ts'
import { startWithRelease, storedKeys } from '../release-attachments/setup.ts'
import { assertError, assertStatus } from '../support/expect.ts'

const OCTETS = { 'content-type': 'application/octet-stream' }

suite('Idempotency-Key', () => {
  test('gives the first answer again, to the same caller and request only', async (t) => {
    const { app, ann, bob, releases, assets } = await startWithRelease(t)
    const key = { 'idempotency-key': 'one' }
    const send = (who: typeof ann, name: string) =>
      app.post(who, `${assets}?name=${name}`, 'hello', { ...OCTETS, ...key })

    const first = await send(ann, 'x')
    const second = await send(ann, 'x')
    const release = { tag_name: 'v2', name: 'two' }
    const made = await app.post(ann, releases, release, { 'idempotency-key': 'two' })
    const again = await app.post(ann, releases, release, { 'idempotency-key': 'two' })

    assertStatus(first, 201)
    assert.equal(first.headers['idempotency-replayed'], undefined)
    assertStatus(second, 201)
    assert.deepEqual(second.body, first.body)
    assert.equal(second.headers['idempotency-replayed'], 'true')
    assert.deepEqual([again.status, again.body], [201, made.body])
    assertError(await send(ann, 'y'), 422, /another request/)
    assertError(await send(bob, 'x'), 403)
    assertError(
      await app.post(ann, releases, release, { 'idempotency-key': 'x'.repeat(256) }),
      422,
      'Idempotency-Key is too long',
    )
    assert.equal((await storedKeys(app)).length, 1)
  })

  test('lets a call that failed be tried again, and does one of many at a time', async (t) => {
    const { app, ann, path } = await startWithRelease(t)
    const key = { 'idempotency-key': 'k' }
    const issues = `${path}/issues`

    assertError(await app.post(ann, issues, {}, key), 422)
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => app.post(ann, issues, { title: 'once' }, key)),
    )

    const made = answers.filter(({ status }) => status === 201)
    assert.ok(made.length >= 1)
    for (const { status, body } of answers) {
      if (status === 201) assert.equal(body.number, made[0]?.body.number)
      else assert.equal(status, 409)
    }
    assert.equal((await app.get(ann, issues)).body.length, 1)
  })

  test('is forgotten after a day, and after a crash sooner', async (t) => {
    const { app, ann, path } = await startWithRelease(t)
    const issues = `${path}/issues`
    const open = (key: string) => app.post(ann, issues, { title: 'x' }, { 'idempotency-key': key })
    const { body } = await open('k')
    const crashed = { account_id: ann.id, key: 'c', request: 'x', expires_at: app.ctx.now() - 1 }
    await app.ctx.db.insertInto('idempotency_key').values(crashed).execute()

    assertStatus(await open('c'), 201)
    app.passTime(23 * 3600)
    assert.equal((await open('k')).body.number, body.number)
    app.passTime(2 * 3600)
    assertStatus(await app.post(await app.addAdmin(), '/admin/cron/forget_idempotency_keys'), 204)
    await app.ctx.schedule.stop()

    const left = await app.ctx.db.selectFrom('idempotency_key').selectAll().execute()
    assert.deepEqual(left, [])
    assert.notEqual((await open('k')).body.number, body.number)
  })
})

suite('ETag of a record', () => {
  test('saves a client that has it the answer, and others a change they did not mean', async (t) => {
    const { app, ann, path, release, assets } = await startWithRelease(t)
    const issue = await app.post(ann, `${path}/issues`, { title: 'x' })
    const ofIssue = `${path}/issues/${issue.body.number}/assets`
    const records = [
      `${assets}/${(await upload(app, ann, assets)).body.id}`,
      `${ofIssue}/${(await upload(app, ann, ofIssue)).body.id}`,
      release,
    ]

    for (const record of records) {
      const { etag = '' } = (await app.get(ann, record)).headers
      assert.match(etag, /^"[0-9a-f]{32}"$/)
      const same = await app.get(ann, record, { 'if-none-match': `"x", ${etag}` })
      assert.deepEqual([same.status, same.text, same.headers['etag']], [304, '', etag])
      const renamed = await app.patch(ann, record, { name: 'new' }, { 'if-match': etag })
      assert.ok(renamed.status < 300)
      assertStatus(await app.get(ann, record, { 'if-none-match': etag }), 200)
      const stale = { 'if-match': etag }
      assertError(await app.patch(ann, record, { name: 'newer' }, stale), 412)
      assertError(await app.delete(ann, record, undefined, stale), 412)
      assert.equal((await app.get(ann, record)).body.name, 'new')
      assertStatus(await app.delete(ann, record, undefined, { 'if-match': '*' }), 204)
    }
  })
})
