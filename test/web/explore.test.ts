import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp, type TestAnswer } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { evil, hasScript, wordsOf } from './repository/support.ts'
import { signIn, Visitor } from './support.ts'

/** The repositories of a list, in its order. */
function listedIn({ text }: TestAnswer): string[] {
  const list = /<ul class="repositories[^]*?<\/ul>/.exec(text)?.[0] ?? ''
  return [...list.matchAll(/<h2><a href="([^"]+)"/g)].map(([, path]) => path ?? '')
}

suite('GET /explore/repos', () => {
  test('shows what the viewer may see, and says when there is nothing', async (t) => {
    const app = await startApp(t)
    const visitor = new Visitor(app)
    const empty = await visitor.get('/explore/repos')
    assertStatus(empty, 200)
    assert.match(empty.text, /There is no repository yet[^]*href="\/user\/login"/)
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')
    await app.post(ann, '/user/repos', { name: 'open', description: evil })
    await app.post(ann, '/user/repos', { name: 'hidden', private: true })

    const shown = await visitor.get('/explore/repos?sort=alpha')

    assert.deepEqual(listedIn(shown), ['/ann/open'])
    assert.equal(hasScript(shown), false)
    assert.match(shown.text, /&lt;script&gt;/)
    const byBob = await (await signIn(app, 'bob')).get('/explore/repos?sort=alpha')
    assert.deepEqual(listedIn(byBob), ['/ann/open'])
    const byAnn = await (await signIn(app, 'ann')).get('/explore/repos?sort=alpha')
    assert.deepEqual(listedIn(byAnn), ['/ann/hidden', '/ann/open'])
    assert.match(wordsOf(byAnn), /2 repositories .* hidden Private/)
    assert.equal((await visitor.get('/explore')).headers['location'], '/explore/repos')
  })

  test('searches as the API does, in the order that is asked for', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    for (const name of ['lamp', 'lamps', 'beam']) await app.post(ann, '/user/repos', { name })
    await app.put(ann, '/repos/ann/beam/topics', { topics: ['lamp'] })
    await app.put(ann, '/user/starred/ann/beam')
    const visitor = new Visitor(app)
    const find = async (query: string) => listedIn(await visitor.get(`/explore/repos?${query}`))

    assert.deepEqual(await find('q=lamp'), ['/ann/lamp', '/ann/lamps', '/ann/beam'])
    assert.deepEqual(await find('q=lamp&topic=1'), ['/ann/beam'])
    assert.deepEqual((await find('sort=stars'))[0], '/ann/beam')
    assert.deepEqual(await find('sort=alpha'), ['/ann/beam', '/ann/lamp', '/ann/lamps'])
    assert.equal((await find('sort=nonsense&mode=nonsense&updated_since=x')).length, 3)
    const none = await visitor.get(`/explore/repos?q=${encodeURIComponent(evil)}`)
    assertStatus(none, 200)
    assert.match(none.text, /Nothing fits/)
    assert.equal(hasScript(none), false)
  })

  test('has pages, and keeps what was asked for between them', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    for (const name of ['a', 'b', 'c']) await app.post(ann, '/user/repos', { name: `tool-${name}` })
    const visitor = new Visitor(app)

    const first = await visitor.get('/explore/repos?q=tool&sort=alpha&limit=2')

    assert.deepEqual(listedIn(first), ['/ann/tool-a', '/ann/tool-b'])
    assert.match(wordsOf(first), /3 repositories .* Page 1 of 2/)
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first.text) ?? []
    const second = await visitor.get(next.replaceAll('&amp;', '&'))
    assert.deepEqual(listedIn(second), ['/ann/tool-c'])
    assert.doesNotMatch(second.text, /rel="next"/)
    for (const page of ['-1', '0', 'x', '99', '99999999999999999999']) {
      assertStatus(await visitor.get(`/explore/repos?page=${page}`), 200)
    }
  })

  test('says of a page after the last that there is none, and leads to the first', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'tool' })

    const beyond = await new Visitor(app).get('/explore/repos?q=tool&page=99')

    assert.match(wordsOf(beyond), /There is no page 99\. To the first page/)
    assert.match(beyond.text, /rel="first" href="\/explore\/repos\?q=tool&amp;page=1"/)
    assert.doesNotMatch(beyond.text, /Page 99 of|rel="next"|rel="prev"/)
  })

  test('asks those to sign in who have to', async (t) => {
    const app = await startApp(t, { users: { explore_requires_sign_in: true } })
    await app.addPerson('ann')
    const closed = await startApp(t, { security: { require_sign_in: 'true' } })

    const answer = await new Visitor(app).get('/explore/repos?q=a')

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], '/user/login?redirect_to=%2Fexplore%2Frepos%3Fq%3Da')
    assertStatus(await (await signIn(app, 'ann')).get('/explore/repos'), 200)
    assertStatus(await new Visitor(closed).get('/ann'), 303)
  })
})

suite('GET /{name}', () => {
  test('shows a person with what may be seen of theirs', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const settings = { full_name: evil, description: evil, location: evil }
    await app.patch(ann, '/user/settings', { ...settings, website: 'https://ann.example' })
    await app.post(ann, '/user/repos', { name: 'open' })
    await app.post(ann, '/user/repos', { name: 'hidden', private: true })
    await app.post(ann, '/orgs', { username: 'acme', visibility: 'private' })

    const byVisitor = await new Visitor(app).get('/ann')
    const byAnn = await (await signIn(app, 'ann')).get('/ANN?sort=alpha')

    assertStatus(byVisitor, 200)
    assert.equal(hasScript(byVisitor), false)
    assert.match(byVisitor.text, /href="https:\/\/ann\.example\/" rel="nofollow noopener"/)
    assert.deepEqual(listedIn(byVisitor), ['/ann/open'])
    assert.doesNotMatch(byVisitor.text, /ann\/hidden|acme/)
    assert.deepEqual(listedIn(byAnn), ['/ann/hidden', '/ann/open'])
    assert.match(byAnn.text, /href="\/acme"/)
    assert.match((await new Visitor(app).get('/ann?q=zzz')).text, /Nothing fits “zzz”/)
  })

  test('shows an organization to those who may see it, and nothing to others', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')
    await app.post(ann, '/orgs', { username: 'acme', visibility: 'private' })
    await app.post(ann, '/orgs/acme/repos', { name: 'lantern' })

    const hidden = await (await signIn(app, 'bob')).get('/acme')
    const missing = await (await signIn(app, 'bob')).get('/nobody')
    const shown = await (await signIn(app, 'ann')).get('/acme')

    assertStatus(hidden, 404)
    assertStatus(missing, 404)
    const mainOf = ({ text }: TestAnswer) => /<main[^]*<\/main>/.exec(text)?.[0]
    assert.equal(mainOf(hidden), mainOf(missing))
    assert.deepEqual(listedIn(shown), ['/acme/lantern'])
    assert.match(wordsOf(shown), /acme Organization Private/)
  })

  test('follows new names, and takes no address that is something else', async (t) => {
    const app = await startApp(t)
    const root = await app.addAdmin()
    await app.addPerson('ann')
    await app.post(root, '/admin/users/ann/rename', { new_username: 'anna' })
    const visitor = new Visitor(app)

    const moved = await visitor.get('/ann')

    assert.equal(moved.headers['location'], '/anna')
    assertStatus(await visitor.get('/explore'), 303)
    for (const name of ['user', 'repo', 'assets', 'anna.png', '%00', 'a%2fb', '-'])
      assert.equal((await visitor.get(`/${name}`)).status, 404, name)
    assert.match((await app.get(undefined, '^/metrics')).text, /^# HELP/)
    assertStatus(await app.get(undefined, '^/swagger.v1.json'), 200)
    assert.equal((await app.get(undefined, '^/nobody')).text, '404 page not found\n')
  })
})

suite('GET / for somebody who is signed in', () => {
  test('shows what is theirs, and what they work on with others', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    const visitor = await signIn(app, 'ann')
    assert.match(
      (await visitor.get('/')).text,
      /You have no repository yet[^]*href="\/repo\/create"/,
    )
    await app.post(ann, '/user/repos', { name: 'mine', private: true })
    await app.post(bob, '/user/repos', { name: 'ours', private: true })
    await app.post(bob, '/user/repos', { name: 'other' })
    await app.put(bob, '/repos/bob/ours/collaborators/ann', { permission: 'write' })

    const page = await visitor.get('/?sort=alpha')

    assert.deepEqual(listedIn(page).sort(), ['/ann/mine', '/bob/ours'])
    assert.match(wordsOf(page), /Lately .*ann created the repository · ann\/mine just now/)
    assert.match((await visitor.get('/?q=zzz')).text, /Nothing of yours fits/)
    assert.doesNotMatch((await new Visitor(app).get('/')).text, /mine|ours/)
  })
})
