import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ordersIn } from '../../../src/collaboration/issues/closing-words.ts'
import { base64, commit, startWithRepository, type Setup } from '../../code/commits/setup.ts'
import { startGitHost } from '../../platform/git/support.ts'
import { addBranch, addCollaborator, openPull } from '../pulls/setup.ts'
import type { TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { wordsOf } from '../../web/repository/support.ts'
import { signIn } from '../../web/support.ts'

async function addIssues({ app, ann, path }: Setup, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    assertStatus(await app.post(ann, `${path}/issues`, { title: `issue ${number}` }), 201)
  }
}

/** The numbers of those that are closed, when all jobs are done. */
async function closedIn({ app, ann, path }: Setup): Promise<readonly number[]> {
  await app.ctx.jobs.runDue()
  const { body } = await app.get(ann, `${path}/issues?state=closed&type=issues&limit=50`)
  return (body as { number: number }[]).map(({ number }) => number).toSorted((a, b) => a - b)
}

async function write(
  { app, path }: Setup,
  who: TestCaller,
  message: string,
  file: string,
): Promise<void> {
  const sent = { content: base64(file), message }
  assertStatus(await app.post(who, `${path}/contents/${file}`, sent), 201)
}

suite('words that close issues', () => {
  test('are those of a commit, wherever it stands, and nothing that looks alike', () => {
    const orders = (text: string) =>
      ordersIn(text, 'ann/one').map(({ number, isClosed }) => (isClosed ? number : -number))
    const words = ['close', 'Closes', 'CLOSED', 'fix', 'fixes', 'fixed', 'resolve', 'resolves']
    for (const word of [...words, 'resolved']) assert.deepEqual(orders(`a\n\n${word} #7.`), [7])
    for (const word of ['reopen', 'Reopens', 'reopened'])
      assert.deepEqual(orders(`${word} #7`), [-7])
    assert.deepEqual(orders('fixes #1, fixes: #2 and closes Ann/One#3'), [1, 2, 3])
    assert.deepEqual(orders('fixes #1, then reopens #1'), [-1])
    for (const other of [
      '#1',
      'see #1',
      'prefixes #1',
      'fixes#1',
      'fixes #0',
      'fixes #1a',
      'fixes bob/one#1',
      'fixes issue 1',
      'fixing #1',
      '`fixes #1`',
      '```\nfixes #1\n```',
      '~~~ text\nfixes #1',
      'https://example.org/fixes #1',
    ]) {
      assert.deepEqual(orders(other), [], other)
    }
    assert.deepEqual(orders('```\nfixes #1\n```\nfixes #2'), [2])
    assert.equal(
      orders(Array.from({ length: 999 }, (_, at) => `fix #${at + 1}`).join()).length,
      100,
    )
  })

  test('are obeyed on the default branch, by those who could do it by hand', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    await addIssues(setup, 4)
    assertStatus(await app.post(bob, `${path}/issues`, { title: 'of bob' }), 201)
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'tool', auto_init: true })
    const org = { ...setup, path: '/repos/acme/tool' }
    await addIssues(org, 1)
    const coders = await app.post(ann, '/orgs/acme/teams', {
      name: 'coders',
      permission: 'write',
      units_map: { 'repo.code': 'write', 'repo.issues': 'read' },
    })
    await app.put(ann, `/teams/${coders.body.id}/members/bob`)
    await app.put(ann, `/teams/${coders.body.id}/repos/acme/tool`)
    assertStatus(await app.post(bob, `${org.path}/issues`, { title: 'own' }), 201)

    const sha = await commit(setup, { a: 'a' }, { message: 'Mend it\n\nFixes #1, closes #2' })
    await commit(setup, { b: 'b' }, { message: 'fixes #3', new_branch: 'topic' })
    assert.deepEqual(await closedIn(setup), [1, 2])
    await write(org, bob, 'fixes #1, fixes #2', 'x')
    assert.deepEqual(await closedIn(org), [2])

    const timeline = await app.get(ann, `${path}/issues/1/timeline`)
    const [closing] = timeline.body as { type: string; ref_commit_sha: string }[]
    assert.partialDeepStrictEqual(closing, { type: 'close', ref_commit_sha: sha })
    const page = wordsOf(await (await signIn(app, 'ann')).get('/ann/one/issues/1'))
    assert.match(page, new RegExp(`ann closed this with ${sha.slice(0, 10)}`))
    const feed = await app.get(ann, `${path}/activities/feeds?limit=3`)
    assert.equal(
      feed.body.filter((one: { op_type: string }) => one.op_type === 'close_issue').length,
      2,
    )

    await commit(setup, { c: 'c' }, { message: 'reopens #2; fixes #9' })
    assert.deepEqual(await closedIn(setup), [1])
    await app.patch(ann, path, { has_issues: false })
    await commit(setup, { d: 'd' }, { message: 'fixes #3' })
    await app.ctx.jobs.runDue()
    await app.patch(ann, path, { has_issues: true })
    assert.deepEqual(await closedIn(setup), [1])
  })

  test('wait for what an issue depends on, and leave pull requests alone', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await addIssues(setup, 2)
    const awaited = { owner: 'ann', repo: 'one', index: 2 }
    assertStatus(await app.post(ann, `${path}/issues/1/dependencies`, awaited), 201)
    await addBranch(setup, 'topic', { a: 'a' })
    await openPull(setup)

    await commit(setup, { b: 'b' }, { message: 'fixes #1, fixes #3' })

    assert.deepEqual(await closedIn(setup), [])
    assert.equal((await app.get(ann, `${path}/pulls/3`)).body.state, 'open')
    await commit(setup, { c: 'c' }, { message: 'fixes #2' })
    await commit(setup, { d: 'd' }, { message: 'fixes #1' })
    assert.deepEqual(await closedIn(setup), [1, 2])
  })

  test('are obeyed when a pull request is merged into the default branch', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    await addCollaborator(setup, bob, 'write')
    await addIssues(setup, 3)
    await addBranch(setup, 'other', { x: 'x' })
    for (const [at, base] of ['main', 'other'].entries()) {
      await addBranch(setup, `topic-${at}`, { [`f${at}`]: 'f' })
      const body = `Resolves #${at + 2}`
      const { number } = await openPull(setup, { title: 'Work', head: `topic-${at}`, base, body })
      assert.deepEqual((await closedIn(setup)).includes(at + 2), false)
      const merge = await app.post(bob, `${path}/pulls/${number as number}/merge`, { Do: 'merge' })
      assertStatus(merge, 200)
    }

    assert.deepEqual(await closedIn(setup), [2])
    const page = wordsOf(await (await signIn(app, 'ann')).get('/ann/one/issues/2'))
    assert.match(page, /bob closed this by merging #4/)
    const { body: timeline } = await app.get(ann, `${path}/issues/2/timeline`)
    assert.deepEqual(
      (timeline as { type: string; user: { login: string } }[]).map(({ type, user }) => [
        type,
        user.login,
      ]),
      [
        ['pull_ref', 'ann'],
        ['close', 'bob'],
      ],
    )
  })

  test('are all obeyed of a push of many commits, and once', async (t) => {
    const host = await startGitHost(t)
    const { app, client } = host
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const setup = { app, ann, bob: ann, path: '/repos/ann/one' }
    await addIssues(setup, 13)
    const work = await client.makeRepository()
    await client.git(['remote', 'add', 'origin', host.urlFor('ann', 'ann/one.git')], work)
    await client.git(['push', '--quiet', 'origin', 'main'], work)
    for (let number = 1; number <= 12; number++) await client.commit(work, `fixes #${number}`)
    await client.commit(work, 'reopens #5')

    await client.git(['push', '--quiet', 'origin', 'main'], work)

    assert.deepEqual(await closedIn(setup), [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12])
    await client.commit(work, 'fixes #13')
    for (const message of ['a', 'b', 'c', 'd', 'e', 'f']) await client.commit(work, message)
    await client.git(['push', '--quiet', 'origin', 'main'], work)
    assert.ok((await closedIn(setup)).includes(13))
    await app.patch(ann, '/repos/ann/one/issues/1', { state: 'open' })
    for (let hundred = 10; hundred < 15; hundred++) {
      const orders = Array.from({ length: 100 }, (_, at) => `fix #${hundred * 100 + at}`)
      await client.commit(work, orders.join('\n'))
    }
    await client.commit(work, 'fixes #1, which is one too many')
    await client.git(['push', '--quiet', 'origin', 'main'], work)
    assert.equal((await closedIn(setup)).includes(1), false)
    await client.git(['push', '--quiet', 'origin', 'main:again'], work)
    await client.git(['push', '--quiet', '--force', 'origin', 'HEAD~26:main'], work)
    assert.equal((await closedIn(setup)).length, 11)
  })
})

suite('commits that name issues', () => {
  test('are told of by these, once each, and by those that they close', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    await addIssues(setup, 3)
    const told = async (number: number) => {
      await app.ctx.jobs.runDue()
      const { body } = await app.get(ann, `${path}/issues/${number}/timeline`)
      const entries = body as { type: string; body: string; ref_commit_sha: string }[]
      return entries.map((one) => [one.type, one.body, one.ref_commit_sha])
    }
    const first = await commit(setup, { a: 'a' }, { message: 'See #1 and #2\n\nalso #1, fixes #2' })
    assert.deepEqual(await told(1), [['commit_ref', 'See #1 and #2', first]])
    assert.deepEqual(await told(2), [['close', '', first]])
    const second = await commit(
      setup,
      { b: 'b' },
      { message: 'more for Ann/One#1, `#3`, x/y#3, #99' },
    )
    assert.deepEqual(
      (await told(1)).map(([, , sha]) => sha),
      [first, second],
    )
    assert.deepEqual(await told(3), [])
    await commit(setup, { c: 'c' }, { message: 'topic of #3', new_branch: 'topic' })
    assert.deepEqual(await told(3), [])

    // The same commits come again: of them nothing is new.
    const job = { repositoryId: (await app.get(ann, path)).body.id, actorId: ann.id }
    const pushed = { ref: 'refs/heads/main', before: first, after: second }
    await app.ctx.jobs.enqueue(app.ctx.db, 'obey_words', { ...job, pushed })
    assert.equal((await told(1)).length, 2)

    // Who may write code, but not close what is not theirs, names it all the same.
    await app.put(ann, `${path}/collaborators/bob`, { permission: 'write' })
    await write(setup, bob, 'about #3', 'd')
    assert.deepEqual(
      (await told(3)).map(([type, body]) => [type, body]),
      [['commit_ref', 'about #3']],
    )
    const page = wordsOf(await (await signIn(app, 'bob')).get('/ann/one/issues/3'))
    assert.match(page, /bob named this in [0-9a-f]{7,} about #3/)
  })

  test('are told to those who read the code, and not of pull requests', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/repos', { name: 'tool', private: true, auto_init: true })
    const org = { ...setup, path: '/repos/acme/tool' }
    await addIssues(org, 1)
    const cat = await app.addCaller('cat')
    const { body } = await app.post(ann, '/orgs/acme/teams', {
      name: 'testers',
      units_map: { 'repo.issues': 'write' },
      includes_all_repositories: true,
    })
    await app.put(ann, `/teams/${body.id}/members/cat`)
    await write(org, ann, 'secret plans for #1', 'x')
    await app.ctx.jobs.runDue()
    const timeline = `${org.path}/issues/1/timeline`
    assert.equal((await app.get(ann, timeline)).body.length, 1)
    assert.deepEqual((await app.get(cat, timeline)).body, [])
    const page = await (await signIn(app, 'cat')).get('/acme/tool/issues/1')
    assert.doesNotMatch(page.text, /secret plans/)

    await addBranch(setup, 'topic', { y: 'y' })
    const { number } = await openPull(setup)
    await commit(setup, { z: 'z' }, { message: `like #${number}` })
    await app.ctx.jobs.runDue()
    const entries = (await app.get(ann, `${path}/issues/${number}/timeline`)).body
    assert.ok(entries.every(({ type }: { type: string }) => type !== 'commit_ref'))
  })
})
