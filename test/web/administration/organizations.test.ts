import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { administration, assertSeenByAdministrators, startWithAdministrator } from './setup.ts'

const path = `${administration}/orgs`

function namesIn({ text }: TestAnswer): readonly string[] {
  return [...text.matchAll(/<b><a href="\/([^"]+)">/g)].map(([, name = '']) => name)
}

suite('/-/admin/orgs', () => {
  test('lists all organizations to administrators, with what is in them', async (t) => {
    const setup = await startWithAdministrator(t)
    const { app, ann, byRoot } = setup
    await app.addPerson('bob')
    await app.post(ann, '/orgs', { username: 'acme', visibility: 'private', full_name: evil })
    await app.post(ann, '/orgs', { username: 'Bolts', visibility: 'limited' })
    const owners = (await app.get(ann, '/orgs/acme/teams')).body[0].id as number
    await app.put(ann, `/teams/${owners}/members/bob`)
    await app.post(ann, '/orgs/acme/repos', { name: 'one', private: true })
    await app.post(ann, '/orgs/acme/repos', { name: 'two' })
    await app.post(ann, '/user/repos', { name: 'three' })
    await assertSeenByAdministrators(setup, path)

    const page = await byRoot.get(path)

    assert.deepEqual(namesIn(page), ['acme', 'Bolts'])
    assert.equal(hasScript(page), false)
    const words = wordsOf(page)
    assert.match(words, /2 organizations acme Private .* · 2 members · 2 repositories Settings/)
    assert.match(words, /Bolts Limited 1 member · 0 repositories Settings/)
    assert.match(page.text, /href="\/org\/acme\/settings"/)
    assertStatus(await byRoot.get('/org/acme/settings'), 200)
  })

  test('finds by name, page by page', async (t) => {
    const { app, ann, byRoot } = await startWithAdministrator(t, { api: { default_paging_num: 2 } })
    for (const username of ['ab', 'ac', 'ad', 'x']) await app.post(ann, '/orgs', { username })
    await app.patch(ann, '/orgs/x', { full_name: 'A Last' })

    for (const [query, expected] of [
      ['q=A', ['ab', 'ac']],
      ['q=A&page=2', ['ad', 'x']],
      ['q=last', ['x']],
      ['q=_', []],
    ] as const) {
      assert.deepEqual(namesIn(await byRoot.get(`${path}?${query}`)), expected, query)
    }
    const none = await byRoot.get(`${path}?q=${encodeURIComponent(evil)}`)
    assert.match(wordsOf(none), /0 organizations There is none/)
    assert.equal(hasScript(none), false)
  })
})
