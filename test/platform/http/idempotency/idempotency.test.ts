import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { FORM, formBody, upload } from '../../../repositories/attachments/form.ts'
import { startWithRelease, storedKeys } from '../../../delivery/release-attachments/setup.ts'
import { assertError, assertStatus } from '../../../support/expect.ts'

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
    const other = { ...release, name: 'three' }
    assertError(
      await app.post(ann, releases, other, { 'idempotency-key': 'two' }),
      422,
      'Idempotency-Key was used for another request',
    )
    assertError(await send(bob, 'x'), 403)
    assertError(
      await app.post(ann, releases, release, { 'idempotency-key': 'x'.repeat(256) }),
      422,
      'Idempotency-Key is too long',
    )
    assert.equal((await storedKeys(app)).length, 1)
  })

  test('is taken by every call that creates something here', async (t) => {
    const { app, ann, path, assets } = await startWithRelease(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    const issue = `${path}/issues/${(await app.post(ann, `${path}/issues`, { title: 'x' })).body.number}`
    const { id } = (await app.post(ann, `${issue}/comments`, { body: 'x' })).body
    const remark = `${path}/issues/comments/${id}`
    const file = formBody([{ name: 'attachment', filename: 'a.txt' }])
    const label = { name: 'bug', color: 'fff' }
    const calls: [path: string, body: unknown, headers?: object][] = [
      [`${path}/issues`, { title: 'y' }],
      [`${issue}/comments`, { body: 'y' }],
      [`${issue}/assets`, file, FORM],
      [`${remark}/assets`, file, FORM],
      [assets, file, FORM],
      [`${path}/releases`, { tag_name: 'v2' }],
      [`${path}/labels`, label],
      ['/orgs/acme/labels', label],
      [`${path}/milestones`, { title: 'v2' }],
      [`${issue}/times`, { time: 5 }],
    ]

    for (const [at, [place, body, headers]] of calls.entries()) {
      const send = () => app.post(ann, place, body, { ...headers, 'idempotency-key': `key ${at}` })
      const first = await send()
      assert.ok([200, 201].includes(first.status), first.text)
      const second = await send()
      assert.deepEqual([second.status, second.body], [first.status, first.body])
      assert.equal(second.headers['idempotency-replayed'], 'true', place)
    }
    assert.equal((await app.get(ann, `${path}/labels`)).body.length, 1)
    assert.equal((await storedKeys(app)).length, 3)
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

  test('compares all of a body, whatever its form', async (t) => {
    const { app, ann, path, assets } = await startWithRelease(t)
    const key = (text: string) => ({ 'idempotency-key': text })
    const issues = `${path}/issues`
    const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
    const send = (content: string, boundary: string) => {
      const body = [
        `--${boundary}`,
        'Content-Disposition: form-data; name="attachment"; filename="a.txt"',
        '',
        content,
        `--${boundary}--`,
        '',
      ].join('\r\n')
      const type = { 'content-type': `multipart/form-data; boundary=${boundary}` }
      return app.post(ann, assets, body, { ...type, ...key('file') })
    }

    const opened = await app.post(ann, issues, { title: 'one', body: '1' }, key('issue'))
    const same = await app.post(ann, issues, 'body=1&title=one', { ...urlencoded, ...key('issue') })
    const other = await app.post(ann, issues, { title: 'one', body: '2' }, key('issue'))
    const file = await send('hello', 'one')
    const again = await send('hello', 'two')
    const changed = await send('hullo', 'one')

    assert.deepEqual(same.body, opened.body)
    assert.equal(same.headers['idempotency-replayed'], 'true')
    assertError(other, 422, /another request/)
    assertStatus(file, 201)
    assert.deepEqual(again.body, file.body)
    assertError(changed, 422, /another request/)
    assert.equal((await storedKeys(app)).length, 1)
  })

  test('gives nothing to who may not call any more', async (t) => {
    const { app, ann, bob, path, releases } = await startWithRelease(t)
    const key = { 'idempotency-key': 'k' }
    assertStatus(await app.put(ann, `${path}/collaborators/bob`, { permission: 'write' }), 204)
    const release = () => app.post(bob, releases, { tag_name: 'v2' }, key)
    assertStatus(await release(), 201)

    assertStatus(await app.delete(ann, `${path}/collaborators/bob`), 204)
    assertError(await release(), 403)
    assertStatus(await app.patch(ann, path, { private: true }), 200)
    assertError(await release(), 404)
  })

  test('does nothing again whose end is not known', async (t) => {
    const { app, ann, path } = await startWithRelease(t)
    const issues = `${path}/issues`
    const open = (key: string) => app.post(ann, issues, { title: 'x' }, { 'idempotency-key': key })
    const { jobs } = app.ctx
    const wake = jobs.wake.bind(jobs)
    jobs.wake = () => {
      jobs.wake = wake
      throw new Error('broken after the commit')
    }

    assertError(await open('broken'), 500)
    assertError(await open('broken'), 409, /not known/)
    assertStatus(await open('crashed'), 201)
    await app.ctx.db
      .updateTable('idempotency_key')
      .set({ status: 0, answer: '' })
      .where('key', '=', 'crashed')
      .execute()
    const running = await open('crashed')
    app.passTime(601)
    const crashed = await open('crashed')

    assertError(running, 409, /being done/)
    assert.equal(running.headers['retry-after'], '1')
    assertError(crashed, 409, /not known/)
    assert.equal((await app.get(ann, issues)).body.length, 2)
  })

  test('is forgotten after a day', async (t) => {
    const { app, ann, path } = await startWithRelease(t)
    const issues = `${path}/issues`
    const open = (key: string) => app.post(ann, issues, { title: 'x' }, { 'idempotency-key': key })
    const { body } = await open('k')

    app.passTime(23 * 3600)
    assert.equal((await open('k')).body.number, body.number)
    const young = (await open('young')).body
    app.passTime(2 * 3600)
    assertStatus(await app.post(await app.addAdmin(), '/admin/cron/forget_idempotency_keys'), 204)
    await app.ctx.schedule.stop()

    const left = await app.ctx.db.selectFrom('idempotency_key').select('key').execute()
    assert.deepEqual(
      left.map(({ key }) => key),
      ['young'],
    )
    assert.equal((await open('young')).body.number, young.number)
    assert.notEqual((await open('k')).body.number, body.number)
  })
})

/**
 * The paths of one record of each kind that can be named by its ETag, with a field of it to change.
 */
async function startWithRecords(t: TestContext) {
  const { app, ann, path, release, assets } = await startWithRelease(t)
  const issues = `${path}/issues`
  const issue = `${issues}/${(await app.post(ann, issues, { title: 'x' })).body.number}`
  const said = await app.post(ann, `${issue}/comments`, { body: 'x' })
  const comment = `${issues}/comments/${said.body.id}`
  const attached = async (place: string) => `${place}/${(await upload(app, ann, place)).body.id}`
  const records: [record: string, field: string][] = [
    [await attached(assets), 'name'],
    [await attached(`${issue}/assets`), 'name'],
    [await attached(`${comment}/assets`), 'name'],
    [release, 'name'],
    [comment, 'body'],
    [issue, 'title'],
  ]
  return { app, ann, records }
}

suite('ETag of a record', () => {
  test('saves a client that has it the answer, and others a change they did not mean', async (t) => {
    const { app, ann, records } = await startWithRecords(t)

    for (const [record, field] of records) {
      const { etag = '' } = (await app.get(ann, record)).headers
      assert.match(etag, /^"[0-9a-f]{32}"$/)
      for (const tags of [etag, `"x", ${etag}`, `W/${etag}`, `"x",W/${etag}`, '*']) {
        const same = await app.get(ann, record, { 'if-none-match': tags })
        assert.deepEqual([same.status, same.text, same.headers['etag']], [304, '', etag], tags)
      }
      const edit = (value: string, expected: string) =>
        app.patch(ann, record, { [field]: `${value}.txt` }, { 'if-match': expected })
      // To change something the client must have the very same.
      assertError(await edit('weak', `W/${etag}`), 412, 'the record is not what If-Match says')
      assert.ok((await edit('new', `"x", ${etag}`)).status < 300, record)
      assertStatus(await app.get(ann, record, { 'if-none-match': etag }), 200)
      assertError(await edit('newer', etag), 412)
      assertError(await app.delete(ann, record, undefined, { 'if-match': etag }), 412)
      assert.equal((await app.get(ann, record)).body[field], 'new.txt')
      assertStatus(await app.delete(ann, record, undefined, { 'if-match': '*' }), 204)
    }
  })

  test('lets one of many who name the same record change it', async (t) => {
    const { app, ann, records } = await startWithRecords(t)

    for (const [record, field] of records) {
      const { etag = '' } = (await app.get(ann, record)).headers
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          app.patch(ann, record, { [field]: `name ${index}.txt` }, { 'if-match': etag }),
        ),
      )
      const changed = answers.filter(({ status }) => status < 300)
      assert.equal(changed.length, 1, record)
      assert.equal(answers.filter(({ status }) => status === 412).length, 9, record)
      const now = await app.get(ann, record)
      assert.equal(now.body[field], changed[0]?.body[field])
      const current = { 'if-match': now.headers['etag'] ?? '' }
      const last = await Promise.all([
        app.patch(ann, record, { [field]: 'the last.txt' }, current),
        app.delete(ann, record, undefined, current),
        app.delete(ann, record, undefined, current),
      ])
      assert.equal(last.filter(({ status }) => status < 300).length, 1, record)
    }
  })
})
