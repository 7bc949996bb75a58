import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { withRegistry } from '../delivery/packages/support.ts'
import { assertStatus } from '../support/expect.ts'
import { evil, hasScript, wordsOf } from './repository/support.ts'
import { fromElsewhere, signIn, Visitor } from './support.ts'

const page = '/acme/-/packages'

suite('/{owner}/-/packages', () => {
  test('lists what was published, finds it by name, and shows each version with its files', async (t) => {
    const { app, ann, put } = await withRegistry(t)
    const visitor = new Visitor(app)
    assert.match((await visitor.get('/acme')).text, /href="\/acme\/-\/packages"/)
    assert.match(wordsOf(await visitor.get(page)), /There is no package/)
    for (const path of ['tool/1.0/a b.txt', 'tool/1.1/f', 'other/2/f']) {
      assertStatus(await put(ann, `acme/generic/${encodeURI(path)}`, 'content'), 201)
      app.passTime(60)
    }
    assert.match(wordsOf(await visitor.get(page)), /other 2 .* tool 1\.1 .* tool 1\.0 /s)
    const found = wordsOf(await visitor.get(`${page}?q=THE`))
    assert.match(found, /other 2/)
    assert.doesNotMatch(found, /tool 1/)
    const nothing = await visitor.get(`${page}?q=${encodeURIComponent(evil)}`)
    assert.match(wordsOf(nothing), /Nothing fits/)
    assert.equal(hasScript(nothing), false)

    const version = await visitor.get(`${page}/generic/tool/1.0`)
    assert.match(wordsOf(version), /a b\.txt 7 bytes SHA-256 [0-9a-f]{64}.*Other versions 1\.1/s)
    assert.match(
      version.text,
      /curl -O http:\/\/codestead\.test\/api\/packages\/acme\/generic\/tool\/1\.0\/a%20b\.txt/,
    )
    const [, link = ''] = /href="([^"]*\/files\/[^"]*)"/.exec(version.text) ?? []
    const file = await visitor.get(link)
    assert.deepEqual([file.status, file.text], [200, 'content'])
    assert.match(file.headers['content-disposition'] ?? '', /^attachment/)
    for (const missing of ['generic/tool/3', 'generic/none/1', 'npm/tool/1.0']) {
      assertStatus(await visitor.get(`${page}/${missing}`), 404)
    }
    assertStatus(await visitor.get('/nobody/-/packages'), 404)
  })

  test('gives files of hidden accounts to those who are signed in and may see them', async (t) => {
    const { app, ann, put } = await withRegistry(t)
    await put(ann, 'acme/generic/tool/1/f', 'content')
    await app.patch(ann, '/orgs/acme', { visibility: 'private' })
    const [byAnn, byBob] = [await signIn(app, 'ann'), await signIn(app, 'bob')]
    const file = `${page}/generic/tool/1/files/f`
    assert.equal((await byAnn.get(file)).text, 'content')
    assertStatus(await byBob.get(file), 404)
    for (const hidden of [page, `${page}/generic/tool/1`])
      assertStatus(await byBob.get(hidden), 404)
    assertStatus(await byAnn.get(`${page}/generic/tool/1`), 200)
    // A session is none for the registry itself.
    assertStatus(await byAnn.get('/api/packages/acme/generic/tool/1/f'), 401)
  })

  test('deletes a version for those who publish, when its name is typed, on this site', async (t) => {
    const { app, ann, put } = await withRegistry(t)
    await put(ann, 'acme/generic/tool/1/f', 'content')
    const [byAnn, byBob] = [await signIn(app, 'ann'), await signIn(app, 'bob')]
    const version = `${page}/generic/tool/1`
    const confirm = { confirm: '1' }
    assert.doesNotMatch((await byBob.get(version)).text, /\/delete"/)
    assertStatus(await byBob.post(`${version}/delete`, confirm), 403)
    assertStatus(await byAnn.post(`${version}/delete`, confirm, fromElsewhere), 403)
    assertStatus(await byAnn.post(`${version}/delete`, { confirm: '2' }), 422)
    assertStatus(await app.get(ann, '/packages/acme/generic/tool/1'), 200)
    const gone = await byAnn.post(`${version}/delete`, confirm)
    assert.equal(gone.headers['location'], page)
    assertStatus(await byAnn.get(version), 404)
  })
})
