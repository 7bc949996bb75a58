import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { suite, test } from 'node:test'
import { sweepPackages } from '../../../src/delivery/packages/sweep.ts'
import { column } from '../../collaboration/issues/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { withRegistry } from './support.ts'

const path = 'acme/generic/tool/1.0.0'

suite('/api/packages/{owner}/generic', () => {
  test('takes files, gives them back whole or in part, and keeps what is there', async (t) => {
    const { app, ann, bob, put, get, stored } = await withRegistry(t)
    const content = 'Hello world!'
    assertStatus(await put(ann, `${path}/a b(1).txt`, content), 201)
    assertStatus(await put(ann, `${path}/empty`, ''), 201)

    const file = `${path}/a%20b(1).txt`
    for (const who of [undefined, ann, bob]) {
      const answer = await get(who, file)
      assert.deepEqual([answer.status, answer.text], [200, content])
      assert.partialDeepStrictEqual(answer.headers, {
        'content-type': 'application/octet-stream',
        'content-length': '12',
        'content-disposition': 'attachment; filename="a b(1).txt"',
      })
    }
    const part = await get(bob, file, { range: 'bytes=6-10' })
    assert.deepEqual([part.status, part.text], [206, 'world'])
    assertStatus(await get(bob, file, { range: 'bytes=50-' }), 416)
    const { etag = '' } = (await get(bob, file)).headers
    assertStatus(await get(bob, file, { 'if-none-match': etag }), 304)
    assert.deepEqual((await get(bob, `${path}/empty`)).text, '')
    const head = await app.head(bob, `^/api/packages/${file}`)
    assert.deepEqual([head.status, head.headers['content-length'], head.text], [200, '12', ''])

    for (const again of ['a b(1).txt', 'A B(1).txt']) {
      assertStatus(await put(ann, `acme/generic/Tool/1.0.0/${again}`, 'other'), 409)
    }
    assert.equal((await get(bob, file)).text, content)
    assert.equal((await stored()).length, 2)
    const files = await app.get(bob, '/packages/acme/generic/tool/1.0.0/files')
    const hash = (name: string) => createHash(name).update(content).digest('hex')
    assert.partialDeepStrictEqual(files.body[0], {
      name: 'a b(1).txt',
      size: 12,
      md5: hash('md5'),
      sha1: hash('sha1'),
      sha256: hash('sha256'),
      sha512: hash('sha512'),
    })
  })

  test('refuses names that are none, and stores nothing of them', async (t) => {
    const { ann, put, stored } = await withRegistry(t)
    const long = 'x'.repeat(256)
    const bad = [
      'a b/1/f',
      '%2e%2e/1/f',
      '-/1/f',
      `${long}/1/f`,
      'a%2Fb/1/f',
      'a/%201/f',
      'a/1%20/f',
      'a/1%2F2/f',
      `a/${long}/f`,
      'a/1/%20f',
      'a/1/%2e%2e',
      'a/1/.',
      'a/1/f%2Fg',
      'a/1/f%3Cg',
      `a/1/${long}`,
    ]
    for (const one of bad) {
      const { status } = await put(ann, `acme/generic/${one}`, 'x')
      assert.ok(status === 400 || status === 404, `${one}: ${status}`)
    }
    assert.deepEqual(await stored(), [])
    for (const good of ['a/1/f', 'A-b_c+d.e/v 1.0-rc.1+build/f;g:h.tar.gz']) {
      assertStatus(await put(ann, `acme/generic/${encodeURI(good)}`, 'x'), 201)
    }
  })

  test('is for those who publish, and is read by those who see the account', async (t) => {
    const { app, ann, bob, put, get, remove, stored } = await withRegistry(t)
    const addMember = async (name: string, units_map: object) => {
      const caller = await app.addCaller(name)
      const { body } = await app.post(ann, '/orgs/acme/teams', { name: `of-${name}`, units_map })
      assertStatus(await app.put(ann, `/teams/${body.id}/members/${name}`), 204)
      return caller
    }
    const cat = await addMember('cat', { 'repo.packages': 'write' })
    const dan = await addMember('dan', { 'repo.packages': 'read' })
    const eve = await addMember('eve', { 'repo.code': 'write' })

    assertStatus(await put(cat, `${path}/f`, 'x'), 201)
    for (const who of [bob, dan]) {
      assertStatus(await put(who, `${path}/g`, 'x'), 403)
      assertStatus(await remove(who, path), 403)
      assertStatus(await remove(who, `${path}/f`), 403)
      assertStatus(await get(who, `${path}/f`), 200)
    }
    assertStatus(await get(eve, `${path}/f`), 404)
    assertStatus(await put(eve, `${path}/g`, 'x'), 404)
    for (const answer of [await put(undefined, `${path}/g`, 'x'), await remove(undefined, path)]) {
      assertStatus(answer, 401)
      assert.match(answer.headers['www-authenticate'] ?? '', /^Basic /)
    }
    await app.patch(ann, '/orgs/acme', { visibility: 'private' })
    assertStatus(await get(undefined, `${path}/f`), 401)
    assertStatus(await get(undefined, 'nobody/generic/a/1/f'), 401)
    assertStatus(await get(bob, `${path}/f`), 404)
    assertStatus(await get(dan, `${path}/f`), 200)
    const reader = await app.addCaller('fay', { isAdmin: true }, ['read:package'])
    assertStatus(await get(reader, `${path}/f`), 200)
    assertStatus(await put(reader, `${path}/g`, 'x'), 403)
    assertStatus(await get(await app.addCaller('gus', {}, ['read:user']), `${path}/f`), 403)
    assert.equal((await stored()).length, 1)
  })

  test('gives up files, versions and packages one after the other', async (t) => {
    const { app, ann, get, put, remove, stored } = await withRegistry(t)
    for (const file of ['1/f', '1/g', '2/f']) {
      assertStatus(await put(ann, `acme/generic/tool/${file}`, file), 201)
    }
    const left = async () => column(await app.get(ann, '/packages/acme'), 'version')
    assert.deepEqual(await left(), ['2', '1'])
    assertStatus(await remove(ann, 'acme/generic/tool/1/f'), 204)
    assertStatus(await get(ann, 'acme/generic/tool/1/f'), 404)
    assertStatus(await remove(ann, 'acme/generic/tool/1/f'), 404)
    assert.deepEqual(await left(), ['2', '1'])
    assertStatus(await remove(ann, 'acme/generic/tool/1/g'), 204)
    assert.deepEqual(await left(), ['2'])
    assertStatus(await remove(ann, 'acme/generic/tool/2'), 204)
    assertStatus(await remove(ann, 'acme/generic/tool/2'), 404)
    assert.deepEqual(await left(), [])
    await app.ctx.jobs.runDue()
    assert.deepEqual(await stored(), [])
    assert.deepEqual(await app.ctx.db.selectFrom('package').select('id').execute(), [])
  })

  test('keeps one of several that come at once', async (t) => {
    const { app, ann, put, get, stored } = await withRegistry(t)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => put(ann, `${path}/f`, `content ${index}`)),
    )
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
    assert.deepEqual(statuses, [201, ...Array.from({ length: 7 }, () => 409)])
    const winner = answers.findIndex(({ status }) => status === 201)
    assert.equal((await get(ann, `${path}/f`)).text, `content ${winner}`)
    assert.equal((await stored()).length, 1)

    const several = await Promise.all(
      Array.from({ length: 8 }, (_, index) => put(ann, `acme/generic/new/1/f${index}`, 'x')),
    )
    assert.ok(several.every(({ status }) => status === 201))
    const files = await app.get(ann, '/packages/acme/generic/new/1/files')
    assert.equal(files.body.length, 8)
  })

  test('keeps to the limit of size and the quota, and is swept of what has no record', async (t) => {
    const { app, ann, put, stored } = await withRegistry(t, {
      packages: { max_file_size: '100000B' },
      quota: { per_owner: '1MiB' },
    })
    const large = Buffer.alloc(100_001)
    assertStatus(await put(ann, `${path}/large`, large), 413)
    for (const number of Array(10).keys()) {
      assertStatus(await put(ann, `${path}/f${number}`, large.subarray(1)), 201)
    }
    assertStatus(await put(ann, `${path}/f10`, large.subarray(1)), 413)
    // One that does not say how long it is stops at what is left.
    const chunked = Readable.from([large.subarray(1)])
    const sent = await app.server.inject({
      method: 'PUT',
      url: `/api/packages/${path}/chunked`,
      headers: { ...ann.headers, 'transfer-encoding': 'chunked' },
      payload: chunked,
    })
    assert.equal(sent.statusCode, 413)
    assertStatus(await put(ann, `${path}/f11`, large.subarray(0, 40_000)), 201)
    assert.equal((await stored()).length, 11)

    await app.ctx.files.put('packages/ab/left-behind', (async function* () {})())
    await sweepPackages(app.ctx)
    assert.equal((await stored()).length, 12)
    app.passTime(2 * 86_400)
    await sweepPackages(app.ctx)
    assert.equal((await stored()).length, 11)
    const tasks = (await app.get(await app.addAdmin(), '/admin/cron?limit=50')).body
    assert.ok(tasks.some(({ name }: { name: string }) => name === 'sweep_packages'))
  })

  test('keeps to the quota when several come at once', async (t) => {
    const { ann, put, stored } = await withRegistry(t, { quota: { per_owner: '1MiB' } })
    const part = Buffer.alloc(300_000)
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => put(ann, `${path}/f${index}`, part)),
    )
    const taken = answers.filter(({ status }) => status === 201)
    assert.equal(taken.length, 3)
    assert.ok(answers.every(({ status }) => status === 201 || status === 413))
    assert.equal((await stored()).length, 3)
  })

  test('says that it is to blame where a file is lost', async (t) => {
    const { app, ann, put, get, stored } = await withRegistry(t)
    await put(ann, `${path}/f`, 'content')
    for (const key of await stored()) await app.ctx.files.remove(key)
    const answer = await get(ann, `${path}/f`)
    assertStatus(answer, 500)
    assert.equal(answer.headers['content-length'], String(answer.text.length))
  })

  test('follows an account that is called otherwise, and is not there without the unit', async (t) => {
    const { app, ann, put, get } = await withRegistry(t)
    await put(ann, `${path}/f`, 'x')
    assertStatus(await app.post(ann, '/orgs/acme/rename', { new_name: 'corp' }), 204)
    const moved = await get(ann, `${path}/f`)
    assertStatus(moved, 307)
    assert.equal(moved.headers['location'], '/api/packages/corp/generic/tool/1.0.0/f')

    const without = await withRegistry(t, { repositories: { disabled_units: ['repo.packages'] } })
    assertStatus(await without.put(without.ann, `${path}/f`, 'x'), 404)
    assertError(await without.app.get(without.ann, '/packages/acme'), 404)
  })
})
