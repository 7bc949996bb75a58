// One database is enough: packs do not pass through it.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { suite, test, type TestContext } from 'node:test'
import { deflateSync, gzipSync } from 'node:zlib'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { pktLine } from '../../../src/platform/git/pkt-line.ts'
import { assertStatus } from '../../support/expect.ts'
import { until } from '../../support/until.ts'
import { isBusy } from './processes.ts'
import { startGitHost, type GitHost } from './support.ts'

const MIB = 1024 * 1024

/** The head of an object in a pack: its type, and its size in pieces of seven bits. */
function objectHead(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(rest & 127)
  }
  return Buffer.from(bytes.map((byte, at) => (at < bytes.length - 1 ? byte | 128 : byte)))
}

/** A push of blobs of zeros: a little on the wire, and a lot of work. */
function bomb(count: number, size: number): Buffer {
  const head = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(count, 8)
  const blob = Buffer.concat([objectHead(3, size), deflateSync(Buffer.alloc(size), { level: 9 })])
  const objects = Buffer.concat([head, ...Array<Buffer>(count).fill(blob)])
  const end = createHash('sha1').update(objects).digest()
  const command = `${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/new\0report-status side-band-64k`
  return gzipSync(Buffer.concat([Buffer.from(`${pktLine(command)}0000`), objects, end]))
}

async function start(t: TestContext, changes: ConfigChanges = {}) {
  const host = await startGitHost(t, changes)
  const ann = await host.app.addCaller('ann')
  await host.app.post(ann, '/user/repos', { name: 'one', auto_init: true })
  await host.app.post(ann, '/user/repos', { name: 'two', auto_init: true })
  const push = (body: Buffer, name = 'one') => {
    const sent = request(host.url(`ann/${name}.git/git-receive-pack`), {
      method: 'POST',
      agent: false,
      headers: {
        ...ann.headers,
        'content-type': 'application/x-git-receive-pack-request',
        'content-encoding': 'gzip',
        'content-length': body.length,
      },
    })
    sent.on('error', () => undefined).end(body)
    return sent
  }
  return { host, ann, push, folder: await host.folderOf('ann/one') }
}

async function textOf(sent: ClientRequest): Promise<string> {
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  assert.equal(answer.statusCode, 200)
  return Buffer.concat(await answer.toArray()).toString()
}

async function assertSound(host: GitHost, folder: string): Promise<void> {
  await until(() => !isBusy(folder))
  const refs = await host.client.git(['--git-dir', folder, 'for-each-ref', '--format=%(refname)'])
  assert.equal(refs, 'refs/heads/main')
  await host.assertSound('ann/one')
}

suite('a push that is made to take much', () => {
  test('is ended when it takes more time of a processor than it may, and says so', async (t) => {
    const { host, push, folder } = await start(t, { git: { push_time: '30s' } })

    const said = await textOf(push(bomb(5000, 10 * MIB)))

    assert.match(said, /The push takes more time of a processor than the server allows\./)
    assert.match(said, /unpack .*abnormal exit/)
    await assertSound(host, folder)
  })

  test('is ended when it takes more memory than it may, and says so', async (t) => {
    const { host, push, folder } = await start(t, { git: { memory: '40MiB' } })

    const said = await textOf(push(bomb(200, 60 * MIB)))

    assert.match(said, /The push takes more memory than the server allows\./)
    assert.match(said, /unpack .*abnormal exit/)
    await assertSound(host, folder)
  })

  test('ends with its client, as long as no ref has moved', async (t) => {
    const { host, push, folder } = await start(t, { git: { push_time: '0s' } })
    const sent = push(bomb(5000, 10 * MIB))
    await until(() => isBusy(folder))

    sent.destroy()

    await assertSound(host, folder)
  })
})

suite('pushes without number', () => {
  test('wait for each other, are sent away when too many wait, and leave places for others', async (t) => {
    const { host, ann, push, folder } = await start(t, { git: { push_time: '0s' } })
    const bob = await host.app.addCaller('bob')
    await host.app.post(bob, '/user/repos', { name: 'mine', auto_init: true })
    const body = bomb(5000, 10 * MIB)

    const held = Array.from({ length: 60 }, () => push(body))
    const answers = held.map((sent) => once(sent, 'response') as Promise<[IncomingMessage]>)
    const refused = await Promise.any(
      answers.map(async (answer) => {
        const [{ statusCode, headers }] = await answer
        assert.equal(statusCode, 503)
        return headers
      }),
    )

    assert.ok(Number(refused['retry-after']) > 0)
    const work = await host.client.makeRepository()
    await host.client.git(['push', '--quiet', host.urlFor('bob', 'bob/mine.git'), 'main:new'], work)
    for (const sent of held) sent.destroy()
    await Promise.allSettled(answers)
    await until(() => !isBusy(folder))
    await host.client.git(['push', '--quiet', host.urlFor('ann', 'ann/one.git'), 'main:new'], work)
    assertStatus(await host.app.get(ann, '/repos/ann/one/branches/new'), 200)
  })
})

suite('a small push for which git works long', () => {
  test('is not taken for a silent connection', async (t) => {
    const { host, push, folder } = await start(t, { server: { idle_timeout: '1s' } })
    const sent = push(bomb(100, 10 * MIB))

    const said = await textOf(sent)

    assert.match(said, /refs\/heads\/new/)
    await assertSound(host, folder)
  })
})
