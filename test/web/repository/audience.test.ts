import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { assertSessionEnded, fromElsewhere, signIn, Visitor } from '../support.ts'
import { wordsOf } from './support.ts'

suite('stars and watches on the pages of a repository', () => {
  test('are given and taken back by whoever is signed in, who then goes on where they were', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')
    await app.post(ann, '/user/repos', { name: 'one' })
    const byBob = await signIn(app, 'bob')
    const head = async () =>
      /(\d+) (Star\w*) (\d+) (Watch\w*)/.exec(wordsOf(await byBob.get('/ann/one')))?.[0]
    assert.equal(await head(), '0 Star 1 Watch')

    for (const [action, shown] of [
      ['star', '1 Starred 1 Watch'],
      ['star', '1 Starred 1 Watch'],
      ['watch', '1 Starred 2 Watching'],
      ['unstar', '0 Star 2 Watching'],
      ['unwatch', '0 Star 1 Watch'],
    ] as const) {
      const back = { redirect_to: '/ann/one/activity' }
      const answer = await byBob.post(`/ann/one/action/${action}`, back)
      assertStatus(answer, 303)
      assert.equal(answer.headers['location'], '/ann/one/activity', action)
      assert.equal(await head(), shown, action)
    }
    for (const away of ['https://evil.test/', '//evil.test', '/\\evil.test']) {
      const { headers } = await byBob.post('/ann/one/action/star', { redirect_to: away })
      assert.equal(headers['location'], '/', away)
    }
  })

  test('lead to the repository from a form that was not taken, whose address shows nothing', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    await app.post(ann, '/repos/ann/one/issues', { title: 'Broken' })
    const byAnn = await signIn(app, 'ann')

    const again = await byAnn.post('/ann/one/issues/1/comments', { body: '' })

    assertStatus(again, 422)
    const forms = again.text.matchAll(
      /action\/\w+"><input type="hidden" name="redirect_to" value="([^"]*)"/g,
    )
    assert.deepEqual(
      [...forms].map(([, back]) => back),
      ['/ann/one', '/ann/one'],
    )
  })

  test('are counted for others, who are offered no button', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })

    const page = await new Visitor(app).get('/ann/one')

    assert.match(wordsOf(page), /0 stars 1 watching 0 forks/)
    assert.doesNotMatch(page.text, /\/action\//)
  })

  test('are taken from nobody else, from no other site, and not where there are none', async (t) => {
    const app = await startApp(t, { repositories: { stars: false } })
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')
    await app.post(ann, '/user/repos', { name: 'one' })
    await app.post(ann, '/user/repos', { name: 'hidden', private: true })
    const byBob = await signIn(app, 'bob')

    assertSessionEnded(await new Visitor(app).post('/ann/one/action/watch'))
    assertStatus(await byBob.post('/ann/one/action/watch', {}, fromElsewhere), 403)
    assertStatus(await byBob.post('/ann/hidden/action/watch'), 404)
    assertStatus(await byBob.post('/ann/one/action/star'), 403)
    for (const action of ['toString', '__proto__', 'x'])
      assertStatus(await byBob.post(`/ann/one/action/${action}`), 404)
    const page = await byBob.get('/ann/one')

    assert.match(wordsOf(page), /0 stars 1 Watch 0 Fork/)
    assert.doesNotMatch(page.text, /action\/star/)
    const { body } = await app.get(ann, '/repos/ann/one')
    assert.deepEqual([body.stars_count, body.watchers_count], [0, 1])
  })
})

suite('the audience of a repository', () => {
  test('is listed on pages that its numbers lead to', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
    await app.put(bob, '/user/starred/ann/one')
    await app.put(bob, '/repos/ann/one/subscription')
    await app.post(bob, '/repos/ann/one/forks', { name: 'copy' })
    const visitor = new Visitor(app)

    const { text } = await visitor.get('/ann/one')
    for (const name of ['stars', 'watchers', 'forks'])
      assert.match(text, new RegExp(`<a class="count" href="/ann/one/${name}"`))
    const stars = await visitor.get('/ann/one/stars')
    assert.match(stars.text, /<h2>Stars<\/h2>[^]*href="\/bob"/)
    assert.match((await visitor.get('/ann/one/watchers')).text, /href="\/ann"[^]*href="\/bob"/)
    assert.match((await visitor.get('/ann/one/forks')).text, /href="\/bob\/copy"/)
    assert.match(wordsOf(await visitor.get('/bob/copy/stars')), /Nobody has starred it yet/)
    assert.match(wordsOf(await visitor.get('/bob/copy/forks')), /Nobody has forked it yet/)
  })

  test('is seen as by the API, and in pages', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const bob = await app.addCaller('bob')
    await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
    await app.put(ann, '/user/starred/ann/one')
    await app.put(bob, '/user/starred/ann/one')
    await app.post(bob, '/repos/ann/one/forks', {})
    const visitor = new Visitor(app)
    const byBob = await signIn(app, 'bob')

    const first = await visitor.get('/ann/one/stars?limit=1')
    assert.match(wordsOf(first), /Page 1 of 2/)
    await app.ctx.db
      .updateTable('account')
      .set({ visibility: 'private' })
      .where('id', '=', bob.id)
      .execute()
    assert.doesNotMatch((await visitor.get('/ann/one/stars')).text, /href="\/bob"/)
    assert.doesNotMatch((await visitor.get('/ann/one/forks')).text, /href="\/bob\/one"/)
    assert.match((await byBob.get('/ann/one/forks')).text, /href="\/bob\/one"/)
    await app.patch(ann, '/repos/ann/one', { private: true })
    for (const name of ['stars', 'watchers', 'forks'])
      assertStatus(await visitor.get(`/ann/one/${name}`), 404)
  })

  test('has no stars where there are none', async (t) => {
    const app = await startApp(t, { repositories: { stars: false } })
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })

    assertStatus(await new Visitor(app).get('/ann/one/stars'), 404)
    assert.doesNotMatch((await new Visitor(app).get('/ann/one')).text, /ann\/one\/stars/)
  })
})
