// One database is enough: what is read is in git.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { analyseRepository } from '../../../src/code/analysis/analyse.ts'
import { findLicenses } from '../../../src/code/analysis/licenses.ts'
import { licenses } from '../../../src/repositories/repository-defaults/licenses.ts'
import { commit, makePrivate, startWithRepository } from '../commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { doMeanwhile } from '../../support/meanwhile.ts'

suite('GET /repos/{owner}/{repo}/languages', () => {
  test('counts bytes by language, most first, after a push', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { 'tool.py': 'print(1)\n', 'main.go': 'package main\n', 'a/b.go': '//' })

    await app.ctx.jobs.runDue()

    const { status, text } = await app.get(undefined, `${path}/languages`)
    assert.equal(status, 200)
    assert.equal(text, '{"Go":15,"Python":9}')
    assert.equal((await app.get(ann, path)).body.language, 'Go')
  })

  test('forgets what is gone, and looks at the default branch alone', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { 'main.go': 'package main\n' })
    await commit(setup, { 'main.rs': 'fn main() {}' }, { new_branch: 'side' })
    await app.ctx.jobs.runDue()
    const before = (await app.get(ann, `${path}/languages`)).body
    const { sha } = (await app.get(ann, `${path}/contents/main.go`)).body

    await app.delete(ann, `${path}/contents/main.go`, { sha })
    await app.ctx.jobs.runDue()

    assert.deepEqual(before, { Go: 13 })
    assert.deepEqual((await app.get(ann, `${path}/languages`)).body, {})
    assert.equal((await app.get(ann, path)).body.language, '')
  })

  test('is that of the last push, also when an earlier one was looked at for longer', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { 'main.go': 'package main\n' })
    const { id } = (await app.get(ann, path)).body

    await doMeanwhile(
      t,
      app,
      () => analyseRepository(app.ctx, id),
      async () => {
        await commit(setup, { 'main.rs': 'fn main() {}' })
        await analyseRepository(app.ctx, id)
      },
    )

    assert.deepEqual((await app.get(ann, `${path}/languages`)).body, { Go: 13, Rust: 12 })
  })

  test('is empty for an empty repository, and for those who may read the code', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    await app.post(ann, '/user/repos', { name: 'empty' })

    assert.deepEqual((await app.get(ann, '/repos/ann/empty/languages')).body, {})
    await makePrivate(setup)
    assertError(await app.get(bob, `${path}/languages`), 404)
    assertError(await app.get(bob, `${path}/licenses`), 404)
  })
})

suite('GET /repos/{owner}/{repo}/licenses', () => {
  test('knows the licence of a new repository, and finds others after a push', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const options = { name: 'mit', auto_init: true, license: 'MIT' }
    assertStatus(await app.post(ann, '/user/repos', options), 201)
    await commit(setup, { 'LICENSE.txt': licenses.find('Apache-2.0') ?? '', COPYING: 'My own.' })

    await app.ctx.jobs.runDue()

    assert.deepEqual((await app.get(undefined, '/repos/ann/mit/licenses')).body, ['MIT'])
    assert.deepEqual((await app.get(undefined, `${path}/licenses`)).body, ['Apache-2.0'])
    assert.deepEqual((await app.get(ann, path)).body.licenses, ['Apache-2.0'])
    await commit(setup, { 'LICENSE.md': licenses.find('0BSD') ?? '' }, { new_branch: 'side' })
    await app.patch(ann, path, { default_branch: 'side' })
    await app.ctx.jobs.runDue()
    assert.deepEqual((await app.get(ann, path)).body.licenses, ['0BSD', 'Apache-2.0'])
    await app.patch(ann, path, { default_branch: 'main' })
    await app.ctx.jobs.runDue()
    assert.deepEqual((await app.get(ann, path)).body.licenses, ['Apache-2.0'])
  })

  test('finds them in all files that are called after one, and by names of today', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const text = (name: string) => licenses.find(name) ?? ''
    const files = {
      LICENSE_MIT: text('MIT'),
      'LICENSE_APACHE-2.0': text('Apache-2.0'),
      COPYING: text('GPL-3.0'),
      'licence.txt': text('ISC'),
      'LICENSES/MPL-2.0.txt': text('MPL-2.0'),
      'docs/LICENSE': text('Zlib'),
    }
    await commit(setup, files)

    await app.ctx.jobs.runDue()

    const found = ['Apache-2.0', 'GPL-3.0-only', 'ISC', 'MIT', 'MPL-2.0']
    assert.deepEqual((await app.get(ann, `${path}/licenses`)).body, found)
  })

  test('is empty for an empty repository', async (t) => {
    const { app, ann } = await startWithRepository(t)
    await app.post(ann, '/user/repos', { name: 'empty' })

    assert.deepEqual((await app.get(ann, '/repos/ann/empty/licenses')).body, [])
  })
})

suite('findLicenses', () => {
  test('knows every licence of the catalogue by its own text, under the name of today', async () => {
    for (const name of licenses.names) {
      const today = /^[AL]?GPL-/.test(name) ? `${name}-only` : name
      assert.deepEqual(await findLicenses(licenses.find(name) ?? ''), [today])
    }
  })

  test('knows one whose blanks are filled in, and takes nothing else for one', async () => {
    const mit = (licenses.find('MIT') ?? '').replace('<year>', '2026').replace(/<[^>]+>/, 'Ann')

    assert.deepEqual(await findLicenses(mit), ['MIT'])
    assert.deepEqual(await findLicenses('All rights reserved.'), [])
    assert.deepEqual(await findLicenses(''), [])
  })

  test('knows several in one text, and one behind other words', async () => {
    const [mit = '', apache = ''] = ['MIT', 'Apache-2.0'].map((name) => licenses.find(name))
    const words = 'What this is about, and why it is here at all. '.repeat(5)

    const both = await findLicenses(`${words}\n${mit}\n-----\n${apache}`)

    assert.deepEqual(both.toSorted(), ['Apache-2.0', 'MIT'])
    assert.deepEqual(await findLicenses(words + mit), ['MIT'])
  })
})
