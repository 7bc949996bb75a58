import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { administration, assertSeenByAdministrators, startWithAdministrator } from './setup.ts'

const path = `${administration}/repos`

function namesIn({ text }: TestAnswer): readonly string[] {
  return [...text.matchAll(/<b><a href="\/([^"]+)">/g)].map(([, name = '']) => name)
}

suite('/-/admin/repos', () => {
  test('lists all repositories to administrators, with their sizes and the way to their settings', async (t) => {
    const setup = await startWithAdministrator(t)
    const { app, root, ann, byRoot } = setup
    await app.post(ann, '/user/repos', { name: 'mine', private: true, description: evil })
    await app.post(ann, '/orgs', { username: 'acme', visibility: 'private' })
    await app.post(ann, '/orgs/acme/repos', { name: 'tool' })
    await app.post(root, '/user/repos', { name: 'own' })
    await app.ctx.db
      .updateTable('repository')
      .set({ git_size: 2048, lfs_size: 1024 })
      .where('name', '=', 'tool')
      .execute()
    await assertSeenByAdministrators(setup, path)

    const page = await byRoot.get(path)

    assert.deepEqual([...namesIn(page)].sort(), ['acme/tool', 'ann/mine', 'root/own'])
    assert.equal(hasScript(page), false)
    const words = wordsOf(page)
    assert.match(words, /3 repositories /)
    assert.match(words, /acme\/tool 3\.0 KB · updated just now Settings/)
    assert.match(words, /ann\/mine Private /)
    assert.match(page.text, /href="\/acme\/tool\/settings"/)
    assertStatus(await byRoot.get('/acme/tool/settings'), 200)
  })

  test('finds by name and description, in the order that is asked for, page by page', async (t) => {
    const { app, ann, byRoot } = await startWithAdministrator(t, { api: { default_paging_num: 2 } })
    for (const name of ['lamp', 'beam', 'lamps']) {
      await app.post(ann, '/user/repos', { name, private: true })
      app.passTime(60)
    }
    await app.patch(ann, '/repos/ann/beam', { description: 'A lamp' })
    await app.ctx.db
      .updateTable('repository')
      .set({ git_size: 9 })
      .where('name', '=', 'lamp')
      .execute()

    for (const [query, expected] of [
      ['', ['ann/lamps', 'ann/beam']],
      ['page=2', ['ann/lamp']],
      ['sort=alpha', ['ann/beam', 'ann/lamp']],
      ['sort=size&q=lamps', ['ann/lamps']],
      ['q=LAMP&sort=alpha&page=2', ['ann/lamps']],
      ['q=ann/beam', ['ann/beam']],
      ['sort=nonsense&q=beam', ['ann/beam']],
    ] as const) {
      assert.deepEqual(namesIn(await byRoot.get(`${path}?${query}`)), expected, query)
    }
    assert.equal(namesIn(await byRoot.get(`${path}?sort=size`))[0], 'ann/lamp')
    const none = await byRoot.get(`${path}?sort=size&q=${encodeURIComponent(evil)}`)
    assert.match(wordsOf(none), /0 repositories There is none/)
    assert.match(none.text, /<option value="size" selected>/)
    assert.equal(hasScript(none), false)
  })
})
