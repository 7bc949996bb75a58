// One database is enough: files do not pass through it.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { suite, test } from 'node:test'
import { keyOf } from '../../../src/platform/files/key.ts'
import { sweepAttachments } from '../../../src/repositories/attachments/sweep.ts'
import { startWithRelease, storedKeys } from '../../delivery/release-attachments/setup.ts'
import type { TestApp } from '../../support/app.ts'
import { openNetwork } from '../../support/cut-network.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { Machine, startMachine } from '../../support/terminal.ts'
import { noOwnS3, noS3, startOwnS3, startS3 } from '../../support/s3.ts'
import { upload } from './form.ts'
import { cutOffEverywhere, listen, OCTETS } from './listening.ts'
import { until } from '../../support/until.ts'

/** Parts of files of which nobody knows yet whether they will be whole. */
function unfinishedIn(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && /multipart/.test(entry.parentPath))
  return files.map(({ name }) => name)
}

/** Of those that were tried, or wait to be: what is planned for later is neither. */
async function kindsOfJobs({ ctx }: TestApp): Promise<readonly string[]> {
  const rows = await ctx.db
    .selectFrom('job')
    .select('kind')
    .where((eb) => eb.or([eb('attempts', '>', 0), eb('run_at', '<=', ctx.now())]))
    .execute()
  return rows.map(({ kind }) => kind)
}

suite('attachments in a bucket', { skip: noS3 }, () => {
  test('do what those on disk do', async (t) => {
    const setup = await listen(t, { storage: await startS3(t) })
    const { app, ann, assets } = setup
    const content = randomBytes(18_000_000)

    const made = await app.post(ann, `${assets}?name=large.bin`, content, OCTETS)
    const whole = await app.server.inject(`/attachments/${made.body.uuid}`)
    const part = await app.get(undefined, `^/attachments/${made.body.uuid}`, {
      range: 'bytes=10-19',
    })
    const wrong = await app.post(ann, `${assets}?name=x&sha256=00`, 'x', OCTETS)
    await cutOffEverywhere(setup, { body: content, headers: OCTETS })

    assertStatus(made, 201)
    assert.ok(whole.rawPayload.equals(content))
    assertStatus(part, 206)
    assert.equal(part.headers['content-length'], '10')
    assertError(wrong, 422)
    await until(async () => (await storedKeys(app)).length === 1)
    assertStatus(await app.delete(ann, `${assets}/${made.body.id}`), 204)
    assert.deepEqual(await storedKeys(app), [])
  })

  test('belong to one database, and come back after a sweep of too little', async (t) => {
    const storage = await startS3(t)
    const { app, ann, assets } = await startWithRelease(t, { storage })
    const made = await app.post(ann, `${assets}?name=x`, 'x', OCTETS)
    const stray = keyOf(randomUUID())
    await app.ctx.files.move(keyOf(made.body.uuid as string), stray)
    app.passTime(3 * 86_400)

    await sweepAttachments(app.ctx)
    const swept = await storedKeys(app)
    const { data } = app.ctx.config
    const words = Object.entries(storage).map(([key, value]) => [
      `CODESTEAD_STORAGE_${key.toUpperCase()}`,
      String(value),
    ])
    const settings = Object.fromEntries(words) as Record<string, string>
    const url = app.ctx.config.database.url
    const restored = await new Machine(data, url, settings).admin(['trash', 'restore'])
    const other = await startMachine(t)
    const refused = await new Machine(
      other.data,
      other.environment['CODESTEAD_DATABASE_URL'] ?? '',
      settings,
    ).admin(['user', 'list'])

    assert.deepEqual(swept, [])
    assert.match(restored.notes, /^1 brought back/)
    assert.deepEqual(await storedKeys(app), [stray])
    assert.equal(refused.status, 1)
    assert.match(refused.notes, /the bucket .* belongs to another database/)
  })

  test('arrive in parts, many at once and in place of others', async (t) => {
    const { app, ann, assets, release } = await startWithRelease(t, { storage: await startS3(t) })
    const put = (name: string, content: string) =>
      app.put(ann, `${assets}?name=${name}`, content, OCTETS)

    const begun = await app.post(ann, `${release}/uploads?name=parts`, 'abc', OCTETS)
    const last = { ...OCTETS, 'upload-offset': '3', 'upload-complete': '?1' }
    const whole = await app.patch(ann, `${release}/uploads/${begun.body.uuid}`, 'def', last)
    const racing = await Promise.all(Array.from({ length: 8 }, (_, at) => put('same', `${at}`)))
    const many = await Promise.all(
      Array.from({ length: 24 }, (_, at) => upload(app, ann, assets, { filename: `f${at}` })),
    )

    assertStatus(whole, 201)
    assert.equal((await app.get(undefined, `^/attachments/${whole.body.uuid}`)).text, 'abcdef')
    const statuses = racing.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepEqual(statuses, [...Array<number>(7).fill(200), 201])
    assert.ok(many.every(({ status }) => status === 201))
    assert.equal((await app.get(ann, assets)).body.length, 26)
    assert.equal((await storedKeys(app)).length, 26)
    assert.deepEqual(await Array.fromAsync(app.ctx.files.list('uploads')), [])
  })

  test('are told to be out of reach when the service is silent, and hold nothing else up', async (t) => {
    if (noOwnS3) return t.skip(noOwnS3)
    const { storage } = await startOwnS3(t)
    const { network, url } = await openNetwork(String(storage.endpoint))
    t.after(() => network.close())
    const { app, ann, assets, path } = await startWithRelease(t, {
      storage: { ...storage, endpoint: url, timeout: '1s' },
    })
    const made = await upload(app, ann, assets)
    app.ctx.jobs.start()

    network.silence(true)
    const read = await app.get(undefined, `^/attachments/${made.body.uuid}`)
    const written = await upload(app, ann, assets, { filename: 'late' })
    assertStatus(await app.delete(ann, `${assets}/${made.body.id}`), 204)
    await app.post(ann, `${path}/contents/a.txt`, { content: 'YQ==' })
    await until(async () => (await kindsOfJobs(app)).join() === 'remove_files')
    network.silence(false)

    assertStatus(read, 503)
    assert.equal(read.headers['retry-after'], '5')
    assertStatus(written, 500)
    app.passTime(600)
    await until(async () => (await kindsOfJobs(app)).length === 0)
    assert.deepEqual(await storedKeys(app), [])
  })

  test('are not there, nor anything of them, when the service fails while they arrive', async (t) => {
    if (noOwnS3) return t.skip(noOwnS3)
    const { storage, folder, stop, startAgain } = await startOwnS3(t)
    const { app, ann, assets, open } = await listen(t, { storage })
    const sent = open(`${assets}?name=x`, { ...ann.headers, ...OCTETS })
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>
    sent.write(Buffer.alloc(20_000_000))
    await until(() => unfinishedIn(folder).length > 0)

    await stop()
    sent.end(Buffer.alloc(20_000_000))
    const [answer] = await answered
    const text = Buffer.concat(await answer.toArray()).toString()

    const url = 'http://codestead.test/api/swagger'
    assert.deepEqual([answer.statusCode, JSON.parse(text)], [500, { message: '', url }])
    assert.deepEqual((await app.get(ann, assets)).body, [])
    await startAgain()
    await sweepAttachments(app.ctx)
    assert.notDeepEqual(unfinishedIn(folder), [], 'what is young may be on its way')
    app.passTime(2 * 86_400)
    await sweepAttachments(app.ctx)
    assert.deepEqual(unfinishedIn(folder), [])
    assert.deepEqual(await storedKeys(app), [])
    assertStatus(await upload(app, ann, assets), 201)
  })

  test('fail as the contract says when the service is gone', async (t) => {
    if (noOwnS3) return t.skip(noOwnS3)
    const { storage, stop } = await startOwnS3(t)
    const { app, ann, assets } = await startWithRelease(t, { storage })
    const { body } = await upload(app, ann, assets)

    await stop()

    assertError(await upload(app, ann, assets, { filename: 'second' }), 500, '')

    assertStatus(await app.get(undefined, `^/attachments/${body.uuid}`), 503)
    const names = (await app.get(ann, assets)).body.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['file.txt'])
  })
})
