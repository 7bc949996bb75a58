import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { assertKeys, start, type Received } from './setup.ts'

const told = (calls: readonly Received[]) =>
  calls.map(({ body }) => `${body.action} ${body.package.name} ${body.package.version}`)

suite('packages', () => {
  test('are told of to those who listen to their owner, version by version', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    await listen(['package'], {}, '/user/hooks')
    const put = (path: string) => app.put(ann, `^/api/packages/ann/generic/${path}`, 'x')
    assertStatus(await put('tool/1/f'), 201)
    const [created, ...others] = await heard()

    assert.deepEqual(others, [])
    assert.equal(created?.headers['x-gitea-event'], 'package')
    assertKeys(created?.body as object, [
      'action',
      'repository',
      'package',
      'organization',
      'sender',
    ])
    const shown = (await app.get(ann, '/packages/ann/generic/tool/1')).body
    assert.partialDeepStrictEqual(created?.body, {
      action: 'created',
      repository: null,
      organization: null,
      sender: { login: 'ann' },
      package: { id: shown.id, owner: { login: 'ann' }, html_url: shown.html_url },
    })
    for (const path of ['tool/1/g', 'tool/2/f', 'other/1/f']) assertStatus(await put(path), 201)
    assertStatus(await put('tool/1/f'), 409)
    assert.deepEqual(told(await heard()), ['created tool 2', 'created other 1'])

    assertStatus(await app.delete(ann, '^/api/packages/ann/generic/tool/1/f'), 204)
    assertStatus(await app.delete(ann, '^/api/packages/ann/generic/tool/1/g'), 204)
    assertStatus(await app.delete(ann, '/packages/ann/generic/tool'), 204)
    assertStatus(await app.delete(ann, '^/api/packages/ann/generic/other/1'), 204)
    assert.deepEqual(told(await heard()), ['deleted tool 1', 'deleted tool 2', 'deleted other 1'])
  })

  test('of an organization name it as the API does', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    const { body: org } = await app.post(ann, '/orgs', { username: 'acme', full_name: 'Acme' })
    await listen(['package'], {}, '/orgs/acme/hooks')
    assertStatus(await app.put(ann, '^/api/packages/acme/generic/tool/1/f', 'x'), 201)
    const [created] = await heard()
    assert.deepEqual(created?.body.organization, org)
  })

  test('that several delete at once go once', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    assertStatus(await app.put(ann, '^/api/packages/ann/generic/tool/1/f', 'x'), 201)
    await listen(['package'], {}, '/user/hooks')
    const address = '/packages/ann/generic/tool/1'
    const answers = await Promise.all(Array.from({ length: 4 }, () => app.delete(ann, address)))
    assert.ok(answers.every(({ status }) => status === 204 || status === 404))
    assert.deepEqual(told(await heard()), ['deleted tool 1'])
  })

  test('are told of in a line to services that show text', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    await listen(['package'], { type: 'discord' }, '/user/hooks')
    assertStatus(await app.put(ann, '^/api/packages/ann/generic/tool/1/f', 'x'), 201)
    const [line] = await heard()
    assert.match(JSON.stringify(line?.body), /\[ann\] ann created the package tool 1 http/)
  })

  test('are told of to the repository from which they come', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    const put = (path: string) => app.put(ann, `^/api/packages/ann/generic/${path}`, 'x')
    await listen(['package'])
    assertStatus(await put('tool/1/f'), 201)
    assert.deepEqual(await heard(), [])
    assertStatus(await app.post(ann, '/packages/ann/generic/tool/-/link/one'), 201)
    assertStatus(await put('tool/2/f'), 201)
    const [created] = await heard()
    assert.equal(created?.body.repository.full_name, 'ann/one')
    assert.equal(created?.body.package.repository.full_name, 'ann/one')
  })
})
