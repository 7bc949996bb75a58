// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'
import { addIssue, issues, startWithIssues } from './setup.ts'

suite('GET /{owner}/{repo}/issues/{index}', () => {
  test('shows what was said and what is known', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, bob, visitor } = setup
    const label = await app.post(ann, '/repos/ann/one/labels', { name: 'bug', color: '#d73a4a' })
    const stone = await app.post(ann, '/repos/ann/one/milestones', { title: '1.0' })
    const triage = { labels: [label.body.id], milestone: stone.body.id, assignees: ['ann'] }
    const due = { due_date: '2030-05-01T00:00:00Z' }
    await addIssue(setup, ann, { title: 'Beam', body: 'It **flickers**', ...triage, ...due })
    const said = await app.post(bob, '/repos/ann/one/issues/1/comments', { body: 'I see\nit' })

    const page = await visitor.get(`${issues}/1`)

    assertStatus(page, 200)
    assert.match(page.text, /<title>Beam #1 · ann\/one · Codestead<\/title>/)
    assert.match(page.text, /<strong>flickers<\/strong>/)
    assert.match(page.text, /I see<br ?\/?>\s*it/)
    assert.ok(page.text.includes(`id="issuecomment-${said.body.id}"`))
    assert.match(wordsOf(page), /Open ann opened this just now · 1 comment/)
    assert.match(
      wordsOf(page),
      /Labels bug Assignees ann Milestone 1\.0 0 of 1 closed Due 1 May 2030/,
    )
    assert.match(
      page.text,
      /href="\/user\/login\?redirect_to=%2Fann%2Fone%2Fissues%2F1">Sign in<\/a> to write/,
    )
    assert.doesNotMatch(page.text, /<textarea|type="file"/)
    for (const index of ['2', '0', '-1', 'x', '1.5', '99999999999999999999', '%00'])
      assertStatus(await visitor.get(`${issues}/${index}`), 404)
  })

  test('shows what people write as text', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, visitor } = setup
    const hostile = `${evil} [a](javascript:alert(1)) <img src=x onerror=alert(1)>`
    await addIssue(setup, ann, { title: evil, body: hostile })
    await app.post(ann, '/repos/ann/one/issues/1/comments', { body: hostile })

    const page = await visitor.get(`${issues}/1`)

    assert.equal(hasScript(page), false)
    assert.doesNotMatch(page.text, /href="javascript|<img[^>]*onerror/i)
  })

  test('shows code in titles as code, here and where they are told', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, visitor } = setup
    await addIssue(setup, ann, { title: 'Compare `a<b` and ``' })
    await addIssue(setup, ann, { title: 'Other', body: 'see #1' })
    await app.patch(ann, '/repos/ann/one/issues/2', { title: 'Use `x` of #1' })

    const shown = 'Compare <code>a&lt;b</code> and ``'
    const page = await visitor.get(`${issues}/1`)
    assert.ok(page.text.includes(`<h2>${shown} <span>#1</span></h2>`))
    assert.match(page.text, /mentioned this in <a href="[^"]+">Use <code>x<\/code> of #1 +#2<\/a>/)
    assert.match(page.text, /<title>Compare `a&lt;b` and `` #1 /)
    assert.ok((await visitor.get(issues)).text.includes(`${shown}</a>`))
    assert.match((await visitor.get(`${issues}/2`)).text, /to <b>Use <code>x<\/code> of #1<\/b>/)
  })

  test('colours the code that people show', async (t) => {
    const setup = await startWithIssues(t)
    const { ann, app, visitor } = setup
    await addIssue(setup, ann, { body: '```json\n{"a": true}\n```' })
    await app.post(ann, '/repos/ann/one/issues/1/comments', { body: '```sh\necho "a"\n```' })

    const { text } = await visitor.get(`${issues}/1`)

    assert.match(text, /<span class="hljs-literal">/)
    assert.match(text, /<span class="hljs-built_in">echo<\/span>/)
  })

  test('shows the last of many comments first, and the others on pages before', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, visitor } = setup
    await addIssue(setup, ann)
    const issue = await app.ctx.db.selectFrom('issue').selectAll().executeTakeFirstOrThrow()
    const rows = Array.from({ length: 101 }, (_, at) => ({
      issue_id: issue.id,
      repository_id: issue.repository_id,
      author_id: ann.id,
      body: `number-${at}-`,
      lower_text: '',
      created_at: 1000 + at,
      updated_at: 1000 + at,
    }))
    await app.ctx.db.insertInto('comment').values(rows).execute()

    const last = await visitor.get(`${issues}/1`)
    const first = await visitor.get(`${issues}/1?page=1`)

    assert.match(last.text, /number-100-/)
    assert.doesNotMatch(last.text, /number-99-/)
    assert.match(first.text, /number-0-[^]*number-99-/)
    assert.doesNotMatch(first.text, /number-100-/)
    const refused = await byAnn.post(`${issues}/1/comments`, { body: '' })
    assert.match(refused.text, /rel="prev" href="\/ann\/one\/issues\/1\?page=1"/)
  })
})

suite('POST /{owner}/{repo}/issues/{index}/comments', () => {
  test('says something, and closes or reopens for those who may', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob } = setup
    await addIssue(setup, ann)
    const path = `${issues}/1/comments`
    const stateOf = async () => (await app.get(ann, '/repos/ann/one/issues/1')).body.state as string

    const said = await byBob.post(path, { body: 'one\r\ntwo', action: 'comment' })

    assertStatus(said, 303)
    assert.match(said.headers['location'] ?? '', /^\/ann\/one\/issues\/1#issuecomment-\d+$/)
    const { body } = await app.get(ann, '/repos/ann/one/issues/1/comments')
    assert.deepEqual([body[0].body, body[0].user.login], ['one\ntwo', 'bob'])
    assert.match((await byBob.get(`${issues}/1`)).text, /value="comment"/)
    assert.doesNotMatch((await byBob.get(`${issues}/1`)).text, /value="close"/)
    assertStatus(await byBob.post(path, { action: 'close' }), 403)
    assert.equal(await stateOf(), 'open')
    assertStatus(await byAnn.post(path, { body: 'Done', action: 'close' }), 303)
    assert.equal(await stateOf(), 'closed')
    assert.match((await byAnn.get(`${issues}/1`)).text, /state closed[^]*value="reopen"/)
    assertStatus(await byAnn.post(path, { action: 'reopen' }), 303)
    assert.equal(await stateOf(), 'open')
  })

  test('takes nothing from strangers, from other sites, or that says nothing', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    await addIssue(setup, ann)
    const path = `${issues}/1/comments`

    assertSessionEnded(await visitor.post(path, { body: 'x' }))
    assertStatus(await byBob.post(path, { body: 'x' }, fromElsewhere), 403)
    const empty = await byBob.post(path, { body: ' \n', action: 'comment' })
    assertStatus(empty, 422)
    assert.match(empty.text, /Write something first\./)
    assertStatus(await byBob.post(`${issues}/2/comments`, { body: 'x' }), 404)
    await app.put(ann, '/repos/ann/one/issues/1/lock', { lock_reason: '' })
    assertStatus(await byBob.post(path, { body: 'x' }), 403)
    assert.match((await byBob.get(`${issues}/1`)).text, /This conversation is locked/)
    await app.patch(ann, '/repos/ann/one', { archived: true })
    assertStatus(await byAnn.post(path, { body: 'x' }), 423)
    assert.doesNotMatch((await byAnn.get(`${issues}/1`)).text, /<textarea/)
    await app.patch(ann, '/repos/ann/one', { archived: false, private: true })
    assertStatus(await byBob.post(path, { body: 'x' }), 404)
    assert.deepEqual((await app.get(ann, '/repos/ann/one/issues/1/comments')).body, [])
  })
})
