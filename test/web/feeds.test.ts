import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { startApp, type TestCaller } from '../support/app.ts'
import { assertStatus } from '../support/expect.ts'
import { countStatements } from '../support/statements.ts'
import { evil, hasScript, wordsOf } from './repository/support.ts'
import { signIn, Visitor } from './support.ts'

async function withPeople(t: TestContext) {
  const app = await startApp(t)
  const [ann, bob, cleo] = [
    await app.addCaller('ann'),
    await app.addCaller('bob'),
    await app.addCaller('cleo'),
  ]
  const create = (by: TestCaller, name: string, more = {}) =>
    app.post(by, '/user/repos', { name, ...more })
  return { app, ann, bob, cleo, create, byAnn: await signIn(app, 'ann'), visitor: new Visitor(app) }
}

/** What the start page tells of others. */
async function toldTo(visitor: Visitor, address = '/?feed=others'): Promise<string> {
  const page = await visitor.get(address)
  assertStatus(page, 200)
  return wordsOf({ ...page, text: /<aside[^]*<\/aside>/.exec(page.text)?.[0] ?? '' })
}

suite('GET /?feed=others', () => {
  test('tells what those do whom one follows, where everybody may know it', async (t) => {
    const { app, ann, bob, cleo, create, byAnn } = await withPeople(t)
    await create(bob, 'open')
    await create(bob, 'closed', { private: true })
    await create(cleo, 'other')
    assert.match(await toldTo(byAnn), /You Others What people do whom you follow/)
    await app.put(ann, '/user/following/bob')
    await app.put(bob, '/repos/bob/closed/collaborators/ann', { permission: 'read' })
    await app.delete(ann, '/repos/bob/closed/subscription')

    const told = await toldTo(byAnn)

    assert.match(told, /bob created the repository · bob\/open/)
    assert.doesNotMatch(told, /closed|other/)
    assert.doesNotMatch(await toldTo(byAnn, '/'), /bob/)
    await app.patch(bob, '/user/settings', { hide_activity: true })
    assert.doesNotMatch(await toldTo(byAnn), /bob/)
    await app.patch(bob, '/user/settings', { hide_activity: false })
    await app.patch(bob, '/repos/bob/open', { private: true })
    assert.doesNotMatch(await toldTo(byAnn), /bob/)
  })

  test('tells what others do in repositories that one has or watches, and nothing of oneself', async (t) => {
    const { app, ann, bob, cleo, create, byAnn } = await withPeople(t)
    await create(ann, 'mine', { private: true })
    await create(cleo, 'watched')
    await create(cleo, 'ours', { private: true })
    await app.put(ann, '/repos/ann/mine/collaborators/bob', { permission: 'write' })
    await app.delete(ann, '/repos/ann/mine/subscription')
    await app.post(bob, '/repos/ann/mine/issues', { title: `In mine ${evil}` })
    await app.put(ann, '/repos/cleo/watched/subscription')
    await app.post(bob, '/repos/cleo/watched/issues', { title: 'In watched' })
    await app.put(cleo, '/repos/cleo/ours/collaborators/ann', { permission: 'read' })
    await app.put(ann, '/repos/cleo/ours/subscription')
    await app.post(cleo, '/repos/cleo/ours/issues', { title: 'In ours' })
    await app.post(ann, '/repos/cleo/watched/issues', { title: 'By herself' })

    const told = await toldTo(byAnn)

    for (const title of ['In mine &lt;script', 'In watched', 'In ours']) {
      assert.equal(told.split(title).length, 2, title)
    }
    assert.doesNotMatch(told, /By herself/)
    assert.equal(hasScript(await byAnn.get('/?feed=others')), false)
    await app.patch(cleo, '/repos/cleo/watched', { has_issues: false })
    await app.delete(cleo, '/repos/cleo/ours/collaborators/ann')
    assert.doesNotMatch(await toldTo(byAnn), /In watched|In ours/)
  })

  test('stays while repositories are searched for, and leaves what is searched for', async (t) => {
    const { app, ann, bob, create, byAnn } = await withPeople(t)
    await create(ann, 'mine')
    await create(bob, 'theirs')
    await app.put(ann, '/user/following/bob')
    for (let number = 0; number < 21; number++) {
      await app.post(bob, '/repos/bob/theirs/issues', { title: 'x' })
    }
    const linksOf = (text: string) =>
      [...text.matchAll(/href="([^"]*)#lately"/g)].map(([, address = '']) =>
        address.replaceAll('&amp;', '&').replace(/before=[^&]+/, 'before=…'),
      )

    const { text } = await byAnn.get('/?feed=others&q=mine&sort=alpha')

    assert.match(text, /<form class="filter"[^]*name="feed" value="others"[^]*<\/form>/)
    assert.deepEqual(linksOf(text), [
      '/?q=mine&sort=alpha',
      '/?q=mine&sort=alpha&feed=others',
      '/?q=mine&sort=alpha&feed=others&before=…',
    ])
    const own = (await byAnn.get('/?q=mine')).text
    assert.doesNotMatch(own, /name="feed"/)
    assert.deepEqual(linksOf(own), ['/?q=mine', '/?q=mine&feed=others'])
    assert.deepEqual(linksOf((await byAnn.get('/')).text), ['/', '/?feed=others'])
  })

  test('goes back in time, each thing once', async (t) => {
    const { app, ann, bob, create, byAnn } = await withPeople(t)
    await create(bob, 'r')
    await app.put(ann, '/user/following/bob')
    await app.put(ann, '/repos/bob/r/subscription')
    const issues = Array.from({ length: 45 }, (_, index) => `Number ${index + 1}.`)
    for (const title of issues) await app.post(bob, '/repos/bob/r/issues', { title })
    const titles = (told: string) => told.match(/Number \d+\./g) ?? []

    const seen: string[] = []
    const sizes: number[] = []
    let address: string | undefined = '/?feed=others'
    while (address !== undefined) {
      const { text } = await byAnn.get(address)
      const lines = titles(text)
      seen.push(...lines)
      sizes.push(lines.length)
      address = /href="([^"#]+)#lately">Older</.exec(text)?.[1]?.replaceAll('&amp;', '&')
    }

    assert.deepEqual(seen, issues.toReversed())
    assert.deepEqual(sizes, [20, 20, 5])
    assertStatus(await byAnn.get('/?feed=others&before=nonsense'), 422)
  })

  test('tells the newest that may be told, however many others were heard of since', async (t) => {
    const { app, ann, bob, cleo, create, byAnn } = await withPeople(t)
    const watch = async (by: TestCaller, name: string) => {
      assertStatus(await create(by, name), 201)
      await app.put(ann, `/repos/${by.name}/${name}/subscription`)
    }
    const named = (count: number, word: string) =>
      Array.from({ length: count }, (_, index) => `${word}-${index}`)
    await app.patch(cleo, '/user/settings', { hide_activity: true })
    for (const name of named(22, 'old')) await watch(bob, name)
    app.passTime(60)
    for (const name of named(22, 'fresh')) await watch(bob, name)
    app.passTime(60)
    for (const name of named(43, 'hidden')) await watch(cleo, name)
    for (const name of named(22, 'old'))
      await app.post(cleo, `/repos/bob/${name}/issues`, { title: 'hidden' })

    const told = await toldTo(byAnn)

    assert.equal(told.match(/bob\/fresh/g)?.length, 20)
    assert.doesNotMatch(told, /old|hidden/)
    const { text } = await byAnn.get('/?feed=others')
    const older = /href="([^"#]+)#lately">Older</.exec(text)?.[1]?.replaceAll('&amp;', '&')
    const before = await toldTo(byAnn, older)
    assert.deepEqual(before.match(/bob\/(?:fresh|old)-\d+/g)?.slice(0, 3), [
      'bob/fresh-1',
      'bob/fresh-0',
      'bob/old-21',
    ])
  })

  test('takes as many statements however many are followed and watched', async (t) => {
    const { app, ann, bob, cleo, create, byAnn } = await withPeople(t)
    // One repository alone would be remembered.
    for (const name of ['a', 'b']) await create(bob, name)
    await app.put(ann, '/user/following/bob')
    const counting = countStatements(t, app)
    const look = () => counting(async () => void (await byAnn.get('/?feed=others')))
    await look()
    const few = await look()

    for (const name of ['c', 'd', 'e']) {
      await create(cleo, name)
      await app.put(ann, `/repos/cleo/${name}/subscription`)
      await app.post(bob, `/repos/cleo/${name}/issues`, { title: 'x' })
    }
    await app.put(ann, '/user/following/cleo')

    assert.equal(await look(), few)
  })
})

suite('GET /{owner}?tab=activity', () => {
  test('tells what somebody did, as far as the viewer may know', async (t) => {
    const { app, bob, cleo, create, byAnn, visitor } = await withPeople(t)
    await create(bob, 'open', { auto_init: true })
    await create(bob, 'closed', { private: true })
    await app.post(cleo, '/repos/bob/open/issues', { title: evil })

    const page = await visitor.get('/bob?tab=activity')

    assertStatus(page, 200)
    assert.match(page.text, /<title>Activity · bob/)
    assert.match(page.text, /href="\/bob\?tab=activity" aria-current="page">Activity/)
    assert.match(wordsOf(page), /bob created the repository · bob\/open/)
    assert.doesNotMatch(page.text, /closed/)
    const byCleo = await visitor.get('/cleo?tab=activity')
    assert.match(wordsOf(byCleo), /cleo opened the issue #1 · bob\/open/)
    assert.equal(hasScript(byCleo), false)
    assert.match((await (await signIn(app, 'bob')).get('/bob?tab=activity')).text, /closed/)
    assert.match(wordsOf(await byAnn.get('/ann?tab=activity')), /There is no activity to see/)
    await app.patch(bob, '/user/settings', { hide_activity: true })
    for (const by of [visitor, byAnn]) {
      const hidden = await by.get('/bob?tab=activity')
      assert.match(wordsOf(hidden), /There is no activity to see/)
      assert.doesNotMatch(hidden.text, /created the repository/)
    }
  })

  test('goes page by page, and is led to from the start', async (t) => {
    const { app, ann, create, byAnn } = await withPeople(t)
    await create(ann, 'r')
    assert.doesNotMatch((await byAnn.get('/')).text, />All</)
    for (let number = 1; number <= 31; number++)
      await app.post(ann, '/repos/ann/r/issues', { title: `Number ${number}.` })

    const first = await byAnn.get('/ann?tab=activity')
    const second = await byAnn.get('/ann?tab=activity&page=2')

    assert.match(first.text, /Number 31\./)
    assert.doesNotMatch(first.text, /Number 1\./)
    assert.match(first.text, /href="\/ann\?tab=activity&amp;page=2">Next|tab=activity&page=2/)
    assert.match(second.text, /Number 1\.[^]*created the repository/)
    assert.match((await byAnn.get('/')).text, /href="\/ann\?tab=activity">All</)
  })

  test('tells of an organization what happened in its repositories', async (t) => {
    const { app, ann, bob, visitor } = await withPeople(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'tool' })
    await app.post(bob, '/repos/acme/tool/issues', { title: 'Broken' })

    const page = await visitor.get('/acme?tab=activity')

    assert.match(wordsOf(page), /bob opened the issue #1 · acme\/tool Broken/)
  })
})
