import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { examine } from '../../../src/server/doctor/examine.ts'
import { packageKey } from '../../../src/delivery/packages/package.ts'
import { filesFolder } from '../../../src/platform/storage/open-storage.ts'
import { column } from '../../collaboration/issues/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { withRegistry } from './support.ts'

const api = '/packages/acme'

suite('/packages/{owner}', () => {
  test('lists versions newest first, by kind and name, and shows each', async (t) => {
    const { app, ann, bob, put } = await withRegistry(t)
    for (const file of ['Tool/1.0/f', 'Tool/1.1/f', 'other/1/f']) {
      assertStatus(await put(ann, `acme/generic/${file}`, 'x'), 201)
      app.passTime(10)
    }
    const listed = await app.get(bob, api)
    assert.deepEqual(
      [column(listed, 'name'), column(listed, 'version')],
      [
        ['other', 'Tool', 'Tool'],
        ['1', '1.1', '1.0'],
      ],
    )
    assert.equal(listed.headers['x-total-count'], '3')
    const { owner, creator, created_at, id, ...rest } = listed.body[1]
    assert.deepEqual([owner.login, creator.login], ['acme', 'ann'])
    assert.match(created_at, /^\d{4}-/)
    assert.deepEqual(rest, {
      repository: null,
      type: 'generic',
      name: 'Tool',
      version: '1.1',
      html_url: 'http://codestead.test/acme/-/packages/generic/Tool/1.1',
    })
    assert.deepEqual((await app.get(bob, `${api}/generic/tool/1.1`)).body, listed.body[1])
    assert.deepEqual((await app.get(bob, `${api}/generic/tool/-/latest`)).body.id, id)
    assert.deepEqual(column(await app.get(bob, `${api}?q=OO`), 'version'), ['1.1', '1.0'])
    assert.deepEqual(column(await app.get(bob, `${api}?type=npm`), 'version'), [])
    assert.deepEqual(column(await app.get(bob, `${api}?limit=1&page=2`), 'version'), ['1.1'])
    const versions = await app.get(bob, `${api}/generic/tool`)
    assert.deepEqual(column(versions, 'version'), ['1.1', '1.0'])
    for (const missing of [
      `${api}/generic/none`,
      `${api}/generic/none/-/latest`,
      `${api}/npm/tool/1.1`,
      `${api}/generic/tool/2`,
      `${api}/generic/tool/2/files`,
      '/packages/nobody',
    ]) {
      assertError(await app.get(bob, missing), 404)
    }
    assertError(await app.get(bob, '/admin/packages'), 403)
    const all = await app.get(await app.addAdmin(), '/admin/packages?q=tool')
    assert.deepEqual(column(all, 'version'), ['1.1', '1.0'])
  })

  test('links packages with repositories, as far as these are seen', async (t) => {
    const { app, ann, bob, put } = await withRegistry(t)
    await put(ann, 'acme/generic/tool/1/f', 'x')
    const tool = `${api}/generic/tool`
    await app.post(ann, '/orgs/acme/repos', { name: 'code', private: true })
    await app.post(ann, '/user/repos', { name: 'own' })
    assertError(await app.post(undefined, `${tool}/-/link/code`), 401)
    assertError(await app.post(bob, `${tool}/-/link/code`), 403)
    assertError(await app.post(ann, `${tool}/-/link/own`), 404)
    assertError(await app.post(ann, `${api}/generic/none/-/link/code`), 404)
    assertStatus(await app.post(ann, `${tool}/-/link/code`), 201)
    const repository = async (who = ann) =>
      (await app.get(who, `${tool}/1`)).body.repository?.full_name
    assert.equal(await repository(), 'acme/code')
    assert.equal(await repository(bob), undefined)
    assertError(await app.post(bob, `${tool}/-/unlink`), 403)
    assertStatus(await app.post(ann, `${tool}/-/unlink`), 201)
    assert.equal(await repository(), undefined)

    await app.post(ann, `${tool}/-/link/code`)
    assertStatus(await app.delete(ann, '/repos/acme/code'), 204)
    assert.equal(await repository(), undefined)
    await app.post(ann, '/orgs/acme/repos', { name: 'more' })
    await app.post(ann, `${tool}/-/link/more`)
    assertStatus(await app.post(ann, '/repos/acme/more/transfer', { new_owner: 'ann' }), 202)
    assert.equal(await repository(), undefined)
  })

  test('deletes a version, or all of them', async (t) => {
    const { app, ann, bob, put, stored } = await withRegistry(t)
    for (const file of ['1/f', '1/g', '2/f', '3/f'])
      await put(ann, `acme/generic/tool/${file}`, 'x')
    const tool = `${api}/generic/tool`
    assertError(await app.delete(undefined, `${tool}/1`), 401)
    for (const address of [`${tool}/1`, tool]) assertError(await app.delete(bob, address), 403)
    assertStatus(await app.delete(ann, `${tool}/1`), 204)
    assertError(await app.delete(ann, `${tool}/1`), 404)
    assert.deepEqual(column(await app.get(ann, api), 'version'), ['3', '2'])
    assertStatus(await app.delete(ann, tool), 204)
    assertError(await app.delete(ann, tool), 404)
    await app.ctx.jobs.runDue()
    assert.deepEqual(await stored(), [])
  })

  test('keeps an account from being deleted, unless everything goes', async (t) => {
    const { app, ann, put, stored } = await withRegistry(t)
    const root = await app.addAdmin()
    await put(ann, 'acme/generic/tool/1/f', 'x')
    assertError(await app.delete(ann, '/orgs/acme'), 422)
    const cat = await app.addCaller('cat')
    await put(cat, 'cat/generic/tool/1/f', 'x')
    const refused = await app.delete(root, '/admin/users/cat')
    assertError(refused, 422)
    assert.match(refused.body.message, /ownership of packages/)
    assertStatus(await app.delete(root, '/admin/users/cat?purge=true'), 204)
    await app.ctx.jobs.runDue()
    assert.equal((await stored()).length, 1)
    assertStatus(await app.delete(ann, `${api}/generic/tool`), 204)
    assertStatus(await app.delete(ann, '/orgs/acme'), 204)
  })
})

suite('files of packages', () => {
  test('that are lost, or have no record, are found by the doctor', async (t) => {
    const { app, ann, put, stored } = await withRegistry(t)
    const { ctx } = app
    await put(ann, 'acme/generic/tool/1/f', 'x')
    const [{ id }] = (await app.get(ann, `${api}/generic/tool/1/files`)).body
    for (const key of await stored()) await ctx.files.remove(key)
    const stray = packageKey('00000000-0000-4000-8000-000000000000')
    await ctx.files.put(stray, (async function* () {})())
    utimesSync(join(filesFolder(ctx.config), stray), 1, 1)

    const findings = await examine(ctx.db, ctx.config, ctx.now(), { fix: false })

    assert.deepEqual(
      findings.flatMap(({ found }) => found),
      [
        `package file ${id} has no file`,
        `${stray} belongs to no package file; the server moves it to the trash by itself`,
      ],
    )
  })
})
