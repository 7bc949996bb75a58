import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { globSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { once } from 'node:events'
import { suite, test, type TestContext } from 'node:test'
import { examine } from '../../src/doctor/examine.ts'
import { keyOf } from '../../src/attachments/attachment.ts'
import { sweepAttachments } from '../../src/attachments/sweep.ts'
import type { ConfigChanges } from '../../src/config/config.ts'
import { GitError } from '../../src/git/run.ts'
import { isStorageFull } from '../../src/storage/disk-room.ts'
import { filesFolder } from '../../src/storage/open-storage.ts'
import { startWithRelease, storedKeys, type ReleaseSetup } from '../release-attachments/setup.ts'
import type { TestApp } from '../support/app.ts'
import { testDialect } from '../support/databases.ts'
import { assertError, assertStatus } from '../support/expect.ts'
import { noOwnS3, noS3, startOwnS3, startS3 } from '../support/s3.ts'
import { FORM, formBody, upload } from './form.ts'

const LENGTH = 1_000_000
const OCTETS = { 'content-type': 'application/octet-stream' }

interface Listening extends ReleaseSetup {
  readonly open: (
    path: string,
    headers: Record<string, string | number>,
    method?: string,
  ) => ClientRequest
}

/** The same with a port, for clients that misbehave. */
async function listen(t: TestContext, changes: ConfigChanges = {}): Promise<Listening> {
  const setup = await startWithRelease(t, changes)
  await setup.app.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = setup.app.server.server.address() as AddressInfo
  const open = (path: string, headers: Record<string, string | number>, method = 'POST') => {
    const sent = request(`http://127.0.0.1:${port}/api/v1${path}`, { method, headers })
    sent.on('error', () => undefined)
    return sent
  }
  return { ...setup, open }
}

/** Everything that lies in the folder of files, also what is not finished. */
function filesOnDisk({ ctx }: TestApp): readonly string[] {
  const entries = globSync('**/*', { cwd: filesFolder(ctx.config), withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 12_000; turn++) {
    if (await isSo()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  assert.fail('it has not come about in a minute')
}

/** Sends a part of a body and hangs up, once the server has begun to store it. */
async function cutOff(setup: Listening, body: Buffer, length: number, headers = {}): Promise<void> {
  const { app, ann, assets, open } = setup
  const all = { ...ann.headers, ...headers, 'content-length': body.length }
  const sent = open(`${assets}?name=x`, all)
  const seen = once(app.server.server, 'request') as Promise<[IncomingMessage]>
  sent.flushHeaders()
  const [incoming] = await seen
  if (length > 0) await new Promise((resolve) => sent.write(body.subarray(0, length), resolve))
  sent.destroy()
  if (!incoming.destroyed) await new Promise((resolve) => incoming.once('close', resolve))
}

suite('an upload that breaks off', () => {
  test('at any tenth of its length leaves nothing, in both forms', async (t) => {
    const setup = await listen(t)
    const { app, ann, assets } = setup
    const raw = randomBytes(LENGTH)
    const form = formBody([{ name: 'attachment', filename: 'x', content: raw }])

    for (let tenth = 0; tenth < 10; tenth++) {
      await cutOff(setup, raw, (LENGTH / 10) * tenth, OCTETS)
      await cutOff(setup, form, Math.floor((form.length / 10) * tenth), FORM)
    }
    await cutOff(setup, form, form.length - 1, FORM)

    await until(() => filesOnDisk(app).length === 0)
    assert.deepEqual((await app.get(ann, assets)).body, [])
    assertStatus(await upload(app, ann, assets), 201)
  })

  test('does not take along the same bytes of somebody else', async (t) => {
    const setup = await listen(t)
    const { app, ann, assets } = setup
    const raw = randomBytes(LENGTH)

    const [kept] = await Promise.all([
      app.post(ann, `${assets}?name=kept`, raw, OCTETS),
      cutOff(setup, raw, LENGTH - 1, OCTETS),
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
    const { app, ann, assets, open } = await listen(t, { release: { max_size: 1 } })
    const sent = open(`${assets}?name=x`, { ...ann.headers, ...OCTETS })
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>

    sent.write(Buffer.alloc(1_100_000))

    const [{ statusCode }] = await answered
    assert.equal(statusCode, 500)
    sent.destroy()
    await until(() => filesOnDisk(app).length === 0)
  })
})

suite('a storage that fails', () => {
  test('because it is full gives the error of the contract and keeps nothing', async (t) => {
    const { app, ann, path, assets } = await startWithRelease(t)
    const root = await app.addAdmin()
    const issue = `${path}/issues/${(await app.post(ann, `${path}/issues`, { title: 'x' })).body.number}`
    const { id } = (await app.post(ann, `${issue}/comments`, { body: 'x' })).body
    const content = Buffer.alloc(8_000_000)
    const unmount = mountSmall(filesFolder(app.ctx.config))
    if (!unmount) return t.skip('nothing can be mounted here')

    try {
      const raw = await app.post(root, `${assets}?name=x`, content, OCTETS)
      assertError(raw, 500, 'insufficient storage')
      assertError(await upload(app, ann, `${issue}/assets`, { content }), 500, '')
      const said = await upload(app, ann, `${path}/issues/comments/${id}/assets`, { content })
      assertError(said, 507, 'insufficient storage')
      assert.deepEqual(filesOnDisk(app), [])
      assertStatus(await app.post(ann, `${assets}?name=x`, Buffer.alloc(100_000), OCTETS), 201)
    } finally {
      unmount()
    }
  })

  test('because little is left of it takes nothing more, and gives, takes back and says so', async (t) => {
    const { app, ann, path, assets } = await startWithRelease(t, { lfs: { enabled: true } })
    const folder = filesFolder(app.ctx.config)
    const unmount = mountSmall(folder)
    if (!unmount) return t.skip('nothing can be mounted here')

    try {
      const { body } = await upload(app, ann, assets)
      const uploads = assets.replace('/assets', '/uploads?name=x')
      assert.equal((await app.get(undefined, '^/api/healthz')).body.status, 'pass')
      writeFileSync(join(folder, 'filler'), Buffer.alloc(4_000_000))
      app.passTime(1)
      assertError(await upload(app, await app.addAdmin(), assets), 500, 'insufficient storage')
      assertError(await app.post(ann, uploads, 'x', OCTETS), 507, 'insufficient storage')
      const oid = hash('sha256', 'x')
      const lfs = `^/ann/one.git/info/lfs/objects/${oid}/1`
      assertStatus(await app.put(ann, lfs, 'x', OCTETS), 507)
      const push = { 'content-type': 'application/x-git-receive-pack-request' }
      assertStatus(await app.post(ann, '^/ann/one.git/git-receive-pack', '0000', push), 507)
      const health = await app.get(undefined, '^/api/healthz')
      assertStatus(health, 200)
      assert.equal(health.body.status, 'warn')
      assert.equal(health.body.checks['storage:space'][0].status, 'warn')
      assertStatus(await app.get(undefined, `^/attachments/${body.uuid}`), 200)
      assertStatus(await app.post(ann, `${path}/issues`, { title: 'x' }), 201)
      assertStatus(await app.delete(ann, `${assets}/${body.id}`), 204)
      rmSync(join(folder, 'filler'))
      app.passTime(1)
      assertStatus(await upload(app, ann, assets), 201)
    } finally {
      unmount()
    }
  })

  test('by an error of the disk or of the database is told as such', async (t) => {
    const { app, ann, path, assets } = await startWithRelease(t, { lfs: { enabled: true } })
    const fail = (error: object) => async () => {
      throw Object.assign(new Error('broken'), error)
    }
    const oid = hash('sha256', 'x')
    for (const code of ['ENOSPC', 'EDQUOT', 'EIO']) {
      const put = t.mock.method(app.ctx.files, 'put', fail({ code }))
      const putNew = t.mock.method(app.ctx.files, 'putNew', fail({ code }))
      const stored = await app.put(ann, `^/ann/one.git/info/lfs/objects/${oid}/1`, 'x', OCTETS)
      assertStatus(stored, 507)
      const root = await app.addAdmin(`root-${code.toLowerCase()}`)
      assertError(await upload(app, root, assets), 500, 'insufficient storage')
      put.mock.restore()
      putNew.mock.restore()
    }
    const complaint = 'error: unable to write file: No space left on device'
    assert.ok(isStorageFull(new GitError('index-pack', 128, complaint)))
    assert.ok(!isStorageFull(new GitError('index-pack', 128, 'fatal: early EOF')))
    for (const error of [{ errcode: 13 }, { errcode: 778 }, { code: '53100' }]) {
      const broken = t.mock.method(app.ctx.db, 'transaction', () => {
        throw Object.assign(new Error('broken'), error)
      })
      assertError(
        await app.post(ann, `${path}/issues`, { title: 'x' }),
        507,
        'insufficient storage',
      )
      broken.mock.restore()
    }
  })

  test('in the middle of a download breaks that download only', async (t) => {
    const { app, ann, assets } = await startWithRelease(t)
    const { body } = await upload(app, ann, assets)
    const { files } = app.ctx
    t.mock.method(files, 'open', async () => {
      throw new Error('out of order')
    })

    const answer = await app.get(undefined, `^/attachments/${body.uuid}`)

    assertStatus(answer, 503)
    assert.equal(answer.headers['retry-after'], '5')
    assertStatus(await app.get(undefined, '/version'), 200)
  })
})

/** Four megabytes in place of the folder; nothing where that is not allowed. */
function mountSmall(folder: string): (() => void) | undefined {
  mkdirSync(folder, { recursive: true })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return () => execFileSync('umount', ['-l', folder])
}

suite('files and records that do not match', () => {
  test('are found by the doctor; files without a record go with the sweep', async (t) => {
    const { app, ann, assets } = await startWithRelease(t)
    const { ctx } = app
    const kept = (await upload(app, ann, assets)).body
    const lost = (await upload(app, ann, assets)).body
    const stray = keyOf('00000000-0000-4000-8000-000000000000')
    await ctx.files.put(
      stray,
      (async function* () {
        yield Buffer.from('x')
      })(),
    )
    const young = keyOf('11111111-0000-4000-8000-000000000000')
    await ctx.files.put(
      young,
      (async function* () {
        yield Buffer.from('y')
      })(),
    )
    await ctx.files.remove(keyOf(lost.uuid))
    const folder = filesFolder(ctx.config)
    for (const key of [stray, keyOf(kept.uuid)]) utimesSync(join(folder, key), 1, 1)

    const findings = await examine(ctx.db, ctx.config, ctx.now(), { fix: false })
    await sweepAttachments(ctx)

    const found = findings.flatMap(({ found: lines }) => lines)
    assert.deepEqual(found, [
      `attachment ${lost.id} has no file`,
      `${stray} belongs to no attachment; the server removes it by itself`,
    ])
    assert.deepEqual(await storedKeys(app), [young, keyOf(kept.uuid)].toSorted())
  })

  test('do not come from making, renaming and deleting all at once', async (t) => {
    const { app, ann, assets } = await startWithRelease(t)
    const ids: number[] = []
    const work = async (turn: number) => {
      for (let count = 0; count < 8; count++) {
        const made = await app.put(ann, `${assets}?name=f${count % 3}`, `${turn}`, OCTETS)
        ids.push(made.body.id)
        const id = ids[Math.floor(Math.random() * ids.length)]
        const action = count % 2 === 0 ? 'DELETE' : 'PATCH'
        await app.send(ann, action, `${assets}/${id}`, { name: `f${turn}` })
      }
    }

    await Promise.all([1, 2, 3, 4].map(work))
    app.passTime(2 * 86_400)
    await sweepAttachments(app.ctx)

    const rows = await app.ctx.db.selectFrom('attachment').select('uuid').execute()
    const named = rows.map(({ uuid }) => keyOf(uuid)).sort()
    assert.deepEqual((await storedKeys(app)).toSorted(), named)
  })
})

suite('attachments in a bucket', { skip: noS3 }, () => {
  test('do what those on disk do', async (t) => {
    if (testDialect !== 'sqlite') return t.skip('files do not pass through the database')
    const setup = await listen(t, { storage: await startS3(t) })
    const { app, ann, assets } = setup
    const content = randomBytes(6_000_000)

    const made = await app.post(ann, `${assets}?name=large.bin`, content, OCTETS)
    const whole = await app.server.inject(`/attachments/${made.body.uuid}`)
    const part = await app.get(undefined, `^/attachments/${made.body.uuid}`, {
      range: 'bytes=10-19',
    })
    const wrong = await app.post(ann, `${assets}?name=x&sha256=00`, 'x', OCTETS)
    for (const tenth of [1, 9]) await cutOff(setup, content, (content.length / 10) * tenth, OCTETS)

    assertStatus(made, 201)
    assert.ok(whole.rawPayload.equals(content))
    assertStatus(part, 206)
    assert.equal(part.headers['content-length'], '10')
    assertError(wrong, 422)
    await until(async () => (await storedKeys(app)).length === 1)
    assertStatus(await app.delete(ann, `${assets}/${made.body.id}`), 204)
    assert.deepEqual(await storedKeys(app), [])
  })

  test('fail as the contract says when the service is gone', async (t) => {
    if (testDialect !== 'sqlite') return t.skip('files do not pass through the database')
    if (noOwnS3) return t.skip(noOwnS3)
    const { storage, stop } = await startOwnS3(t)
    const { app, ann, assets } = await startWithRelease(t, { storage })
    const { body } = await upload(app, ann, assets)

    stop()

    assertError(await upload(app, ann, assets, { filename: 'second' }), 500, '')

    assertStatus(await app.get(undefined, `^/attachments/${body.uuid}`), 503)
    const names = (await app.get(ann, assets)).body.map(({ name }: { name: string }) => name)
    assert.deepEqual(names, ['file.txt'])
  })
})
