// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit, startWithRepository } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { signIn, Visitor } from '../support.ts'
import { edit } from './support.ts'

suite('pages of a repository whose code is switched off', () => {
  test('show nothing of it, not even to its owner', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    const id = await commit(setup, { 'a.txt': 'lamp\n' })
    const byAnn = await signIn(app, 'ann')
    const pages = [
      '/src/branch/main',
      '/src/branch/main/a.txt',
      '/commits/branch/main',
      '/blame/branch/main/a.txt',
      '/find/branch/main',
      '/search/branch/main?q=lamp',
      `/commit/${id}`,
      '/compare',
      '/compare/main...main',
      '/branches',
      '/tags',
    ]
    for (const page of pages) assertStatus(await byAnn.get(`/ann/one${page}`), 200)

    await edit(setup, { has_code: false })

    for (const page of pages) {
      for (const one of [byAnn, new Visitor(app)]) {
        const { status } = await one.get(`/ann/one${page}`)
        assert.equal(status, 404, page)
      }
    }
    for (const [path, fields] of [
      ['/branches/new', { branch: 'new', from: 'main' }],
      ['/branches/rename', { name: 'main', to: 'new' }],
    ] as const)
      assertStatus(await byAnn.post(`/ann/one${path}`, fields), 404)
  })

  test('offer no copy of it, and are entered by what else there is', async (t) => {
    const setup = await startWithRepository(t)
    const { app, bob } = setup
    const byBob = await signIn(app, 'bob')
    const offers = /href="\/ann\/one\/(?:fork|generate)"/
    await edit(setup, { template: true })
    assert.match((await byBob.get('/ann/one')).text, offers)

    await edit(setup, { has_code: false })

    const { text } = await byBob.get('/ann/one/activity')
    assert.doesNotMatch(text, offers)
    assert.doesNotMatch(text, /data-keys-label="Code"/)
    const form = { owner: 'bob', name: 'new', git_content: 'true' }
    for (const path of ['/ann/one/fork', '/ann/one/generate']) {
      assertStatus(await byBob.get(path), 404)
      assertStatus(await byBob.post(path, form), 403)
    }
    assertStatus(await app.get(bob, '/repos/bob/new'), 404)
    for (const [off, place] of [
      [{}, 'issues'],
      [{ has_issues: false }, 'releases'],
      [{ has_releases: false }, 'activity'],
    ] as const) {
      await edit(setup, off)
      assert.equal((await byBob.get('/ann/one')).headers['location'], `/ann/one/${place}`)
    }
  })

  test('show releases without a way to their sources', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const byAnn = await signIn(app, 'ann')
    const sources = async (tag: string) => {
      const { text } = await byAnn.get('/ann/one/releases')
      assert.match(text, new RegExp(tag))
      return [text.includes(`/src/tag/${tag}"`), text.includes(`/archive/${tag}.zip"`)]
    }
    for (const [tag, isDraft] of [
      ['v1', false],
      ['v2', true],
    ] as const)
      assertStatus(await app.post(ann, `${path}/releases`, { tag_name: tag, draft: isDraft }), 201)
    assert.deepEqual(await sources('v1'), [true, true])
    assert.deepEqual(await sources('v2'), [false, false])

    await edit(setup, { has_code: false })

    assert.deepEqual(await sources('v1'), [false, false])
  })

  test('tell those who write releases nothing of branches and commits', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { 'a.txt': 'lamp\n' }, { message: 'Light the lamp' })
    await app.put(ann, `${path}/collaborators/bob`, { permission: 'write' })
    const byBob = await signIn(app, 'bob')
    const page = '/ann/one/releases/new'
    const form = { tag_name: 'v1', target: 'main', action: 'notes' }
    assert.match((await byBob.get(page)).text, /such as main[^]*value="notes"/)
    assert.match((await byBob.post(page, form)).text, /Light the lamp/)

    await edit(setup, { has_code: false })

    assert.doesNotMatch((await byBob.get(page)).text, /such as main|value="notes"/)
    const refused = await byBob.post(page, form)
    assertStatus(refused, 403)
    assert.doesNotMatch(refused.text, /Light the lamp/)
  })
})

suite('the first page of a repository', () => {
  test('shows no release where these are switched off', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    assertStatus(await app.post(ann, `${path}/releases`, { tag_name: 'v1' }), 201)
    const home = async () => (await new Visitor(app).get('/ann/one')).text
    assert.match(await home(), /Latest release/)

    await edit(setup, { has_releases: false })

    assert.doesNotMatch(await home(), /Latest release/)
  })
})

suite('the list of branches', () => {
  test('offers pull requests where there are any', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    assertStatus(await app.post(ann, `${path}/branches`, { new_branch_name: 'next' }), 201)
    const words = async () => (await new Visitor(app).get('/ann/one/branches')).text
    assert.match(await words(), /Compare<\/a> <a [^>]*>New pull request/)

    await edit(setup, { has_pull_requests: false })
    assert.doesNotMatch(await words(), /New pull request/)
    await edit(setup, { has_pull_requests: true, archived: true })
    assert.doesNotMatch(await words(), /New pull request/)
    assert.match(await words(), /Compare<\/a>/)
  })
})

suite('addresses of pages of a repository', () => {
  test('that no repository can have lead nowhere', async (t) => {
    const { app } = await startWithRepository(t)
    const visitor = new Visitor(app)

    for (const path of ['/ann/one%00', '/ann%00/one', '/ann/one/src/branch/main%00'])
      assertStatus(await visitor.get(path), 404)
  })
})

suite('the page of a repository without a commit', () => {
  test('says how to begin, as far as the viewer can, and nothing where nobody can', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    await app.post(ann, '/user/repos', { name: 'bare' })
    const [byAnn, byBob] = [await signIn(app, 'ann'), await signIn(app, 'bob')]
    const own = await byAnn.get('/ann/bare')
    const others = await byBob.get('/ann/bare')

    assert.match(own.text, /href="\/ann\/bare\/_new\/branch\/main/)
    assert.doesNotMatch(own.text, /somebody who may write/)
    assert.match(others.text, /of somebody who may write to this repository/)
    assert.doesNotMatch(others.text, /_new|_upload/)
    for (const page of [own, others]) assert.match(page.text, /git push -u origin main/)
    assertStatus(await app.patch(ann, '/repos/ann/bare', { archived: true }), 200)
    for (const one of [byAnn, byBob]) {
      const { text } = await one.get('/ann/bare')
      assert.match(text, /There is no commit yet/)
      assert.doesNotMatch(text, /git push|_new/)
    }
  })
})
