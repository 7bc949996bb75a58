// One database is enough: where an address leads is asked of git.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit, makePrivate, startWithRepository } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { visit } from './support.ts'

suite('addresses that do not say what kind of ref they name', () => {
  test('lead to those that do', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    const id = await commit(setup, { 'docs/a b.md': 'x' }, { new_branch: 'topic/x' })
    await app.post(ann, '/repos/ann/one/tags', { tag_name: 'v1', target: 'main' })

    for (const [from, to] of [
      ['src/main', 'src/branch/main'],
      ['src/topic/x/docs/a%20b.md', 'src/branch/topic/x/docs/a%20b.md'],
      ['raw/topic/x/docs/a%20b.md', 'raw/branch/topic/x/docs/a%20b.md'],
      ['media/v1/README.md', 'media/tag/v1/README.md'],
      ['commits/v1', 'commits/tag/v1'],
      [`src/${id}/docs`, `src/commit/${id}/docs`],
      ['search?q=a+%26b', 'search/branch/main?q=a+%26b'],
    ] as const) {
      const { status, headers } = await visit(app, `/ann/one/${from}`)
      assert.deepEqual([status, headers['location']], [303, `/ann/one/${to}`], from)
    }
    assertStatus(await visit(app, '/ann/one/src/none/README.md'), 404)
  })

  test('lead nowhere for those who do not see the code', async (t) => {
    const setup = await startWithRepository(t)
    await makePrivate(setup)

    for (const path of ['src/main', 'raw/main/README.md', 'search?q=a']) {
      assertStatus(await visit(setup.app, `/ann/one/${path}`), 404)
    }
  })
})
