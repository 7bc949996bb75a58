// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Headers, TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { start, summary } from '../../outbound/webhooks/setup.ts'
import { evil, hasScript } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere, signIn, type Visitor } from '../support.ts'
import { addFile, issues, startWithIssues, type Setup } from './setup.ts'

const path = `${issues}/new`

interface Draft {
  readonly fields?: Readonly<Record<string, string>>
  /** Names; the name is the content, too. */
  readonly files?: readonly string[]
  readonly content?: string
}

function send(by: Visitor, draft: Draft = {}, more: Headers = {}): Promise<TestAnswer> {
  const { fields = {}, files = ['a.log'], content } = draft
  const text = ([name, value]: [string, string]) =>
    `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const file = (name: string) =>
    `--b\r\ncontent-disposition: form-data; name="attachment"; filename="${name}"\r\n\r\n${content ?? name}\r\n`
  const texts = Object.entries({ title: 'Beam', body: 'Mine', ...fields }).map(text)
  const form = `${texts.join('')}${files.map(file).join('')}--b--\r\n`
  return by.send(path, form, { 'content-type': 'multipart/form-data; boundary=b', ...more })
}

async function issuesOf({ app, ann }: Setup) {
  const { body } = await app.get(ann, '/repos/ann/one/issues')
  return body.map((issue: { title: string; body: string; assets: { name: string }[] }) => [
    issue.title,
    issue.body,
    ...issue.assets.map(({ name }) => name),
  ])
}

async function countStored({ app }: Setup): Promise<number> {
  return (await Array.fromAsync(app.ctx.files.list('attachments'))).length
}

suite('POST /{owner}/{repo}/issues/new with files', () => {
  test('makes the issue with its files, for everybody who may write one', async (t) => {
    const setup = await startWithIssues(t)
    const { byBob, visitor } = setup
    const { text } = await byBob.get(path)
    const [form = ''] = new RegExp(`<form[^>]*action="${path}"[^]*?</form>`).exec(text) ?? []
    assert.match(form, /enctype="multipart\/form-data"/)
    assert.match(form, /<input type="file" name="attachment" multiple/)
    const draft = { fields: { body: 'See\r\nthese' }, files: ['a.log', 'b.log'] }

    const answer = await send(byBob, draft)

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], '/ann/one/issues/1')
    assert.deepEqual(await issuesOf(setup), [['Beam', 'See\nthese', 'a.log', 'b.log']])
    const page = await visitor.get(`${issues}/1`)
    const [, file = ''] = /href="([^"]+)">b\.log</.exec(page.text) ?? []
    assert.equal((await visitor.get(file)).text, 'b.log')
  })

  test('takes words without files, in either form', async (t) => {
    const setup = await startWithIssues(t)
    const { byAnn } = setup

    assertStatus(await send(byAnn, { files: [] }), 303)
    assertStatus(await byAnn.post(path, { title: 'Plain', body: '' }), 303)

    assert.deepEqual(await issuesOf(setup), [
      ['Plain', ''],
      ['Beam', 'Mine'],
    ])
  })

  test('refuses all of it where one file is not taken, and keeps the words', async (t) => {
    const setup = await startWithIssues(t, {}, { attachment: { max_size: '1MiB', max_files: 2 } })
    const { byAnn } = setup
    const large = 'x'.repeat(1_048_577)
    const refusals: [Draft, RegExp][] = [
      [{ files: ['a.log', 'b.html'] }, /Files such as b\.html are not taken here\./],
      [{ files: ['a.log'], content: large }, /a\.log is larger than 1\.0 MB\./],
      [{ files: ['a.log', 'b.log', 'c.log'] }, /At most 2 files at once\./],
    ]

    for (const [draft, problem] of refusals) {
      const answer = await send(byAnn, { fields: { body: `Mine ${evil}` }, ...draft })

      assertStatus(answer, 422)
      assert.match(answer.text, problem)
      assert.match(answer.text, /choose the files again/)
      assert.match(answer.text, /name="title"[^>]* value="Beam"/)
      assert.match(answer.text, /<textarea[^>]*>\nMine &lt;/)
      assert.equal(hasScript(answer), false)
      assert.equal(await countStored(setup), 0)
    }
    assert.deepEqual(await issuesOf(setup), [])
  })

  test('refuses files with an issue that is refused, or that they have no room in', async (t) => {
    const setup = await startWithIssues(t, {}, { quota: { per_repository: '1MiB', per_owner: 0 } })
    const { byAnn } = setup
    const content = 'x'.repeat(600_000)

    const untitled = await send(byAnn, { fields: { title: ' ' } })
    assertStatus(untitled, 422)
    assert.match(untitled.text, /Give it a title\./)
    assert.match(untitled.text, /choose the files again/)
    const full = await send(byAnn, { files: ['a.log', 'b.log'], content })

    assertStatus(full, 422)
    assert.match(full.text, /There is no room for these files\./)
    assert.match(full.text, />\nMine<\/textarea>/)
    assert.deepEqual(await issuesOf(setup), [])
    assert.equal(await countStored(setup), 0)
    assertStatus(await send(byAnn), 303)
    const [[title]] = await issuesOf(setup)
    assert.equal(title, 'Beam')
  })

  test('goes with the forms of a repository, answered or not', async (t) => {
    const setup = await startWithIssues(t, { auto_init: true })
    const { byBob } = setup
    const template = '.gitea/ISSUE_TEMPLATE/wish.yaml'
    const field = '  - type: input\n    id: who\n    attributes:\n      label: Who\n'
    const needed = '    validations:\n      required: true\n'
    const many = Array.from(
      { length: 150 },
      (_, at) => `  - type: input\n    id: more${at}\n    attributes:\n      label: More ${at}\n`,
    )
    const body = [field, needed, ...many].join('')
    await addFile(setup, template, `name: Wish\nabout: Missing\nbody:\n${body}`)
    const page = await byBob.get(`${path}?template=${encodeURIComponent(template)}`)
    assert.match(page.text, /<input type="file" name="attachment" multiple/)

    const unanswered = await send(byBob, { fields: { template } })
    const stored = await countStored(setup)
    const others = many.map((_, at): [string, string] => [`form-field-more${at}`, `answer ${at}`])
    const fields = { template, 'form-field-who': 'Me', ...Object.fromEntries(others) }
    assertStatus(await send(byBob, { fields }), 303)

    assertStatus(unanswered, 422)
    assert.match(unanswered.text, /“Who” is needed\./)
    assert.match(unanswered.text, /choose the files again/)
    assert.equal(stored, 0)
    const [[, text, ...files]] = await issuesOf(setup)
    assert.match(text, /Me[^]*answer 149/)
    assert.deepEqual(files, ['a.log'])
  })

  test('takes files from those who may write an issue, from our own pages', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, bob, byAnn, byBob, visitor } = setup

    assertStatus(await send(byBob, {}, fromElsewhere), 403)
    assertSessionEnded(await send(visitor))
    assertStatus(await app.put(ann, `/user/blocks/${bob.name}`), 204)
    assertStatus(await send(byBob), 403)
    await app.patch(ann, '/repos/ann/one', { archived: true })
    assertStatus(await send(byAnn), 423)
    await app.patch(ann, '/repos/ann/one', { archived: false, private: true })
    assertStatus(await send(byBob), 404)
    assert.deepEqual(await issuesOf(setup), [])
    assert.equal(await countStored(setup), 0)
  })

  test('offers no files where the server takes none', async (t) => {
    for (const attachment of [{ enabled: false }, { max_files: 0 }]) {
      const { byAnn } = await startWithIssues(t, {}, { attachment })

      assert.doesNotMatch((await byAnn.get(path)).text, /type="file"|multipart/)
      assertStatus(await send(byAnn), 404)
      assertStatus(await byAnn.post(path, { title: 'Plain' }), 303)
    }
  })

  test('tells those who listen of an issue that has its files', async (t) => {
    const { app, listen, heard } = await start(t)
    await listen(['issues_only', 'attachment'])

    assertStatus(await send(await signIn(app, 'ann')), 303)

    const told = await heard()
    assert.deepEqual(summary(told).toSorted(), ['attachment added', 'issues opened'])
    const issue = told.find(({ body }) => body.action === 'opened')?.body.issue
    assert.partialDeepStrictEqual(issue, { title: 'Beam', assets: [{ name: 'a.log' }] })
  })
})
