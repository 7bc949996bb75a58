// One database is enough: the protocol does not depend on it.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { repositoryFolder } from '../../../src/platform/git/layout.ts'
import { pktLine } from '../../../src/platform/git/pkt-line.ts'
import { startApp, type TestApp, type TestCaller } from '../../support/app.ts'

const uploadType = { 'content-type': 'application/x-git-upload-pack-request' }
const receiveType = { 'content-type': 'application/x-git-receive-pack-request' }
const zero = '0'.repeat(40)
/** For pushes of what the server has already. */
const emptyPack = Buffer.from(
  '5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e',
  'hex',
)

interface Started {
  readonly app: TestApp
  readonly ann: TestCaller
  readonly bob: TestCaller
  /** Where main of ann/one is. */
  readonly tip: string
}

async function start(t: TestContext, changes: ConfigChanges = {}): Promise<Started> {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob')
  await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
  const { text } = await app.get(undefined, '^/ann/one/info/refs?service=git-upload-pack')
  const tip = /([0-9a-f]{40}) refs\/heads\/main/.exec(text)?.[1] ?? ''
  return { app, ann, bob, tip }
}

const wants = (tip: string) =>
  `${pktLine(`want ${tip} no-progress ofs-delta\n`)}0000${pktLine('done\n')}`

suite('GET /{owner}/{repo}/info/refs', () => {
  test('announces the service, and is not to be kept', async (t) => {
    const { app, ann } = await start(t)

    for (const service of ['git-upload-pack', 'git-receive-pack']) {
      const answer = await app.get(ann, `^/ann/one.git/info/refs?service=${service}`)
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['content-type'], `application/x-${service}-advertisement`)
      assert.equal(answer.headers['cache-control'], 'no-cache, max-age=0, must-revalidate')
      assert.equal(answer.headers['pragma'], 'no-cache')
      assert.equal(answer.headers['expires'], 'Fri, 01 Jan 1980 00:00:00 GMT')
      assert.ok(answer.text.startsWith(`${pktLine(`# service=${service}\n`)}0000`))
      assert.match(answer.text, /0000$/)
    }
  })

  test('speaks version 2 only when asked for it in so many words, and never for a push', async (t) => {
    const { app, ann } = await start(t)
    const path = '^/ann/one/info/refs?service='

    const ask = async (service: string, protocol: string) =>
      (await app.get(ann, path + service, { 'git-protocol': protocol })).text

    assert.match(await ask('git-upload-pack', 'version=2'), /version 2\n/)
    assert.match(await ask('git-upload-pack', 'version=1'), /version 1\n/)
    for (const odd of ['version=3', 'version=2:x=y', 'version=22', 'VERSION=2', ' version=2 x'])
      assert.doesNotMatch(await ask('git-upload-pack', odd), /version [12]\n/)
    assert.doesNotMatch(await ask('git-receive-pack', 'version=2'), /version 2\n/)
  })

  test('names the format of the repository in version 2', async (t) => {
    const { app, ann } = await start(t)
    await app.post(ann, '/user/repos', { name: 'new', object_format_name: 'sha256' })

    for (const [name, format] of [
      ['one', 'sha1'],
      ['new', 'sha256'],
      ['one', 'sha1'],
    ]) {
      const path = `^/ann/${name}/info/refs?service=git-upload-pack`
      const { text } = await app.get(ann, path, { 'git-protocol': 'version=2' })
      assert.match(text, new RegExp(`object-format=${format}\n`))
    }
  })

  test('knows exactly one of two services', async (t) => {
    const { app, ann } = await start(t)

    for (const query of [
      'service=git-upload-archive',
      'service=',
      'service=git-upload-pack%00',
      'service=git-receive-pack&service=git-upload-pack',
      'service=git-upload-pack&service=git-upload-pack',
      'service=upload-pack',
    ]) {
      assert.equal((await app.get(ann, `^/ann/one/info/refs?${query}`)).status, 400, query)
    }
  })

  test('and no other file of a repository is there', async (t) => {
    const { app, ann, tip } = await start(t)
    const paths = [
      'config',
      'description',
      'packed-refs',
      'refs/heads/main',
      'hooks/update',
      'objects/info/alternates',
      'objects/info/commit-graph',
      'objects/pack/pack-x.pack',
      `objects/pack/pack-${tip}.pack`,
      `objects/${tip.slice(0, 2)}/${'0'.repeat(38)}`,
      'objects/..%2fconfig',
      'objects/aa/..%2f..%2fconfig',
      'git-upload-archive',
    ]

    for (const path of paths) {
      for (const name of ['one', 'one.git'])
        assert.equal((await app.get(ann, `^/ann/${name}/${path}`)).status, 404, path)
    }
    assert.equal((await app.post(ann, '^/ann/one/git-upload-archive', '')).status, 404)
  })

  test('hides the refs of the server itself', async (t) => {
    const { app, ann, tip } = await start(t)
    const row = await app.ctx.db.selectFrom('repository').select('folder').executeTakeFirstOrThrow()
    const folder = repositoryFolder(app.ctx.config, row.folder)
    await app.ctx.git.run(folder, ['update-ref', 'refs/codestead/x', tip])

    for (const service of ['git-upload-pack', 'git-receive-pack']) {
      const { text } = await app.get(ann, `^/ann/one/info/refs?service=${service}`)
      assert.doesNotMatch(text, /refs\/codestead/)
    }
    const { text } = await app.get(ann, '^/ann/one/info/refs')
    assert.equal(text, `${tip}\trefs/heads/main\n`)
  })

  test('takes no other method', async (t) => {
    const { app, ann } = await start(t)

    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE']) {
      const path = '^/ann/one/info/refs?service=git-upload-pack'
      assert.equal((await app.send(ann, method, path)).status, 404, method)
    }
    assert.equal((await app.get(ann, '^/ann/one/git-upload-pack')).status, 404)
    assert.equal((await app.get(ann, '^/ann/one/git-receive-pack')).status, 404)
  })

  test('is refused where git over HTTP is switched off', async (t) => {
    const app = await startApp(t, { repositories: { http_git: false } })
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one', auto_init: true })

    const refs = await app.get(ann, '^/ann/one/info/refs?service=git-upload-pack')
    const fetched = await app.post(ann, '^/ann/one/git-upload-pack', '0000', uploadType)
    const pushed = await app.post(ann, '^/ann/one/git-receive-pack', '0000', receiveType)

    assert.deepEqual([refs.status, fetched.status, pushed.status], [403, 403, 403])
  })
})

suite('POST /{owner}/{repo}/git-upload-pack', () => {
  test('answers with a pack, to plain and to compressed requests', async (t) => {
    const { app, tip } = await start(t)
    const body = Buffer.from(wants(tip))

    const plain = await app.post(undefined, '^/ann/one/git-upload-pack', body, uploadType)
    const packed = await app.post(undefined, '^/ann/one.git/git-upload-pack', gzipSync(body), {
      ...uploadType,
      'content-encoding': 'gzip',
    })

    for (const answer of [plain, packed]) {
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['content-type'], 'application/x-git-upload-pack-result')
      assert.match(answer.text, /^0008NAK\nPACK/)
    }
  })

  test('must be of its content type', async (t) => {
    const { app, ann, tip } = await start(t)
    const path = '^/ann/one/git-upload-pack'

    for (const type of ['text/plain', receiveType['content-type'], 'application/json']) {
      const answer = await app.post(ann, path, wants(tip), { 'content-type': type })
      assert.equal(answer.status, 400, type)
    }
    assert.equal(
      (await app.post(ann, '^/ann/one/git-receive-pack', '0000', uploadType)).status,
      400,
    )
  })

  test('is limited in what it unpacks to', async (t) => {
    const { app, tip } = await start(t)
    const bomb = gzipSync(
      Buffer.concat([
        Buffer.from(pktLine(`want ${tip} no-progress\n`)),
        Buffer.from(`0000${pktLine(`have ${'1'.repeat(40)}\n`).repeat(300_000)}`),
      ]),
    )

    const answer = await app.post(undefined, '^/ann/one/git-upload-pack', bomb, {
      ...uploadType,
      'content-encoding': 'gzip',
    })

    assert.equal(answer.status, 413)
  })

  test('with a body that is not compressed as it says is refused', async (t) => {
    const { app, tip } = await start(t)
    const path = '^/ann/one/git-upload-pack'

    for (const [encoding, body] of [
      ['gzip', Buffer.from(wants(tip))],
      ['gzip', gzipSync(wants(tip)).subarray(0, 20)],
      ['br', Buffer.from(wants(tip))],
    ] as const) {
      const headers = { ...uploadType, 'content-encoding': encoding }
      assert.equal((await app.post(undefined, path, body, headers)).status, 400, encoding)
    }
  })

  test('gives no object that is only named', async (t) => {
    const { app, tip } = await start(t)
    const { folder } = await app.ctx.db
      .selectFrom('repository')
      .select('folder')
      .executeTakeFirstOrThrow()
    const place = repositoryFolder(app.ctx.config, folder)
    const author = ['-c', 'user.name=a', '-c', 'user.email=a@b']
    const commit = ['commit-tree', '-m', 'unreached', `${tip}^{tree}`]
    const unreached = await app.ctx.git.text(place, [...author, ...commit])

    for (const want of ['1'.repeat(40), 'x', 'HEAD', 'refs/heads/main', unreached]) {
      const body = `${pktLine(`want ${want}\n`)}0000${pktLine('done\n')}`
      const { status, text } = await app.post(
        undefined,
        '^/ann/one/git-upload-pack',
        body,
        uploadType,
      )
      assert.equal(status, 200)
      assert.doesNotMatch(text, /PACK/)
    }
  })

  test('survives packets that are none', async (t) => {
    const { app } = await start(t)

    for (const body of ['', '0003', 'zzzz', 'ffff', '0000', '0009done\n']) {
      const answer = await app.post(undefined, '^/ann/one/git-upload-pack', body, uploadType)
      assert.equal(answer.status, 200, body)
      assert.doesNotMatch(answer.text, /PACK/)
    }
  })
})

suite('POST /{owner}/{repo}/git-receive-pack', () => {
  const path = '^/ann/one/git-receive-pack'
  const command = (before: string, after: string, ref: string) =>
    pktLine(`${before} ${after} ${ref}\0report-status delete-refs`)

  test('is a push, whatever its query says', async (t) => {
    const { app, bob, tip } = await start(t)
    const body = `${command(tip, zero, 'refs/heads/other')}0000`

    for (const query of ['', '?service=git-upload-pack', '?service=git-receive-pack&service=x']) {
      const answer = await app.post(bob, path + query, body, receiveType)
      assert.equal(answer.status, 403)
    }
  })

  test('with nothing in it is how git tries whether it may', async (t) => {
    const { app, ann } = await start(t)

    const { status, text, headers } = await app.post(ann, path, '0000', receiveType)

    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/x-git-receive-pack-result')
    assert.equal(text, '')
  })

  test('reports what became of each ref', async (t) => {
    const { app, ann, tip } = await start(t)
    const body = [
      command(zero, tip, 'refs/heads/new'),
      pktLine(`${zero} ${tip} refs/pull/1/head`),
      '0000',
    ]

    const { text } = await app.post(
      ann,
      path,
      Buffer.concat([Buffer.from(body.join('')), emptyPack]),
      receiveType,
    )

    assert.match(text, /unpack ok\n/)
    assert.match(text, /ok refs\/heads\/new\n/)
    assert.match(text, /ng refs\/pull\/1\/head hook declined\n/)
    assert.equal((await app.get(ann, '/repos/ann/one')).body.branch_count, 2)
  })

  test('records a ref once when the same push arrives many times at once', async (t) => {
    const { app, ann, tip } = await start(t)
    const body = Buffer.concat([
      Buffer.from(`${command(zero, tip, 'refs/heads/new')}0000`),
      emptyPack,
    ])

    const answers = await Promise.all(
      Array.from({ length: 6 }, () => app.post(ann, path, body, receiveType)),
    )

    const taken = answers.filter(({ text }) => text.includes('ok refs/heads/new'))
    const rows = await app.ctx.db
      .selectFrom('activity')
      .select('id')
      .where('ref_name', '=', 'refs/heads/new')
      .execute()
    assert.equal(taken.length, 1)
    assert.equal(rows.length, 2)
  })

  test('that cannot be read is refused before git sees it', async (t) => {
    const { app, ann, tip } = await start(t)
    const bodies = [
      '',
      '0003',
      '0004',
      'zzzz',
      '00',
      command(zero, tip, 'refs/heads/x'),
      `${pktLine(`${zero} ${tip}`)}0000`,
      `${pktLine('hello')}0000`,
      `${pktLine(`${zero} ${tip} refs/heads/a\nb`)}0000`,
      `${pktLine('push-cert\0report-status')}0000`,
      Buffer.concat([
        Buffer.from(`006a${zero} ${tip} refs/heads/`),
        Buffer.from([0xff, 0xfe]),
        Buffer.from('xxxxxxxx0000'),
      ]),
    ]

    for (const body of bodies) {
      const answer = await app.post(ann, path, body, receiveType)
      assert.equal(answer.status, 400, body.toString())
      assert.match(answer.text, /^The push cannot be read: /)
    }
  })

  test('has room for many refs, not for any number', async (t) => {
    const { app, ann } = await start(t)
    const line = pktLine(`${zero} ${zero} refs/heads/${'x'.repeat(200)}`)

    const answer = await app.post(ann, path, line.repeat(70_000), receiveType)

    assert.equal(answer.status, 413)
  })
})
