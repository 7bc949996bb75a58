import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { TestAnswer } from '../support/app.ts'
import { openPull } from '../collaboration/pulls/setup.ts'
import { assertStatus } from '../support/expect.ts'
import { countStatements } from '../support/statements.ts'
import { addIssue, startWithIssues, type Setup } from './issues/setup.ts'
import { startWithPulls } from './pulls/setup.ts'
import { evil, hasScript, wordsOf } from './repository/support.ts'
import { assertSessionEnded, fromElsewhere, type Visitor } from './support.ts'

const path = '/notifications'

/** Ann owns the repository, and hears of what bob writes there. */
async function startWithNews(t: TestContext, titles: readonly string[]): Promise<Setup> {
  const setup = await startWithIssues(t)
  for (const title of titles) await addIssue(setup, setup.bob, { title })
  await setup.app.ctx.jobs.runDue()
  return setup
}

async function listed(by: Visitor, status = ''): Promise<readonly string[]> {
  const { text } = await by.get(`${path}?status=${status}`)
  return Array.from(text.matchAll(/class="about"><b><a [^>]*>([^<]*)</g), ([, title = '']) => title)
}

/** The number of the bar. */
function countIn({ text }: TestAnswer): string | undefined {
  return /class="news"[^>]*>[^]*?<\/svg>(?:<b>([^<]*)<\/b>)?<\/a>/.exec(text)?.[1]
}

function idIn({ text }: TestAnswer, title: string): string {
  return (
    new RegExp(`notifications/(\\d+)/status"(?:(?!</li>)[^])*: ${title}"`).exec(text)?.[1] ?? ''
  )
}

suite('/notifications', () => {
  test('shows what is unread, with a link to what was said last, and counts it in the bar', async (t) => {
    const setup = await startWithNews(t, ['One', `Two ${evil}`])
    const { app, bob, byAnn, byBob } = setup
    const { body } = await app.post(bob, '/repos/ann/one/issues/1/comments', { body: 'more' })
    await app.ctx.jobs.runDue()

    const page = await byAnn.get(path)

    assertStatus(page, 200)
    assert.match(
      page.text,
      new RegExp(`href="/ann/one/issues/1#issuecomment-${body.id as number}"`),
    )
    assert.match(page.text, /href="\/ann\/one\/issues\/2">Two &lt;script&gt;/)
    assert.equal(hasScript(page), false)
    assert.equal(countIn(page), '2')
    assert.equal(countIn(await byAnn.get('/ann/one')), '2')
    assert.equal(countIn(await byAnn.get('/')), '2')
    assert.equal(countIn(await byBob.get('/ann/one')), undefined)
    assert.match(wordsOf(await byBob.get(path)), /There is nothing unread/)
  })

  test('marks single ones as read, unread and pinned, and leads back', async (t) => {
    const { byAnn } = await startWithNews(t, ['One', 'Two'])
    const id = idIn(await byAnn.get(path), 'One')
    const mark = (status: string) =>
      byAnn.post(`${path}/${id}/status`, { status, redirect_to: `${path}?status=unread` })

    const answer = await mark('pinned')

    assert.equal(answer.headers['location'], `${path}?status=unread`)
    assert.deepEqual(await listed(byAnn, 'pinned'), ['One'])
    assert.deepEqual(await listed(byAnn), ['Two'])
    await mark('read')
    assert.deepEqual(await listed(byAnn, 'read'), ['One'])
    assert.deepEqual(await listed(byAnn, 'pinned'), [])
    await mark('unread')
    assert.deepEqual((await listed(byAnn)).toSorted(), ['One', 'Two'])
    assertStatus(await mark('gone'), 422)
    assert.equal(countIn(await byAnn.get(path)), '2')
  })

  test('marks all as read that came before the page, and leaves what is pinned', async (t) => {
    const setup = await startWithNews(t, ['One', 'Two'])
    const { app, bob, byAnn } = setup
    const page = await byAnn.get(path)
    await byAnn.post(`${path}/${idIn(page, 'Two')}/status`, { status: 'pinned' })
    const before = /name="before" value="(\d+)"/.exec(page.text)?.[1] ?? ''
    app.passTime(10)
    await addIssue(setup, bob, { title: 'Three' })
    await app.ctx.jobs.runDue()

    const answer = await byAnn.post(`${path}/read`, { before })

    assert.equal(answer.headers['location'], path)
    assert.deepEqual(await listed(byAnn), ['Three'])
    assert.deepEqual(await listed(byAnn, 'pinned'), ['Two'])
    assert.deepEqual(await listed(byAnn, 'read'), ['One'])
  })

  test('is for whom it concerns, on this site', async (t) => {
    const { byAnn, byBob, visitor } = await startWithNews(t, ['One'])
    const id = idIn(await byAnn.get(path), 'One')
    const sent = { status: 'read' }

    assert.equal(
      (await visitor.get(path)).headers['location'],
      '/user/login?redirect_to=%2Fnotifications',
    )
    assertSessionEnded(await visitor.post(`${path}/${id}/status`, sent))
    assertStatus(await byBob.post(`${path}/${id}/status`, sent), 404)
    assertStatus(await byAnn.post(`${path}/${id}/status`, sent, fromElsewhere), 403)
    assertStatus(await byAnn.post(`${path}/read`, { before: '9999999999' }, fromElsewhere), 403)
    assertStatus(await byAnn.post(`${path}/0/status`, sent), 404)
    assert.deepEqual(await listed(byAnn), ['One'])
    const led = await byAnn.post(`${path}/${id}/status`, { ...sent, redirect_to: '//evil.example' })
    assert.equal(led.headers['location'], '/')
  })

  test('forgets what is unread of an issue whose page is opened, and of no other', async (t) => {
    const setup = await startWithNews(t, ['One', 'Two', 'Three'])
    const { byAnn, byBob, visitor } = setup
    await byAnn.post(`${path}/${idIn(await byAnn.get(path), 'Two')}/status`, { status: 'pinned' })
    await byBob.get('/ann/one/issues/1')
    await visitor.get('/ann/one/issues/1')
    await byAnn.get('/ann/one/issues')
    assert.deepEqual((await listed(byAnn)).toSorted(), ['One', 'Three'])

    const page = await byAnn.get('/ann/one/issues/1')
    await byAnn.get('/ann/one/issues/2')

    assert.equal(countIn(page), '1')
    assert.deepEqual(await listed(byAnn, 'read'), ['One'])
    assert.deepEqual(await listed(byAnn, 'pinned'), ['Two'])
    assert.deepEqual(await listed(byAnn), ['Three'])
    const again = await setup.app.post(setup.bob, '/repos/ann/one/issues/1/comments', { body: 'x' })
    assertStatus(again, 201)
    await setup.app.ctx.jobs.runDue()
    assert.deepEqual((await listed(byAnn)).toSorted(), ['One', 'Three'])
  })

  test('forgets what is unread of a pull request whose page is opened', async (t) => {
    const setup = await startWithPulls(t)
    const { app, bob, byAnn, byBob } = setup
    await openPull(setup, { title: 'The work' })
    await app.post(bob, '/repos/ann/one/issues/1/comments', { body: 'seen' })
    await app.ctx.jobs.runDue()
    assert.deepEqual(await listed(byAnn), ['The work'])

    await byBob.get('/ann/one/pulls/1')
    assert.deepEqual(await listed(byAnn), ['The work'])
    const page = await byAnn.get('/ann/one/pulls/1')

    assert.equal(countIn(page), undefined)
    assert.deepEqual(await listed(byAnn), [])
    assert.deepEqual(await listed(byAnn, 'read'), ['The work'])
  })

  test('tells nothing of what somebody may not read any more', async (t) => {
    const { app, ann, bob, byBob } = await startWithNews(t, ['Secret'])
    await app.post(ann, '/repos/ann/one/issues/1/comments', { body: 'more' })
    await app.ctx.jobs.runDue()
    assert.equal(countIn(await byBob.get(path)), '1')
    assert.equal((await app.get(bob, '/notifications/new')).body.new, 1)

    await app.patch(ann, '/repos/ann/one', { private: true })

    const page = await byBob.get(path)
    assert.equal(countIn(page), undefined)
    assert.doesNotMatch(page.text, /Secret/)
  })

  test('counts up to ninety-nine', async (t) => {
    const titles = Array.from({ length: 101 }, (_, at) => `Number ${at}`)
    const { byAnn } = await startWithNews(t, titles)

    const page = await byAnn.get(path)

    assert.equal(countIn(page), '99+')
    assert.match(page.text, /\?page=2|page=2"/)
  })
})

/** What is said of why, by the title of the issue. */
async function reasonsIn(by: Visitor): Promise<Readonly<Record<string, string>>> {
  const { text } = await by.get(path)
  const entries = text.matchAll(
    /class="about"><b><a [^>]*>([^<]*)<[^]*?<\/time>(?: · ([^<]*))?<\/p>/g,
  )
  return Object.fromEntries(Array.from(entries, ([, title, reason = '']) => [title, reason]))
}

suite('/notifications: why', () => {
  test('is said of each, and what one is asked for before what one chose', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, bob, byBob } = setup
    const issues = '/repos/ann/one/issues'
    await app.put(ann, '/repos/ann/one/collaborators/bob', { permission: 'write' })
    await app.delete(bob, '/repos/ann/one/subscription')
    await addIssue(setup, bob, { title: 'Written' })
    await addIssue(setup, ann, { title: 'Given', assignees: ['bob'] })
    await addIssue(setup, ann, { title: 'Named', body: 'What does @bob say?' })
    const joined = await addIssue(setup, ann, { title: 'Joined' })
    await app.post(bob, `${issues}/${joined}/comments`, { body: 'I do' })
    const wanted = await addIssue(setup, ann, { title: 'Wanted' })
    await app.put(bob, `${issues}/${wanted}/subscriptions/bob`)
    for (const number of [1, 2, 3, 4, 5]) {
      assertStatus(await app.post(ann, `${issues}/${number}/comments`, { body: 'more' }), 201)
    }
    await app.ctx.jobs.runDue()
    const few = {
      Written: 'you wrote it',
      Given: 'you are assigned',
      Named: 'you are mentioned',
      Joined: 'you take part',
      Wanted: 'you subscribed',
    }
    assert.deepEqual(await reasonsIn(byBob), few)

    await app.put(bob, '/repos/ann/one/subscription')
    await addIssue(setup, ann, { title: 'Watched' })
    await app.ctx.jobs.runDue()

    assert.deepEqual(await reasonsIn(byBob), { ...few, Watched: 'you watch the repository' })
    await app.delete(bob, '/repos/ann/one/subscription')
    assert.deepEqual(await reasonsIn(byBob), { ...few, Watched: '' })
  })

  test('is a review that somebody, or a team of theirs, is asked for', async (t) => {
    const { app, ann, bob, byBob } = await startWithIssues(t)
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'two', auto_init: true })
    const team = { name: 'crew', permission: 'write', includes_all_repositories: true }
    const { body } = await app.post(ann, '/orgs/acme/teams', team)
    await app.put(ann, `/teams/${body.id}/members/bob`)
    const repo = '/repos/acme/two'
    for (const name of ['own', 'shared']) {
      const file = { content: Buffer.from(name).toString('base64'), new_branch: name }
      assertStatus(await app.post(ann, `${repo}/contents/${name}`, file), 201)
      const pull = { title: name, head: name, base: 'main' }
      assertStatus(await app.post(ann, `${repo}/pulls`, pull), 201)
    }
    const ask = (number: number, whom: object) =>
      app.post(ann, `${repo}/pulls/${number}/requested_reviewers`, whom)
    assertStatus(await ask(1, { reviewers: ['bob'] }), 201)
    assertStatus(await ask(2, { team_reviewers: ['crew'] }), 201)
    await app.ctx.jobs.runDue()

    assert.deepEqual(await reasonsIn(byBob), {
      own: 'your review is asked for',
      shared: 'a review by your team is asked for',
    })
    const review = { event: 'APPROVED', body: 'good' }
    assertStatus(await app.post(bob, `${repo}/pulls/1/reviews`, review), 200)
    assert.equal((await reasonsIn(byBob))['own'], 'you take part')
  })

  test('takes one statement more, whatever the number of news', async (t) => {
    const setup = await startWithNews(t, ['One'])
    const { app, bob, byAnn } = setup
    const countFor = countStatements(t, app)
    const count = () => countFor(async () => void (await byAnn.get(path)))
    await count()
    const one = await count()
    for (const title of ['Two', 'Three', 'Four']) await addIssue(setup, bob, { title })
    await app.ctx.jobs.runDue()

    await count()
    assert.equal(await count(), one)
    assert.equal(Object.keys(await reasonsIn(byAnn)).length, 4)
  })
})
