// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Headers, TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript } from '../repository/support.ts'
import { start, summary } from '../../outbound/webhooks/setup.ts'
import { assertSessionEnded, fromElsewhere, signIn, type Visitor } from '../support.ts'
import { addIssue, issues, startWithIssues, type Setup } from './setup.ts'

const path = `${issues}/1/comments`

interface Reply {
  readonly body?: string
  readonly action?: string
  /** Names; the name is the content, too. */
  readonly files?: readonly string[]
  readonly content?: string
}

function send(by: Visitor, reply: Reply, more: Headers = {}): Promise<TestAnswer> {
  const { body = '', action = 'comment', files = [], content } = reply
  const text = (name: string, value: string) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const file = (name: string) =>
    `--b\r\ncontent-disposition: form-data; name="attachment"; filename="${name}"\r\n\r\n${content ?? name}\r\n`
  const form = `${text('body', body)}${files.map(file).join('')}${text('action', action)}--b--\r\n`
  return by.send(path, form, { 'content-type': 'multipart/form-data; boundary=b', ...more })
}

async function commentsOf({ app, ann }: Setup) {
  const { body } = await app.get(ann, '/repos/ann/one/issues/1/comments')
  return body.map((comment: { body: string; assets: { name: string }[] }) => [
    comment.body,
    ...comment.assets.map(({ name }) => name),
  ])
}

async function countStored({ app }: Setup): Promise<number> {
  return (await Array.fromAsync(app.ctx.files.list('attachments'))).length
}

suite('POST /{owner}/{repo}/issues/{index}/comments with files', () => {
  test('makes the comment with its files, which are not those of the issue', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, visitor } = setup
    await addIssue(setup, ann)
    const { text } = await byAnn.get(`${issues}/1`)
    const [form = ''] = new RegExp(`<form[^>]*action="${path}"[^]*?</form>`).exec(text) ?? []
    assert.match(form, /enctype="multipart\/form-data"/)
    assert.match(form, /<input type="file" name="attachment" multiple/)

    const answer = await send(byAnn, { body: 'See\r\nthese', files: ['a.log', 'b.log'] })

    assertStatus(answer, 303)
    assert.match(answer.headers['location'] ?? '', /^\/ann\/one\/issues\/1#issuecomment-\d+$/)
    assert.deepEqual(await commentsOf(setup), [['See\nthese', 'a.log', 'b.log']])
    const issue = await app.get(ann, '/repos/ann/one/issues/1')
    assert.deepEqual(issue.body.assets, [])
    const page = await visitor.get(`${issues}/1`)
    const [, file = ''] = /id="issuecomment-[^]*?href="([^"]+)">b\.log</.exec(page.text) ?? []
    assert.equal((await visitor.get(file)).text, 'b.log')
  })

  test('takes files without words, words without files, and closes the issue as well', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn } = setup
    await addIssue(setup, ann)

    assertStatus(await send(byAnn, { files: ['a.log'] }), 303)
    assertStatus(await send(byAnn, { body: 'Words' }), 303)
    assertStatus(await byAnn.post(path, { body: 'Plain' }), 303)
    assertStatus(await send(byAnn, { action: 'close', files: ['b.log'] }), 303)

    const said = await commentsOf(setup)
    assert.deepEqual(said, [['', 'a.log'], ['Words'], ['Plain'], ['', 'b.log']])
    assert.equal((await app.get(ann, '/repos/ann/one/issues/1')).body.state, 'closed')
    const { text } = await byAnn.get(`${issues}/1`)
    assert.equal(text.match(/Nothing was written\./g)?.length, 1)
    const silent = await send(byAnn, {})
    assertStatus(silent, 422)
    assert.match(silent.text, /Write something first\./)
  })

  test('tells a script where the comment is, or what is wrong', async (t) => {
    const setup = await startWithIssues(t)
    const { ann, byAnn } = setup
    await addIssue(setup, ann)
    const byScript = { accept: 'application/json' }

    const taken = await send(byAnn, { body: 'See', files: ['a.log'] }, byScript)
    const refused = await send(byAnn, { files: ['b.html'] }, byScript)

    assertStatus(taken, 200)
    assert.match(taken.body.leadsTo, /^\/ann\/one\/issues\/1#issuecomment-\d+$/)
    assertStatus(refused, 422)
    assert.match(refused.text, /Files such as b\.html are not taken here\. Nothing was sent\.</)
    assert.equal((await commentsOf(setup)).length, 1)
  })

  test('refuses all of it where one file is not taken, and keeps the words', async (t) => {
    const setup = await startWithIssues(t, {}, { attachment: { max_size: '1MiB', max_files: 2 } })
    const { ann, byAnn } = setup
    await addIssue(setup, ann)
    const large = 'x'.repeat(1_048_577)
    const refusals: [Reply, RegExp][] = [
      [{ files: ['a.log', 'b.html'] }, /Files such as b\.html are not taken here\./],
      [{ files: ['a.log'], content: large }, /a\.log is larger than 1\.0 MB\./],
      [{ files: ['a.log', 'b.log', 'c.log'] }, /At most 2 files at once\./],
    ]

    for (const [reply, problem] of refusals) {
      const answer = await send(byAnn, { body: `Mine ${evil}`, ...reply })

      assertStatus(answer, 422)
      assert.match(answer.text, problem)
      assert.match(answer.text, /choose the files again/)
      assert.match(answer.text, /<textarea[^>]*>\nMine &lt;/)
      assert.equal(hasScript(answer), false)
    }
    const named = await send(byAnn, { files: [`${evil.replaceAll(/["/]/g, '')}.html`] })
    assertStatus(named, 422)
    assert.equal(hasScript(named), false)
    assert.deepEqual(await commentsOf(setup), [])
    assert.equal(await countStored(setup), 0)
  })

  test('refuses all of it where there is no room', async (t) => {
    const setup = await startWithIssues(t, {}, { quota: { per_repository: '1MiB', per_owner: 0 } })
    const { ann, byAnn } = setup
    await addIssue(setup, ann)
    const content = 'x'.repeat(600_000)

    const answer = await send(byAnn, { body: 'Mine', files: ['a.log', 'b.log'], content })

    assertStatus(answer, 422)
    assert.match(answer.text, /There is no room for these files\./)
    assert.match(answer.text, />\nMine<\/textarea>/)
    assert.deepEqual(await commentsOf(setup), [])
    assert.equal(await countStored(setup), 0)
  })

  test('takes files from those who may write a comment, from our own pages', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, bob, byAnn, byBob, visitor } = setup
    await addIssue(setup, bob)
    const reply = { body: 'Hi', files: ['a.log'] }

    const page = await byBob.get(`${issues}/1`)
    assert.match(page.text, /type="file" name="attachment" multiple/)
    assertStatus(await send(byBob, { body: 'Mine', files: ['b.log'] }), 303)
    assert.deepEqual(await commentsOf(setup), [['Mine', 'b.log']])
    assertStatus(await app.put(ann, '/repos/ann/one/issues/1/lock', {}), 204)
    assert.doesNotMatch((await byBob.get(`${issues}/1`)).text, /id="reply"[^]*type="file"/)
    assertStatus(await send(byBob, reply), 403)
    assertStatus(await app.delete(ann, '/repos/ann/one/issues/1/lock'), 204)
    assertStatus(await send(byAnn, reply, fromElsewhere), 403)
    assertSessionEnded(await send(visitor, reply))
    await app.patch(ann, '/repos/ann/one', { archived: true })
    assertStatus(await send(byAnn, reply), 423)
    await app.patch(ann, '/repos/ann/one', { archived: false, private: true })
    assertStatus(await send(byBob, reply), 404)
    assert.deepEqual(await commentsOf(setup), [['Mine', 'b.log']])
    assert.equal(await countStored(setup), 1)
  })

  test('offers no files where the server takes none', async (t) => {
    const setup = await startWithIssues(t, {}, { attachment: { enabled: false } })
    const { ann, byAnn } = setup
    await addIssue(setup, ann)

    assert.doesNotMatch((await byAnn.get(`${issues}/1`)).text, /type="file"/)
    assertStatus(await send(byAnn, { body: 'Hi', files: ['a.log'] }), 404)
    assertStatus(await byAnn.post(path, { body: 'Hi' }), 303)
  })

  test('tells those who listen of a comment that has its files', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    await app.post(ann, '/repos/ann/one/issues', { title: 'Broken' })
    await listen(['issue_comment', 'attachment'])

    assertStatus(await send(await signIn(app, 'ann'), { body: 'See', files: ['a.log'] }), 303)

    const told = await heard()
    assert.deepEqual(summary(told).toSorted(), ['attachment added', 'issue_comment created'])
    const comment = told.find(({ body }) => body.action === 'created')?.body.comment
    assert.partialDeepStrictEqual(comment, { body: 'See', assets: [{ name: 'a.log' }] })
    const added = told.find(({ body }) => body.action === 'added')?.body
    assert.equal(added.comment_id, comment.id)
  })

  test('leaves the files of an issue beside its own text', async (t) => {
    const setup = await startWithIssues(t)
    const { bob, byBob } = setup
    await addIssue(setup, bob)

    const { text } = await byBob.get(`${issues}/1?edit=text`)

    assert.ok(text.includes(`enctype="multipart/form-data" action="${issues}/1/attachments"`))
  })
})
