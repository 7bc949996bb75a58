import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { addIssue, issues, startWithIssues } from './setup.ts'

function titlesIn({ text }: TestAnswer): string[] {
  const list = /<ul class="issues[^]*?<\/ul>/.exec(text)?.[0] ?? ''
  return [...list.matchAll(/<h2><a href="[^"]+">([^<]*)<\/a>/g)].map(([, title]) => title ?? '')
}

suite('GET /{owner}/{repo}/issues', () => {
  test('lists issues by state, label, milestone and words', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, bob, visitor } = setup
    const label = await app.post(ann, '/repos/ann/one/labels', { name: 'bug', color: '#d73a4a' })
    const stone = await app.post(ann, '/repos/ann/one/milestones', { title: '1.0' })
    await addIssue(setup, bob, { title: 'Plain' })
    await addIssue(setup, ann, { title: 'Labelled', labels: [label.body.id] })
    await addIssue(setup, ann, { title: 'Planned', milestone: stone.body.id, assignees: ['bob'] })
    const closed = await addIssue(setup, ann, { title: 'Done' })
    await app.patch(ann, `/repos/ann/one/issues/${closed}`, { state: 'closed' })
    const find = async (query: string) => titlesIn(await visitor.get(`${issues}?${query}`))

    assert.deepEqual(await find(''), ['Planned', 'Labelled', 'Plain'])
    assert.deepEqual(await find('state=closed'), ['Done'])
    assert.equal((await find('state=all')).length, 4)
    assert.deepEqual(await find('labels=bug'), ['Labelled'])
    assert.deepEqual(await find('milestone=1.0'), ['Planned'])
    assert.deepEqual(await find('q=plai'), ['Plain'])
    assert.deepEqual(await find('q=plai&state=closed'), [])
    assert.equal((await find('state=nonsense&page=-1')).length, 3)
    const page = await visitor.get(`${issues}?labels=bug&q=lab`)
    assert.match(page.text, /<option value="bug" selected>[^]*fill="#d73a4a"/)
    assert.ok(page.text.includes('state=closed&amp;q=lab&amp;labels=bug'))
    assert.match(wordsOf(await visitor.get(issues)), /#3 opened just now by ann · 1\.0/)
  })

  test('takes a comma in the name of a label or a milestone as it is', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, visitor } = setup
    const label = await app.post(ann, '/repos/ann/one/labels', { name: 'big, red', color: 'f00' })
    const stone = await app.post(ann, '/repos/ann/one/milestones', { title: '1, 2' })
    await addIssue(setup, ann, { title: 'Plain' })
    await addIssue(setup, ann, { title: 'Labelled', labels: [label.body.id] })
    await addIssue(setup, ann, { title: 'Planned', milestone: stone.body.id })

    const labelled = await visitor.get(`${issues}?labels=big%2C+red`)
    const planned = await visitor.get(`${issues}?milestone=1%2C+2`)

    assert.deepEqual(titlesIn(labelled), ['Labelled'])
    assert.deepEqual(titlesIn(planned), ['Planned'])
  })

  test('says what issues are for where there are none, and has pages where there are many', async (t) => {
    const setup = await startWithIssues(t)
    const { ann, visitor } = setup
    const empty = await visitor.get(issues)
    assertStatus(empty, 200)
    assert.match(empty.text, /There is no open issue[^]*href="\/ann\/one\/issues\/new"/)
    for (const title of ['a', 'b', 'c']) await addIssue(setup, ann, { title })

    const first = await visitor.get(`${issues}?limit=2`)
    const [, next = ''] = /rel="next" href="([^"]+)"/.exec(first.text) ?? []
    const second = await visitor.get(next.replaceAll('&amp;', '&'))

    assert.deepEqual(titlesIn(first), ['c', 'b'])
    assert.deepEqual(titlesIn(second), ['a'])
    assert.match((await visitor.get(`${issues}?q=zzz`)).text, /No issue fits/)
  })

  test('lists issues by who wrote and who does them, in the order that is asked for', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, bob, byAnn, visitor } = setup
    const first = await addIssue(setup, bob, { title: 'First' })
    app.passTime(60)
    const second = await addIssue(setup, ann, { title: 'Second', assignees: ['ann'] })
    app.passTime(60)
    await addIssue(setup, bob, { title: 'Third' })
    await app.post(ann, `/repos/ann/one/issues/${second}/comments`, { body: 'So' })
    app.passTime(60)
    await app.patch(ann, `/repos/ann/one/issues/${first}`, { title: 'First!' })
    const find = async (query: string) => titlesIn(await visitor.get(`${issues}?${query}`))

    assert.deepEqual(await find('author=Bob'), ['Third', 'First!'])
    assert.deepEqual(await find('assignee=ann'), ['Second'])
    assert.deepEqual(await find('author=bob&assignee=ann'), [])
    assert.deepEqual(await find('author=nobody'), [])
    assert.deepEqual(await find('sort=oldest'), ['First!', 'Second', 'Third'])
    assert.deepEqual((await find('sort=updated'))[0], 'First!')
    assert.deepEqual((await find('sort=comments'))[0], 'Second')
    assert.deepEqual(await find('sort=nonsense'), ['Third', 'Second', 'First!'])
    const page = await byAnn.get(`${issues}?author=bob&assignee=ann&sort=oldest`)
    assert.match(page.text, /No issue fits/)
    assert.match(page.text, /<option value="ann" selected>ann<[^]*<option value="oldest" selected>/)
    assert.ok(page.text.includes('author=bob&amp;assignee=ann&amp;sort=oldest'))
    assert.doesNotMatch((await visitor.get(issues)).text, /aria-label="Assignee"/)
  })

  test('offers nothing new in an archive, with something in the list or without', async (t) => {
    const setup = await startWithIssues(t, { auto_init: true })
    const { app, ann, byAnn } = setup
    const offersNew = async (path: string) =>
      /New issue|New pull request|Write one|Compare two/.test((await byAnn.get(path)).text)
    assert.equal(await offersNew(issues), true)
    assert.equal(await offersNew('/ann/one/pulls'), true)

    await app.patch(ann, '/repos/ann/one', { archived: true })
    assert.equal(await offersNew(issues), false)
    assert.equal(await offersNew('/ann/one/pulls'), false)
    await app.patch(ann, '/repos/ann/one', { archived: false })
    await addIssue(setup, ann)
    await app.patch(ann, '/repos/ann/one', { archived: true })
    assert.equal(await offersNew(issues), false)
  })

  test('leads to the other lists that there are, and says which one this is', async (t) => {
    const { app, ann, visitor } = await startWithIssues(t, { auto_init: true })
    const switchOn = async (path: string) =>
      /<nav class="switch"[^]*?<\/nav>/.exec((await visitor.get(path)).text)?.[0] ?? ''

    for (const path of ['issues', 'pulls', 'labels', 'milestones']) {
      const found = await switchOn(`/ann/one/${path}`)
      assert.equal((found.match(/<a /g) ?? []).length, 4, path)
      assert.ok(found.includes(`href="/ann/one/${path}" aria-current="page"`), path)
    }
    await app.patch(ann, '/repos/ann/one', { has_issues: false })
    assert.doesNotMatch(await switchOn('/ann/one/pulls'), /\/issues"/)
  })

  test('is shown to those who may read issues, and missing for others', async (t) => {
    const setup = await startWithIssues(t, { private: true })
    const { app, ann, byAnn, byBob, visitor } = setup
    await addIssue(setup, ann)

    assertStatus(await visitor.get(issues), 404)
    assertStatus(await byBob.get(issues), 404)
    assertStatus(await byBob.get(`${issues}/1`), 404)
    assert.deepEqual(titlesIn(await byAnn.get(issues)), ['Broken'])
    await app.patch(ann, '/repos/ann/one', { has_issues: false })
    assertStatus(await byAnn.get(issues), 404)
    assertStatus(await byAnn.get(`${issues}/1`), 404)
    assertStatus(await byAnn.get(`${issues}/new`), 404)
  })

  test('shows what people write as text', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, visitor } = setup
    const label = await app.post(ann, '/repos/ann/one/labels', {
      name: evil,
      color: '#00aabb',
      description: evil,
    })
    const stone = await app.post(ann, '/repos/ann/one/milestones', { title: evil })
    await addIssue(setup, ann, { title: evil, labels: [label.body.id], milestone: stone.body.id })

    for (const query of [
      '',
      `?q=${encodeURIComponent(evil)}`,
      `?labels=${encodeURIComponent(evil)}&milestone=${encodeURIComponent(evil)}`,
    ]) {
      const page = await visitor.get(`${issues}${query}`)
      assertStatus(page, 200)
      assert.equal(hasScript(page), false, query)
      assert.match(page.text, /&lt;script&gt;/)
    }
  })
})
