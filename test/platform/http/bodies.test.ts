// One database is enough: it plays no part here.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { readBytes } from '../../../src/platform/http/body.ts'
import { findById } from '../../../src/identity/users/load.ts'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const json = { 'content-type': 'application/json' }

suite('request bodies', () => {
  test('as large as the settings allow are read, long texts and all', async (t) => {
    const app = await startApp(t, { api: { max_body_size: '32MiB' } })
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const content = Buffer.alloc(8 * 1_048_576, 'x').toString('base64')
    const files = [{ operation: 'create', path: 'large.txt', content }]

    const made = await app.post(ann, '/repos/ann/one/contents', { message: 'large', files })
    const escaped = `{"full_name":"${'\\n\\\\\\"'.repeat(1_000_000)}"}`
    const refused = await app.patch(ann, '/user/settings', escaped, json)

    assertStatus(made, 201)
    assert.equal(made.body.files[0].size, 8 * 1_048_576)
    assertError(refused, 422, /^\[FullName\]: /)
  })

  test('what cannot be read is 422 without a field', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bodies = ['{"full_name":', '[]', '"x"', '3', 'true', '', '{} {}', '{"full_name":"\u{1}"}']
    const marked = '\ufeff{"full_name":"marked"}'

    for (const body of [...bodies, marked]) {
      assertError(await app.patch(ann, '/user/settings', body, json), 422, /^\[\]: /)
    }
    assert.equal((await app.get(ann, '/user/settings')).body.full_name, '')
  })

  test('a value of another type is 422 without a field', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()

    for (const body of [
      { full_name: 5 },
      { hide_email: 'yes' },
      { hide_email: 1 },
      { full_name: ['a'] },
      { full_name: {} },
    ]) {
      assertError(await app.patch(ann, '/user/settings', body), 422, /^\[\]: .*within "\/\w+"/)
    }
    for (const body of [
      '{"max_repo_creation":1.5}',
      '{"max_repo_creation":1e400}',
      '{"max_repo_creation":99999999999999999999}',
    ]) {
      assertError(await app.patch(root, '/admin/users/ann', body, json), 422, /^\[\]: /)
    }
    assertError(await app.post(ann, '/user/emails', { emails: 'a@example.org' }), 422, /^\[\]: /)
    assertError(await app.post(ann, '/user/emails', { emails: [1] }), 422, /^\[\]: /)
  })

  test('numbers with a fraction or an exponent are no integers, be they whole', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const edit = (value: string, rest = '') =>
      app.patch(root, '/admin/users/ann', `{"max_repo_creation":${value}${rest}}`, json)
    const place = '[]: cannot read a number as an integer within "/max_repo_creation"'

    for (const value of [
      '1.5',
      '5.0',
      '-5.00',
      '1e1',
      '1E+1',
      '10e-1',
      '0.0',
      '-0e0',
      '9007199254740992.0',
      '9223372036854775807.0',
      `1${'0'.repeat(45)}.0`,
    ]) {
      assertError(await edit(value), 422, place)
    }
    const issue = '{"title":"t","labels":[1,2.0,3]}'
    const refused = await app.post(ann, '/repos/ann/one/issues', issue, json)
    assertError(refused, 422, '[]: cannot read a number as an integer within "/labels/1"')
    assertStatus(await edit('5', ',"unknown":[5.0,{"a":1e1}],"full_name":"1.0 \\"2e1"'), 200)
    assertStatus(await edit('7', ',"location":1.0'), 422)
    const label = await app.post(ann, '/repos/ann/one/labels', { name: 'a', color: '#fff' })
    await app.post(ann, '/repos/ann/one/issues', { title: 't' })
    const labels = `{"labels":[${label.body.id}.0]}`
    const labelled = await app.post(ann, '/repos/ann/one/issues/1/labels', labels, json)
    assert.equal(labelled.body[0].name, 'a', 'a field of no type has the number')
    const shown = (await app.get(root, '/users/ann')).body
    assert.equal(shown.full_name, '1.0 "2e1')
    assert.equal((await findById(app.ctx, ann.id))?.maxRepoCreation, 5)
  })

  test('null equals absence, and unknown fields are ignored', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const answer = await app.patch(ann, '/user/settings', {
      full_name: null,
      location: 'Here',
      nonsense: { deep: [1] },
      FULL_NAME: 'x',
      __proto__: null,
    })

    assertStatus(answer, 200)
    assert.partialDeepStrictEqual(answer.body, { full_name: '', location: 'Here' })
  })

  test('null for the whole body has no fields, like {}', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one', description: 'stays' })

    const edited = await app.patch(ann, '/repos/ann/one', ' null ', json)

    assertStatus(edited, 200)
    assert.equal(edited.body.description, 'stays')
    assertError(await app.post(ann, '/user/repos', 'null', json), 422, '[Name]: Required')
  })

  test('of a DELETE that is empty though it is called JSON has no fields', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
    const readme = '/repos/ann/one/contents/README.md'

    assertStatus(await app.delete(ann, '/user/emails', undefined, json), 204)
    assertStatus(await app.delete(ann, '/user/emails', ' \n', json), 204)
    assertError(await app.delete(ann, readme, undefined, json), 422, '[SHA]: Required')
    assertError(await app.delete(ann, '/user/emails', '{', json), 422, /^\[\]: /)
  })

  test('null in a list or a map is the empty value', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const repo = '/repos/ann/one'
    const hook = { type: 'gitea', config: { url: null, content_type: 'json' } }
    const refused = 'Email address "" invalid'

    assertError(await app.post(ann, '/user/emails', { emails: [null] }), 422, refused)
    assertStatus(await app.delete(ann, '/user/emails', { emails: [null] }), 404)
    assertStatus(await app.put(ann, `${repo}/topics`, { topics: [null, 'x'] }), 204)
    assert.deepEqual((await app.get(ann, `${repo}/topics`)).body.topics, ['x'])
    assertStatus(await app.post(ann, `${repo}/contents`, { files: [null] }), 422)
    assertStatus(await app.post(ann, `${repo}/hooks`, hook), 422)
  })

  test('no name of a field or parameter reaches what all objects share', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const shared = Object.getOwnPropertyNames(Object.prototype)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const bodies: [string, string, Record<string, string>][] = [
      ['/user/settings', '{"__proto__":{"polluted":true,"is_admin":true}}', json],
      ['/user/settings', '{"constructor":{"prototype":{"polluted":true}}}', json],
      ['/repos/ann/one', '{"internal_tracker":{"__proto__":{"polluted":true}}}', json],
      ['/user/settings', '__proto__[polluted]=1&constructor[prototype][polluted]=1', form],
      ['/user/settings?__proto__[polluted]=1&__proto__.polluted=1', '{}', json],
    ]

    for (const [path, body, headers] of bodies)
      assert.equal((await app.patch(ann, path, body, headers)).status, 200, body)
    for (const topic of ['constructor', 'prototype', 'hasownproperty'])
      assert.equal((await app.put(ann, `/repos/ann/one/topics/${topic}`)).status, 204)

    assert.equal((await app.get(ann, '/user')).body.is_admin, false)
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
    assert.deepEqual(Object.getOwnPropertyNames(Object.prototype), shared)
    const pollute = () => Object.assign(Object.prototype, { polluted: true })
    assert.throws(pollute, TypeError)
  })

  test('fields are accepted by their logical names too; the wire name wins', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const logical = await app.patch(ann, '/user/settings', { FullName: 'Ann', HideEmail: true })
    const both = await app.patch(ann, '/user/settings', { FullName: 'No', full_name: 'Yes' })

    assert.partialDeepStrictEqual(logical.body, { full_name: 'Ann', hide_email: true })
    assert.equal(both.body.full_name, 'Yes')
  })

  test('a key twice in one object is refused, in different objects it is not', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const twice = await app.patch(ann, '/user/settings', '{"full_name":"a","full_name":"b"}', json)
    const escaped = await app.patch(
      ann,
      '/user/settings',
      '{"full_name":"a","full\\u005fname":"b"}',
      json,
    )
    const apart = await app.patch(
      ann,
      '/user/settings',
      '{"x":{"a":1},"y":{"a":1},"full_name":"a:{\\""}',
      json,
    )

    assertError(twice, 422, /^\[\]: .*full_name/)
    assertError(escaped, 422, /^\[\]: /)
    assert.equal(apart.body.full_name, 'a:{"')
  })

  test('what no database can store is refused', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    for (const body of ['{"full_name":"a\\u0000b"}', '{"full_name":"\\ud800"}']) {
      assertError(await app.patch(ann, '/user/settings', body, json), 422, /^\[\]: /)
    }
    const latin1 = Buffer.from('{"full_name":"\xff"}', 'latin1')
    assertError(await app.patch(ann, '/user/settings', latin1, json), 422, /UTF-8/)
  })

  test('bottomless nesting is refused', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    const nested = (levels: number) => `{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

    for (const levels of [33, 10_000])
      assertError(await app.patch(ann, '/user/settings', nested(levels), json), 422, /^\[\]: /)
    assertStatus(await app.patch(ann, '/user/settings', nested(32), json), 200)
  })

  test('a body over the limit is 413 and changes nothing', async (t) => {
    const app = await startApp(t, { api: { max_body_size: '2000B' } })
    const ann = await app.addCaller('ann')
    const large = JSON.stringify({ location: 'x', padding: 'x'.repeat(2000) })

    assertError(await app.patch(ann, '/user/settings', large, json), 413)
    assert.equal((await app.get(ann, '/user/settings')).body.location, '')
  })

  test('that do not say their length are read up to the limit, and one that breaks off changes nothing', async (t) => {
    const app = await startApp(t, { api: { max_body_size: '2000B' } })
    const ann = await app.addCaller('ann')
    const url = `${await app.server.listen({ host: '127.0.0.1', port: 0 })}/api/v1/user/settings`
    const start = () => {
      const headers = { ...json, ...ann.headers, 'transfer-encoding': 'chunked' }
      const sent = request(url, { method: 'PATCH', headers })
      sent.write('{"location":"x",')
      return sent
    }

    const long = start().on('error', () => undefined)
    for (let count = 0; count < 3; count++) long.write(`"a${count}":"${'x'.repeat(1000)}",`)
    const [refused] = (await once(long, 'response')) as [IncomingMessage]
    assert.equal(refused.statusCode, 413)
    assert.match((await refused.toArray()).join(''), /larger than 2000 bytes/)

    const arrives = once(app.server.server, 'request') as Promise<[IncomingMessage]>
    const brokenOff = start().on('error', () => undefined)
    const [incoming] = await arrives
    brokenOff.destroy()
    await new Promise((resolve) => incoming.once('close', resolve))
    assert.equal((await app.get(ann, '/user/settings')).body.location, '')
  })

  test('of clients that have left before they are wanted are not waited for', async (t) => {
    const outcome = Promise.withResolvers<unknown>()
    const server = createServer((incoming) => {
      incoming.once('close', () => {
        readBytes(incoming, 100).then(outcome.resolve, outcome.reject)
      })
    })
    t.after(() => server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const arrives = once(server, 'request')
    const sent = request({ port, method: 'POST', headers: { 'content-length': 10 } })
    sent.on('error', () => undefined).write('x')
    await arrives
    sent.destroy()

    await assert.rejects(outcome.promise, { code: 'ECONNRESET' })
  })

  test('only the first broken rule is reported, in the order of declaration', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    const good = { username: 'ann', email: 'ann@example.org', password: 'password1' }
    const cases: [object, string][] = [
      [{}, '[Username]: Required'],
      [{ ...good, username: '' }, '[Username]: Required'],
      [{ ...good, username: 'two words', email: '' }, '[Username]: invalid username'],
      [{ ...good, email: '', visibility: 'x' }, '[Email]: Required'],
      [{ ...good, full_name: 'x'.repeat(101), email: 'x' }, '[FullName]: MaxSize'],
      [{ ...good, visibility: 'x' }, '[Visibility]: In'],
      [{ ...good, username: 'x'.repeat(41) }, '[Username]: MaxSize'],
    ]

    for (const [body, message] of cases) {
      assertError(await app.post(root, '/admin/users', body), 422, message)
    }
  })

  test('lengths are counted in characters, not in bytes or halves', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    assertStatus(await app.patch(ann, '/user/settings', { location: '😀'.repeat(50) }), 200)
    assertError(await app.patch(ann, '/user/settings', { location: '😀'.repeat(51) }), 422)
  })

  test('a body on GET is ignored', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')

    assertStatus(await app.send(ann, 'GET', '/user', '{"broken', json), 200)
  })
})
