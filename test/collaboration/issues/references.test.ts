import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { addBranch, openPull } from '../pulls/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../../web/repository/support.ts'
import { signIn, Visitor } from '../../web/support.ts'
import { issues, repo, withTracker, type Tracker } from './setup.ts'

type Entry = { type: string; ref_issue: { html_url: string } | null; user: { login: string } }

/** Who refers to an issue of ann/r, and from where, as somebody sees it. */
async function refsOf(
  { app }: Tracker,
  who: Tracker['ann'] | undefined,
  number = 1,
): Promise<readonly string[]> {
  const { body } = await app.get(who, `${issues}/${number}/timeline`)
  return (body as Entry[])
    .filter(({ ref_issue }) => ref_issue !== null)
    .map(({ type, ref_issue, user }) => {
      const from = ref_issue?.html_url.replace('http://codestead.test/', '')
      return `${type} ${from} ${user.login}`
    })
}

suite('references between issues', () => {
  test('are told by what is named, once, whatever names it', async (t) => {
    const tracker = await withTracker(t, { auto_init: true })
    const { app, ann, bob, open } = tracker
    await open(ann, { title: 'one' })
    await open(bob, { title: 'see #1', body: 'and ann/r#1, Ann/R#1, #1' })
    await open(bob, { title: 'three', body: '`#1` x#1 ann#1 #1a ab/r#1 #0 #99\n\n```\n#1\n```' })
    assert.deepEqual(await refsOf(tracker, bob), ['issue_ref ann/r/issues/2 bob'])

    assertStatus(await app.post(ann, `${issues}/2/comments`, { body: '#1 again' }), 201)
    const said = await app.post(ann, `${issues}/3/comments`, { body: 'nothing' })
    assert.deepEqual(await refsOf(tracker, bob), ['issue_ref ann/r/issues/2 bob'])
    assertStatus(
      await app.patch(ann, `${issues}/comments/${said.body.id}`, { body: 'like #1, #3' }),
      200,
    )
    const setup = { app, ann, bob, path: repo }
    await addBranch(setup, 'topic', { a: 'a' })
    const pull = await openPull(setup, { body: 'none' })
    assertStatus(await app.patch(ann, `${repo}/pulls/${pull.number}`, { body: 'for #1' }), 201)
    await app.patch(bob, `${issues}/2`, { body: '#1 #3' })

    assert.deepEqual(await refsOf(tracker, undefined), [
      'issue_ref ann/r/issues/2 bob',
      'comment_ref ann/r/issues/3 ann',
      'pull_ref ann/r/pulls/4 ann',
    ])
    assert.deepEqual(await refsOf(tracker, undefined, 3), ['issue_ref ann/r/issues/2 bob'])
    const { body: record } = await app.get(ann, `${issues}/1`)
    assert.equal(record.comments, 0)
    assert.equal(record.updated_at, record.created_at)
    assertStatus(await app.delete(ann, `${issues}/2`), 204)
    assert.equal((await refsOf(tracker, undefined)).length, 2)
  })

  test('are told of a review once it is handed in, with what it says of lines and what is answered', async (t) => {
    const tracker = await withTracker(t, { auto_init: true })
    const { app, ann, bob, open } = tracker
    for (const title of ['one', 'two', 'three', 'four', 'five']) await open(ann, { title })
    await addBranch({ app, ann, bob, path: repo }, 'topic', { a: 'a' })
    const pull = `${repo}/pulls/${(await openPull({ app, ann, bob, path: repo })).number}`
    const ofPull = 'pull_ref ann/r/pulls/6 bob'
    const all = async () =>
      (await Promise.all([1, 2, 3, 4, 5].map((number) => refsOf(tracker, bob, number)))).flat()

    const line = { path: 'a', new_position: 1, body: 'as in #2' }
    const begun = await app.post(bob, `${pull}/reviews`, { body: 'see #1', comments: [line] })
    assertStatus(begun, 200)
    const review = `${pull}/reviews/${begun.body.id}`
    const byBob = await signIn(app, 'bob')
    const page = pull.replace('/repos', '')
    const edit = (id: number, body: string) => byBob.post(`${page}/comments/${id}`, { body })
    const [said] = (await app.get(bob, `${review}/comments`)).body
    assertStatus(await edit(said.id, 'as in #2, of course'), 303)
    assert.deepEqual(await all(), [])
    const submitted = await app.post(bob, review, { event: 'COMMENT', body: 'see #3, #3' })
    assertStatus(submitted, 200)
    assert.deepEqual(await all(), [ofPull, ofPull])
    const answered = await app.post(bob, `${pull}/comments/${said.id}/replies`, { body: '#2, #4' })
    assertStatus(answered, 201)
    assertStatus(await edit(said.id, 'as in #5'), 303)

    const told = [1, 2, 3, 4, 5].map((number) => refsOf(tracker, undefined, number))
    assert.deepEqual(await Promise.all(told), [[], [ofPull], [ofPull], [ofPull], [ofPull]])
  })

  test('are seen by those who read where they come from, and made by those who read where they lead', async (t) => {
    const tracker = await withTracker(t)
    const { app, ann, bob, cat, open } = tracker
    await open(ann, { title: 'one' })
    assertStatus(await app.post(bob, '/user/repos', { name: 'own', private: true }), 201)
    assertStatus(await app.post(bob, '/user/repos', { name: 'shown' }), 201)
    await open(bob, { title: 'secret', body: 'ann/r#1' }, '/repos/bob/own/issues')
    await open(bob, { title: 'plain', body: 'ann/r#1' }, '/repos/bob/shown/issues')
    const shown = 'issue_ref bob/shown/issues/1 bob'
    assert.deepEqual(await refsOf(tracker, bob), ['issue_ref bob/own/issues/1 bob', shown])
    for (const who of [ann, cat, undefined]) assert.deepEqual(await refsOf(tracker, who), [shown])
    const page = await app.get(ann, `${issues}/1/timeline?limit=1&page=1`)
    assert.equal(page.body[0].ref_issue.repository.name, 'shown')

    await open(ann, { title: 'x', body: 'bob/own#1' })
    const secret = await app.get(bob, '/repos/bob/own/issues/1/timeline')
    assert.deepEqual(secret.body, [])
    await app.put(bob, '/user/blocks/ann')
    await open(ann, { title: 'y', body: 'bob/shown#1' })
    assert.deepEqual((await app.get(bob, '/repos/bob/shown/issues/1/timeline')).body, [])
    await app.delete(bob, '/user/blocks/ann')
    await app.patch(bob, '/repos/bob/shown', { archived: true })
    await open(ann, { title: 'z', body: 'bob/shown#1' })
    assert.deepEqual((await app.get(bob, '/repos/bob/shown/issues/1/timeline')).body, [])
  })

  test('are links on the page of the issue', async (t) => {
    const tracker = await withTracker(t)
    const { app, ann, bob, open } = tracker
    await open(ann, { title: 'one' })
    await open(ann, { title: `two ${evil}` })
    const { body } = await app.post(ann, `${issues}/2/comments`, { body: 'as #1' })
    assertStatus(await app.post(bob, '/user/repos', { name: 'own', private: true }), 201)
    await open(bob, { title: 'far', body: 'ann/r#1' }, '/repos/bob/own/issues')

    const page = await new Visitor(app).get('/ann/r/issues/1')
    const byBob = await (await signIn(app, 'bob')).get('/ann/r/issues/1')

    assert.equal(hasScript(page), false)
    assert.match(wordsOf(page), /ann mentioned this in two .* #2/s)
    assert.match(page.text, new RegExp(`href="/ann/r/issues/2#issuecomment-${body.id}"`))
    assert.doesNotMatch(page.text, /far|bob/)
    assert.match(wordsOf(byBob), /bob mentioned this in far bob\/own#1/)
  })
})
