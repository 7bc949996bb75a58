import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { administration, assertSeenByAdministrators, startWithAdministrator } from './setup.ts'

const path = `${administration}/packages`

suite('/-/admin/packages', () => {
  test('lists all packages to administrators, with their sizes, and finds them by name', async (t) => {
    const setup = await startWithAdministrator(t, { api: { default_paging_num: 2 } })
    const { app, ann, byRoot } = setup
    assert.match(wordsOf(await byRoot.get(path)), /0 versions There is none/)
    await app.post(ann, '/orgs', { username: 'acme', visibility: 'private' })
    for (const [file, size] of [
      ['acme/generic/tool/1.0/a', 2000],
      ['acme/generic/tool/1.0/b', 1072],
      ['acme/generic/tool/1.1/a', 5],
      ['ann/generic/other/2/a', 1],
    ] as const) {
      const type = { 'content-type': 'application/octet-stream' }
      assertStatus(await app.put(ann, `^/api/packages/${file}`, 'x'.repeat(size), type), 201)
      app.passTime(60)
    }
    await assertSeenByAdministrators(setup, path)

    const first = await byRoot.get(path)
    const second = wordsOf(await byRoot.get(`${path}?page=2`))

    const words = wordsOf(first)
    assert.match(words, /3 versions ann\/other 2 1 byte · generic · ann published it 1 minute ago/)
    assert.match(words, /acme\/tool 1\.1 5 bytes/)
    assert.match(second, /acme\/tool 1\.0 3\.0 KB · generic · ann published it/)
    assert.match(first.text, /href="\/acme\/-\/packages\/generic\/tool\/1\.1"/)
    assertStatus(await byRoot.get('/acme/-/packages/generic/tool/1.1'), 200)
    const found = wordsOf(await byRoot.get(`${path}?q=TOO`))
    assert.match(found, /2 versions acme\/tool 1\.1 .*acme\/tool 1\.0/)
    const none = await byRoot.get(`${path}?q=${encodeURIComponent(evil)}`)
    assert.match(wordsOf(none), /0 versions There is none/)
    assert.equal(hasScript(none), false)
  })
})
