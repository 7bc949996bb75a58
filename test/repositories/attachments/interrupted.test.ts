import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { suite, test } from 'node:test'
import { storedKeys } from '../../delivery/release-attachments/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { FORM, formBody, upload } from './form.ts'
import { cutOff, cutOffEverywhere, filesOnDisk, listen, OCTETS } from './listening.ts'
import { until } from '../../support/until.ts'

const LENGTH = 1_000_000

suite('an upload that breaks off', () => {
  test('at any tenth of its length leaves nothing, in both forms', async (t) => {
    const setup = await listen(t)
    const { app, ann, path, assets } = setup
    const issue = await app.post(ann, `${path}/issues`, { title: 'x' })
    const ofIssue = `${path}/issues/${issue.body.number}`
    const said = await app.post(ann, `${ofIssue}/comments`, { body: 'x' })
    const ofComment = `${path}/issues/comments/${said.body.id}`
    const raw = randomBytes(LENGTH)
    const form = formBody([{ name: 'attachment', filename: 'x.txt', content: raw }])

    await cutOffEverywhere(setup, { body: raw, headers: OCTETS })
    for (const place of [assets, `${ofIssue}/assets`, `${ofComment}/assets`])
      await cutOffEverywhere(setup, { body: form, headers: FORM, place })

    await until(() => filesOnDisk(app).length === 0)
    for (const place of [assets, `${ofIssue}/assets`, `${ofComment}/assets`]) {
      assert.deepEqual((await app.get(ann, place)).body, [])
      assertStatus(await upload(app, ann, place), 201)
    }
  })

  test('does not take along the same bytes of somebody else', async (t) => {
    const setup = await listen(t)
    const { app, ann, assets } = setup
    const raw = randomBytes(LENGTH)

    const [kept] = await Promise.all([
      app.post(ann, `${assets}?name=kept`, raw, OCTETS),
      cutOff(setup, { body: raw, headers: OCTETS }, LENGTH - 1),
    ])

    await until(() => filesOnDisk(app).length === 1)
    const file = await app.server.inject(`/attachments/${kept.body.uuid}`)
    assert.ok(file.rawPayload.equals(raw))
  })

  test('because what it is for is deleted meanwhile, or the right to it taken, is refused', async (t) => {
    const setup = await listen(t)
    const { app, ann, bob, path, assets, release, open } = setup
    await app.put(ann, `${path}/collaborators/bob`, { permission: 'write' })
    const begin = async () => {
      const seen = once(app.server.server, 'request')
      const sent = open(`${assets}?name=x`, { ...bob.headers, ...OCTETS })
      sent.write(randomBytes(10_000))
      await seen
      await until(() => filesOnDisk(app).length > 0)
      return sent
    }
    const finish = async (sent: ClientRequest) => {
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>
      sent.end()
      const [{ statusCode }] = await answered
      return statusCode
    }

    const first = await begin()
    await app.delete(ann, `${path}/collaborators/bob`)
    assert.equal(await finish(first), 403)
    await app.put(ann, `${path}/collaborators/bob`, { permission: 'write' })
    const lock = (value: 0 | 1) =>
      app.ctx.db.updateTable('account').set({ prohibit_login: value }).where('id', '=', bob.id)
    const locked = await begin()
    await lock(1).execute()
    assert.equal(await finish(locked), 403)
    await lock(0).execute()
    const second = await begin()
    await app.delete(ann, path)
    assert.equal(await finish(second), 404)

    assert.deepEqual(await storedKeys(app), [])
    assertError(await app.get(ann, release), 404)
  })

  test('because the credential is revoked meanwhile is refused, however it is sent', async (t) => {
    const setup = await listen(t)
    const { app, ann, path, assets, release, open } = setup
    const issue = await app.post(ann, `${path}/issues`, { title: 'x' })
    const form = formBody([{ name: 'attachment', filename: 'x.txt', content: randomBytes(10_000) }])
    const places: [path: string, method: string, body: Buffer, headers: object][] = [
      [`${assets}?name=x`, 'POST', randomBytes(10_000), OCTETS],
      [`${assets}?name=x`, 'PUT', randomBytes(10_000), OCTETS],
      [`${path}/issues/${issue.body.number}/assets`, 'POST', form, FORM],
    ]
    const begun = await app.post(ann, `${release}/uploads?name=x`, undefined, OCTETS)
    const last = { 'upload-offset': '0', 'upload-complete': '?1' }
    const resumed = `${release}/uploads/${begun.body.uuid}`
    places.push([resumed, 'PATCH', randomBytes(10_000), { ...OCTETS, ...last }])

    for (const [place, method, body, headers] of places) {
      const owner = await app.withToken(ann.account, ['all'])
      const seen = once(app.server.server, 'request')
      const sent = open(place, { ...owner.headers, ...headers }, method)
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>
      const stored = filesOnDisk(app).length
      sent.write(body.subarray(0, 5000))
      await seen
      await until(() => filesOnDisk(app).length > stored)
      const { id } = (await app.get(app.withPassword(ann.account), '/users/ann/tokens')).body[0]
      await app.delete(app.withPassword(ann.account), `/users/ann/tokens/${id}`)
      sent.end(body.subarray(5000))
      const [{ statusCode }] = await answered
      assert.equal(statusCode, 401, `${method} ${place}`)
    }

    assert.deepEqual((await app.get(ann, assets)).body, [])
    assert.deepEqual((await app.get(ann, `${path}/issues/1/assets`)).body, [])
  })

  test('is answered before it is read where it is refused anyway', async (t) => {
    const { assets, open, bob } = await listen(t)

    for (const [headers, status] of [
      [{}, 401],
      [bob.headers, 403],
    ] as const) {
      const sent = open(assets, { ...headers, ...FORM, 'content-length': 1_000_000_000 })
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>
      sent.write(Buffer.alloc(1000))
      const [answer] = await answered
      assert.equal(answer.statusCode, status)
      assert.equal(answer.headers.connection, 'close')
      sent.destroy()
    }
  })

  test('is asked for only when it is wanted', async (t) => {
    const { app, ann, bob, assets, open } = await listen(t)
    const ask = async (headers: Record<string, string>) => {
      const sent = open(`${assets}?name=x`, {
        ...headers,
        ...OCTETS,
        expect: '100-continue',
        'content-length': 5,
      })
      let isAsked = false
      sent.on('continue', () => {
        isAsked = true
        sent.end('hello')
      })
      const answered = once(sent, 'response') as Promise<[IncomingMessage]>
      sent.flushHeaders()
      const [{ statusCode }] = await answered
      sent.destroy()
      return [isAsked, statusCode]
    }

    assert.deepEqual(await ask({}), [false, 401])
    assert.deepEqual(await ask(bob.headers), [false, 403])
    assert.deepEqual(await ask(ann.headers), [true, 201])
    assert.equal((await app.get(ann, assets)).body[0].size, 5)
  })

  test('learns that it is too large, and that soon', async (t) => {
    const { app, ann, assets, open } = await listen(t, { release: { max_size: '1MiB' } })
    const sent = open(`${assets}?name=x`, { ...ann.headers, ...OCTETS })
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>

    sent.write(Buffer.alloc(1_100_000))

    const [{ statusCode }] = await answered
    assert.equal(statusCode, 500)
    sent.destroy()
    await until(() => filesOnDisk(app).length === 0)
  })
})
