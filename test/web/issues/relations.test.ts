// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'
import { addIssue, issues, startWithIssues, type Setup } from './setup.ts'

const repo = '/repos/ann/one'

async function pinned({ app, ann }: Setup): Promise<readonly number[]> {
  const { body } = await app.get(ann, `${repo}/issues/pinned`)
  return body.map((one: { number: number }) => one.number)
}

suite('POST /{owner}/{repo}/issues/{index}/pin/position', () => {
  const buttonsIn = (text: string) =>
    Array.from(
      text.matchAll(/value="(\d)" aria-label="Move (\w+) (up|down)"( disabled)?/g),
      ([, to, name, way, isOff]) => `${name} ${way} ${isOff ? '-' : to}`,
    )

  test('puts what is pinned in another order', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn } = setup
    for (const title of ['one', 'two', 'three']) await addIssue(setup, ann, { title })
    await app.post(ann, `${repo}/issues/1/pin`)
    assert.deepEqual(buttonsIn((await byAnn.get(issues)).text), [])
    for (const index of [2, 3]) await app.post(ann, `${repo}/issues/${index}/pin`)

    const { text } = await byAnn.get(issues)
    assert.deepEqual(buttonsIn(text), [
      'one up -',
      'one down 2',
      'two up 1',
      'two down 3',
      'three up 2',
      'three down -',
    ])
    const down = await byAnn.post(`${issues}/1/pin/position`, { position: '2' })

    assertStatus(down, 303)
    assert.equal(down.headers['location'], issues)
    assert.deepEqual(await pinned(setup), [2, 1, 3])
    assertStatus(await byAnn.post(`${issues}/3/pin/position`, { position: '2' }), 303)
    assert.deepEqual(await pinned(setup), [2, 3, 1])
  })

  test('is for administrators, and for what is pinned', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    for (const title of [`1 ${evil}`, 'two', 'three']) await addIssue(setup, ann, { title })
    for (const index of [1, 2]) await app.post(ann, `${repo}/issues/${index}/pin`)
    const path = `${issues}/1/pin/position`
    const position = '2'

    assert.doesNotMatch((await byBob.get(issues)).text, /pin\/position/)
    assert.doesNotMatch((await visitor.get(issues)).text, /pin\/position/)
    assert.equal(hasScript(await byAnn.get(issues)), false)
    assertStatus(await byBob.post(path, { position }), 403)
    assertStatus(await byAnn.post(path, { position }, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(path, { position }))
    assertStatus(await byAnn.post(path, { position: '0' }), 422)
    assertStatus(await byAnn.post(`${issues}/3/pin/position`, { position }), 404)
    await app.patch(ann, repo, { archived: true })
    assertStatus(await byAnn.post(path, { position }), 423)
    assert.doesNotMatch((await byAnn.get(issues)).text, /pin\/position/)
    assert.deepEqual(await pinned(setup), [1, 2])
  })
})

suite('POST /{owner}/{repo}/issues/{index}/pin', () => {
  test('pins an issue above the list, and takes it down', async (t) => {
    const setup = await startWithIssues(t)
    const { ann, byAnn, visitor } = setup
    await addIssue(setup, ann, { title: 'Read this' })
    assert.doesNotMatch((await visitor.get(issues)).text, /class="pinned"/)

    const done = await byAnn.post(`${issues}/1/pin`, { pinned: 'true' })

    assert.equal(done.headers['location'], `${issues}/1#fact-pin`)
    assert.deepEqual(await pinned(setup), [1])
    assert.match((await visitor.get(issues)).text, /class="pinned"[^]*Read this/)
    assert.doesNotMatch((await visitor.get(`${issues}?q=other`)).text, /class="pinned"/)
    assert.match((await byAnn.get(`${issues}/1`)).text, /value="false">Unpin/)
    assertStatus(await byAnn.post(`${issues}/1/pin`, { pinned: 'false' }), 303)
    assert.deepEqual(await pinned(setup), [])
  })

  test('shows nothing where the viewer reads no issues', async (t) => {
    const setup = await startWithIssues(t, { auto_init: true })
    const { app, ann, byAnn } = setup
    await addIssue(setup, ann, { title: 'Read this' })
    await byAnn.post(`${issues}/1/pin`, { pinned: 'true' })
    assert.match((await byAnn.get(issues)).text, /Read this/)
    assertStatus(await app.patch(ann, repo, { has_issues: false }), 200)

    assert.doesNotMatch((await byAnn.get(issues)).text, /Read this/)
  })

  test('is for administrators, and for three', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    for (const title of ['1', '2', '3', '4']) await addIssue(setup, ann, { title })
    for (const index of [1, 2, 3]) await app.post(ann, `${repo}/issues/${index}/pin`)
    const path = `${issues}/4/pin`

    const full = await byAnn.post(path, { pinned: 'true' })
    assertStatus(full, 422)
    assert.match(full.text, /No more can be pinned/)
    assert.doesNotMatch((await byBob.get(`${issues}/1`)).text, /name="pinned"/)
    assertStatus(await byBob.post(`${issues}/1/pin`, { pinned: 'false' }), 403)
    assertStatus(await byAnn.post(`${issues}/1/pin`, { pinned: 'false' }, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(path))
    assert.deepEqual(await pinned(setup), [1, 2, 3])
  })
})

suite('POST /{owner}/{repo}/issues/{index}/dependencies', () => {
  const path = `${issues}/1/dependencies`

  async function related({ app, ann }: Setup, kind: 'dependencies' | 'blocks') {
    const { body } = await app.get(ann, `${repo}/issues/1/${kind}`)
    return body.map((one: { title: string }) => one.title) as readonly string[]
  }

  test('says what an issue waits for and what waits for it, also elsewhere', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, visitor } = setup
    await addIssue(setup, ann)
    await addIssue(setup, ann, { title: `First ${evil}` })
    await app.post(ann, '/user/repos', { name: 'two', private: true })
    await app.post(ann, '/repos/ann/two/issues', { title: 'Hidden' })

    const added = await byAnn.post(path, { issue: '#2', direction: 'awaited' })
    assertStatus(await byAnn.post(path, { issue: 'ann/two#1', direction: 'waiting' }), 303)

    assert.equal(added.headers['location'], `${issues}/1#fact-dependencies`)
    assert.deepEqual(await related(setup, 'dependencies'), [`First ${evil}`])
    assert.deepEqual(await related(setup, 'blocks'), ['Hidden'])
    const page = await byAnn.get(`${issues}/1`)
    assert.match(wordsOf(page), /Waits for .* #2 .* Blocks .* Hidden ann\/two#1/)
    assert.ok(!hasScript(page))
    const seen = await visitor.get(`${issues}/1`)
    assert.match(wordsOf(seen), /Waits for .* #2/)
    assert.doesNotMatch(seen.text, /Hidden|ann\/two|name="remove"/)
    const gone = await byAnn.post(path, { remove: 'ann/one#2', direction: 'awaited' })
    assertStatus(gone, 303)
    assertStatus(await byAnn.post(path, { remove: 'ann/two#1', direction: 'waiting' }), 303)
    assert.deepEqual(await related(setup, 'dependencies'), [])
    assert.deepEqual(await related(setup, 'blocks'), [])
  })

  test('takes what is there and makes no circle, from those who write', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    await addIssue(setup, ann)
    await addIssue(setup, ann)
    const fields = { issue: '2', direction: 'awaited' }

    for (const issue of ['', '9', '1', 'some words', 'none/none#1', `${evil}#1`]) {
      const wrong = await byAnn.post(path, { issue, direction: 'waiting' })
      assertStatus(wrong, 422)
      assert.match(wrong.text, /<option value="waiting" selected>[^]*role="alert"/)
      assert.ok(!hasScript(wrong))
    }
    assert.match((await byAnn.post(path, { ...fields, issue: '#9' })).text, /value="#9"/)
    assert.doesNotMatch((await byBob.get(`${issues}/1`)).text, /name="issue"/)
    assertStatus(await byBob.post(path, fields), 403)
    assertStatus(await byBob.post(path, { ...fields, direction: 'waiting' }), 422)
    assertStatus(await byAnn.post(path, fields, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(path, fields))
    assert.deepEqual(await related(setup, 'dependencies'), [])
    assert.deepEqual(await related(setup, 'blocks'), [])
    assertStatus(await byAnn.post(path, fields), 303)
    assertStatus(await byAnn.post(path, fields), 422)
    assertStatus(await byAnn.post(path, { ...fields, direction: 'waiting' }), 422)
    const off = { has_issues: true, internal_tracker: { enable_issue_dependencies: false } }
    assertStatus(await app.patch(ann, repo, off), 200)
    assert.doesNotMatch((await byAnn.get(`${issues}/1`)).text, /Waits for|name="issue"/)
    assertStatus(await byAnn.post(path, { remove: '2', direction: 'awaited' }), 404)
  })
})
