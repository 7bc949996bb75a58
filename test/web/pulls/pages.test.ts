// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { makePrivate } from '../../code/commits/setup.ts'
import { addBranch, openPull } from '../../collaboration/pulls/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { pulls, startWithPulls } from './setup.ts'

suite('GET /{owner}/{repo}/pulls', () => {
  test('lists pull requests and no issues, as the tab counts them', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, visitor } = setup
    const empty = await visitor.get(pulls)
    assert.match(empty.text, /There is no open pull request[^]*href="\/ann\/one\/compare"/)
    await app.post(ann, `${path}/issues`, { title: 'An issue' })
    await openPull(setup, { title: 'The work' })
    await addBranch(setup, 'other', { 'b.txt': 'b\n' })
    await openPull(setup, { title: 'WIP: later', head: 'other' })
    await addBranch(setup, 'third', { 'c.txt': 'c\n' })
    await openPull(setup, { title: 'Over', head: 'third' })
    await app.post(ann, `${path}/pulls/4/merge`, { do: 'merge' })

    const open = await visitor.get(pulls)
    const closed = await visitor.get(`${pulls}?state=closed`)

    assert.match(
      open.text,
      /href="\/ann\/one\/pulls" aria-current="page"[^>]*>[^]*?<span class="n">2<\/span>/,
    )
    assert.match(wordsOf(open), /Draft WIP: later #3 opened .* Open The work #2 opened/)
    assert.doesNotMatch(open.text, /An issue|>Over</)
    assert.match(wordsOf(closed), /Merged Over #4/)
    assert.match((await visitor.get(`${pulls}?q=later`)).text, /WIP: later/)
    assert.doesNotMatch((await visitor.get(`${pulls}?q=later`)).text, />The work</)
    assert.doesNotMatch((await visitor.get('/ann/one/issues')).text, />The work</)
  })

  test('is missing where there are no pull requests for the viewer, with its tab', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, byAnn, byBob, visitor } = setup
    await openPull(setup)
    const all = [pulls, `${pulls}/1`, `${pulls}/1/commits`, `${pulls}/1/files`]

    for (const page of all) assertStatus(await visitor.get(page), 200)
    await makePrivate(setup)
    for (const page of all) assertStatus(await visitor.get(page), 404)
    for (const page of all) assertStatus(await byBob.get(page), 404)
    for (const page of all) assertStatus(await byAnn.get(page), 200)
    await app.patch(ann, path, { has_pull_requests: false })
    for (const page of all) assertStatus(await byAnn.get(page), 404)
    assert.doesNotMatch((await byAnn.get('/ann/one')).text, /Pull requests/)
  })
})

suite('GET /{owner}/{repo}/pulls/{index}', () => {
  test('tells of the branches, what is said, the commits and the files', async (t) => {
    const setup = await startWithPulls(t)
    const { app, bob, path, visitor } = setup
    await openPull(setup, { title: 'The work', body: 'It **works**' })
    await app.post(bob, `${path}/issues/1/comments`, { body: 'I see' })

    const page = await visitor.get(`${pulls}/1`)
    const commits = await visitor.get(`${pulls}/1/commits`)
    const files = await visitor.get(`${pulls}/1/files`)

    assert.match(page.text, /<title>The work #1 · ann\/one · Codestead<\/title>/)
    assert.match(wordsOf(page), /Open ann wants to have topic in main · opened just now/)
    assert.match(page.text, /<strong>works<\/strong>[^]*I see/)
    assert.match(wordsOf(page), /It can be merged\./)
    assert.match(wordsOf(page), /Conversation 1 Commits Files 1 1 added and 0 removed lines/)
    assert.match(commits.text, /work on topic/)
    assert.match(files.text, /aria-label="a\.txt"[^]*<tr class="added">/)
    assert.doesNotMatch(files.text + page.text, /<form method="post"|<textarea/)
    for (const index of ['2', '0', 'x', '99999999999999999999'])
      assertStatus(await visitor.get(`${pulls}/${index}`), 404)
  })

  test('is where issues lead that are pull requests, and the other way round', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, visitor } = setup
    await openPull(setup)
    await app.post(ann, `${path}/issues`, { title: 'An issue' })

    const toPull = await visitor.get('/ann/one/issues/1')
    const toIssue = await visitor.get(`${pulls}/2`)

    assert.deepEqual([toPull.status, toPull.headers['location']], [303, `${pulls}/1`])
    assert.deepEqual([toIssue.status, toIssue.headers['location']], [303, '/ann/one/issues/2'])
    assertStatus(await visitor.get(`${pulls}/2/files`), 303)
    const diff = await visitor.get(`${pulls}/1.diff`)
    assert.match(diff.text, /^diff --git/)
  })

  test('shows what people write as text', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, bob, path, byAnn } = setup
    await addBranch(setup, 'odd', { '<script>alert("x")<.txt': `${evil}\n` })
    const { head } = await openPull(setup, { title: evil, body: evil, head: 'odd' })
    const said = await app.post(bob, `${path}/pulls/1/reviews`, {
      event: 'COMMENT',
      body: evil,
      comments: [{ path: '<script>alert("x")<.txt', new_position: 1, body: evil }],
    })
    assertStatus(said, 200)
    const status = { state: 'pending', context: evil }
    assertStatus(await app.post(ann, `${path}/statuses/${head.sha}`, status), 201)

    for (const page of ['', '/commits', '/files']) {
      const answer = await byAnn.get(`${pulls}/1${page}`)
      assertStatus(answer, 200)
      assert.equal(hasScript(answer), false, page)
      assert.match(answer.text, /&lt;script&gt;/)
    }
  })

  test('tells what happened to it', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, visitor } = setup
    await openPull(setup)
    await app.post(ann, `${path}/contents/more.txt`, {
      content: 'bQ==',
      branch: 'topic',
      message: 'more',
    })
    await app.patch(ann, `${path}/pulls/1`, { state: 'closed' })
    await app.patch(ann, `${path}/pulls/1`, { state: 'open' })
    await app.post(ann, `${path}/pulls/1/merge`, { do: 'merge', delete_branch_after_merge: true })

    const words = wordsOf(await visitor.get(`${pulls}/1`))

    assert.match(
      words,
      /ann pushed 1 commit, up to [0-9a-f]{10} .* ann closed this .* ann reopened this/,
    )
    assert.match(words, /ann merged this just now/)
    assert.match(words, /ann deleted the branch topic/)
    assert.match(words, /ann merged this as [0-9a-f]{10}/)
  })

  test('is talked about and triaged as issues are', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, byAnn, byBob } = setup
    await openPull(setup)
    const issue = '/ann/one/issues/1'
    const record = async () => (await app.get(ann, `${path}/pulls/1`)).body

    const said = await byBob.post(`${issue}/comments`, { body: 'Nice', action: 'comment' })
    assert.match(said.headers['location'] ?? '', /^\/ann\/one\/pulls\/1#issuecomment-/)
    const empty = await byBob.post(`${issue}/comments`, { body: ' ' })
    assertStatus(empty, 422)
    assert.match(empty.text, /Write something first\./)
    assert.match(empty.text, /aria-label="Pull request"/)
    assert.match((await byAnn.get(`${pulls}/1`)).text, /value="close">Close pull request/)
    assertStatus(await byAnn.post(`${issue}/title`, { title: 'Renamed' }), 303)
    assertStatus(await byAnn.post(`${issue}/assignees`, { assignee: 'ann' }), 303)
    assertStatus(await byAnn.post(`${issue}/comments`, { action: 'close' }), 303)
    assert.partialDeepStrictEqual(await record(), {
      title: 'Renamed',
      state: 'closed',
      assignee: { login: 'ann' },
    })
    assertStatus(await byBob.post(`${issue}/comments`, { action: 'reopen' }), 403)
    assert.equal((await record()).state, 'closed')
  })
})
