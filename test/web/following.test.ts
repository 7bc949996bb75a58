import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../src/platform/config/config.ts'
import { startApp } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { evil, hasScript, wordsOf } from './repository/support.ts'
import { assertSessionEnded, fromElsewhere, signIn, Visitor } from './support.ts'

async function withPeople(t: TestContext, changes?: ConfigChanges) {
  const app = await startApp(t, changes)
  const ann = await app.addCaller('ann')
  const bob = await app.addCaller('bob', { fullName: evil })
  await app.addPerson('hidden', { visibility: 'private' })
  const visitor = new Visitor(app)
  return { app, ann, bob, byAnn: await signIn(app, 'ann'), visitor }
}

const path = '/user/following'
const toSignIn = (page: string) => `/user/login?redirect_to=${encodeURIComponent(page)}`

suite('following on the page of a person', () => {
  test('begins and ends by a button', async (t) => {
    const { app, ann, byAnn, visitor } = await withPeople(t)
    assert.match((await byAnn.get('/bob')).text, />Follow<\/button>/)
    assert.doesNotMatch((await byAnn.get('/ann')).text, /user\/following/)
    assert.doesNotMatch((await visitor.get('/bob')).text, /user\/following|tab=followers/)

    const begun = await byAnn.post(path, { name: 'BOB', action: 'follow' })

    assert.deepEqual([begun.status, begun.headers['location']], [303, '/bob'])
    assertStatus(await app.get(ann, '/user/following/bob'), 204)
    const page = await byAnn.get('/bob')
    assert.match(page.text, />Unfollow<\/button>/)
    assert.match(wordsOf(page), /1 follower · 0 following/)
    assertStatus(await byAnn.post(path, { name: 'bob', action: 'unfollow' }), 303)
    assertStatus(await app.get(ann, '/user/following/bob'), 404)
  })

  test('is for those who are signed in, about people whom they see and who do not block them', async (t) => {
    const { app, ann, bob, byAnn, visitor } = await withPeople(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    const follow = (name: string) => byAnn.post(path, { name, action: 'follow' })

    assertSessionEnded(await visitor.post(path, { name: 'bob' }))
    assertStatus(await byAnn.post(path, { name: 'bob' }, fromElsewhere), 403)
    for (const name of ['', 'nobody', 'hidden', 'acme', evil]) {
      assertStatus(await follow(name), 404)
    }
    await app.put(bob, '/user/blocks/ann')
    assertStatus(await follow('bob'), 403)
    assert.deepEqual((await app.get(ann, '/user/following')).body, [])
  })

  test('is shown both ways to those who are signed in', async (t) => {
    const { app, ann, bob, byAnn, visitor } = await withPeople(t)
    await app.put(bob, '/user/following/ann')
    await app.put(ann, '/user/following/bob')

    const followers = await byAnn.get('/ann?tab=followers')
    const following = await byAnn.get('/ann?tab=following')

    for (const [page, title] of [
      [followers, /Followers .*bob/],
      [following, /Following .*bob/],
    ] as const) {
      assertStatus(page, 200)
      assert.match(wordsOf(page), title)
      assert.equal(hasScript(page), false)
    }
    assert.match(wordsOf(await byAnn.get('/bob?tab=followers')), /Followers .*ann/)
    await app.put(ann, '/user/blocks/bob')
    assert.match(wordsOf(await byAnn.get('/ann?tab=followers')), /Followers Nobody yet/)
    for (const tab of ['followers', 'following', 'stars']) {
      const page = `/ann?tab=${tab}`
      assert.equal((await visitor.get(page)).headers['location'], toSignIn(page))
    }
    assertStatus(await visitor.get('/ann?tab=nothing'), 200)
    assertStatus(await byAnn.get('/hidden?tab=followers'), 404)
  })
})

suite('stars on the page of a person', () => {
  test('are shown as far as the viewer sees them', async (t) => {
    const { app, ann, bob, byAnn } = await withPeople(t)
    await app.post(ann, '/user/repos', { name: 'open' })
    await app.post(bob, '/user/repos', { name: 'closed', private: true })
    assert.match(wordsOf(await byAnn.get('/bob?tab=stars')), /No stars yet/)
    for (const name of ['ann/open', 'bob/closed']) {
      assertStatus(await app.put(bob, `/user/starred/${name}`), 204)
    }

    const seen = wordsOf(await byAnn.get('/bob?tab=stars'))
    const own = wordsOf(await (await signIn(app, 'bob')).get('/bob?tab=stars'))

    assert.match(seen, /1 repository .*ann\s?\/\s?open/)
    assert.doesNotMatch(seen, /closed/)
    assert.match(own, /2 repositories .*closed/)
  })

  test('are not there where nothing is starred', async (t) => {
    const { byAnn } = await withPeople(t, { repositories: { stars: false } })

    assert.doesNotMatch((await byAnn.get('/bob')).text, /tab=stars/)
    assert.doesNotMatch(wordsOf(await byAnn.get('/bob?tab=stars')), /No stars/)
  })
})
