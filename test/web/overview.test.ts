import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { openPull } from '../collaboration/pulls/setup.ts'
import { assertStatus } from '../support/expect.ts'
import { addIssue, startWithIssues, type Setup } from './issues/setup.ts'
import { startWithPulls } from './pulls/setup.ts'
import { evil, hasScript, wordsOf } from './repository/support.ts'
import type { Visitor } from './support.ts'

async function listed(by: Visitor, path: string): Promise<readonly string[]> {
  const page = await by.get(path)
  assertStatus(page, 200)
  return Array.from(page.text.matchAll(/<h2><a href="([^"]*)">/g), ([, address = '']) => address)
}

/** In two repositories of ann: what bob is to do, has written, and is named in. */
async function startWithWork(t: Parameters<typeof startWithIssues>[0]): Promise<Setup> {
  const setup = await startWithIssues(t)
  const { app, ann, bob } = setup
  await app.post(ann, '/user/repos', { name: 'two' })
  await app.put(ann, '/repos/ann/one/collaborators/bob', { permission: 'write' })
  await addIssue(setup, ann, { title: 'Mend the beam', assignees: ['bob'] })
  await addIssue(setup, bob, { title: `Paint ${evil}` })
  await app.post(ann, '/repos/ann/two/issues', { title: 'Ask', body: 'What does @bob think?' })
  await addIssue(setup, ann, { title: 'Nobody is to know' })
  return setup
}

suite('GET /issues', () => {
  test('lists what one is to do, has written, or is named in, of all repositories', async (t) => {
    const { byBob } = await startWithWork(t)

    assert.deepEqual(await listed(byBob, '/issues'), ['/ann/one/issues/1'])
    assert.deepEqual(await listed(byBob, '/issues?type=assigned'), ['/ann/one/issues/1'])
    assert.deepEqual(await listed(byBob, '/issues?type=created_by'), ['/ann/one/issues/2'])
    assert.deepEqual(await listed(byBob, '/issues?type=mentioned'), ['/ann/two/issues/1'])
    assert.deepEqual(await listed(byBob, '/issues?type=review_requested'), ['/ann/one/issues/1'])
    const page = await byBob.get('/issues?type=created_by')
    assert.match(wordsOf(page), /ann\/one #2 opened .* by bob/)
    assert.equal(hasScript(page), false)
    assert.match(page.text, /<a href="\/issues">Your issues<\/a>/)
  })

  test('finds by words and by state', async (t) => {
    const { app, ann, byBob } = await startWithWork(t)

    assert.deepEqual(await listed(byBob, '/issues?q=beam'), ['/ann/one/issues/1'])
    assert.deepEqual(await listed(byBob, '/issues?q=paint'), [])
    assert.match(wordsOf(await byBob.get('/issues?q=paint')), /No issue fits/)
    await app.patch(ann, '/repos/ann/one/issues/1', { state: 'closed' })
    assert.deepEqual(await listed(byBob, '/issues'), [])
    assert.match(wordsOf(await byBob.get('/issues')), /There is no open issue/)
    assert.deepEqual(await listed(byBob, '/issues?state=closed'), ['/ann/one/issues/1'])
    const odd = await byBob.get(
      `/issues?q=${encodeURIComponent(evil)}&state=x&page=-1&type=${evil}`,
    )
    assertStatus(odd, 200)
    assert.equal(hasScript(odd), false)
  })

  test('shows nothing of repositories that are not shown any more', async (t) => {
    const { app, ann, byBob } = await startWithWork(t)

    await app.patch(ann, '/repos/ann/two', { private: true })

    assert.deepEqual(await listed(byBob, '/issues?type=mentioned'), [])
  })

  test('is for those who are signed in', async (t) => {
    const { visitor } = await startWithIssues(t)

    for (const path of ['/issues', '/pulls']) {
      const answer = await visitor.get(path)
      assertStatus(answer, 303)
      assert.equal(answer.headers['location'], `/user/login?redirect_to=%2F${path.slice(1)}`)
    }
  })

  test('goes on on further pages', async (t) => {
    const setup = await startWithIssues(t)
    for (let count = 0; count < 31; count++) await addIssue(setup, setup.ann)

    assert.equal((await listed(setup.byAnn, '/issues?type=created_by')).length, 30)
    assert.deepEqual(await listed(setup.byAnn, '/issues?type=created_by&page=2'), [
      '/ann/one/issues/1',
    ])
  })
})

suite('GET /pulls', () => {
  test('lists what one has opened, and is asked to look at', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, byAnn, byBob } = setup
    await app.put(ann, '/repos/ann/one/collaborators/bob', { permission: 'write' })
    const { number } = await openPull(setup)
    const reviewers = { reviewers: ['bob'] }
    await app.post(ann, `/repos/ann/one/pulls/${number as number}/requested_reviewers`, reviewers)

    const path = `/ann/one/pulls/${number as number}`
    assert.deepEqual(await listed(byAnn, '/pulls?type=created_by'), [path])
    assert.deepEqual(await listed(byBob, '/pulls?type=review_requested'), [path])
    assert.deepEqual(await listed(byBob, '/pulls'), [])
    assert.deepEqual(await listed(byAnn, '/issues?type=created_by'), [])
  })
})
