// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { upload } from '../../repositories/attachments/form.ts'
import { assertStatus } from '../../support/expect.ts'
import { dot } from '../support.ts'
import { addIssue, issues, startWithIssues, type Setup } from './setup.ts'

const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>')

async function startWithIssue(t: TestContext, changes?: ConfigChanges): Promise<Setup> {
  const setup = await startWithIssues(t, {}, changes)
  await addIssue(setup, setup.ann)
  return setup
}

async function attach(
  { app, ann }: Setup,
  name: string,
  content: Buffer,
  to = 'issues/1',
): Promise<string> {
  const made = await upload(app, ann, `/repos/ann/one/${to}/assets`, { filename: name, content })
  assertStatus(made, 201)
  return made.body.uuid as string
}

const previewOf = (uuid: string, name: string) =>
  `<a class="preview" href="/attachments/${uuid}"><img src="/attachments/${uuid}" alt="${name}" loading="lazy"></a>`

suite('pictures that are attached to an issue', () => {
  test('are shown in their cards, also those of comments', async (t) => {
    const setup = await startWithIssue(t)
    const { app, ann, visitor } = setup
    const said = await app.post(ann, '/repos/ann/one/issues/1/comments', { body: 'Look' })
    const first = await attach(setup, 'dot.png', dot)
    const second = await attach(setup, 'c.png', dot, `issues/comments/${said.body.id as number}`)

    const { text } = await visitor.get(`${issues}/1`)

    assert.ok(text.includes(previewOf(first, 'dot.png')))
    assert.ok(text.includes(previewOf(second, 'c.png')))
    assert.match(text, new RegExp(`<a href="/attachments/${first}">dot\\.png</a>`))
    assert.match(text, /7\d bytes · sha256 \w{8}…\w{4}/)
  })

  test('are told by what they are, not by their names', async (t) => {
    const setup = await startWithIssue(t)
    await attach(setup, 'text.png', Buffer.from('<script>alert(1)</script>'))
    await attach(setup, 'trace.log', Buffer.from('hello'))

    const { text } = await setup.visitor.get(`${issues}/1`)

    assert.doesNotMatch(text, /class="preview"/)
  })

  test('are drawings only where browsers show such', async (t) => {
    const shown = await startWithIssue(t)
    const saved = await startWithIssue(t, { attachment: { show_svg: false } })

    const uuid = await attach(shown, 'a.svg', drawing)
    await attach(saved, 'a.svg', drawing)

    assert.ok((await shown.visitor.get(`${issues}/1`)).text.includes(previewOf(uuid, 'a.svg')))
    assert.doesNotMatch((await saved.visitor.get(`${issues}/1`)).text, /class="preview"/)
  })

  test('are shown once where the text shows them itself', async (t) => {
    const setup = await startWithIssue(t)
    const { app, ann, visitor } = setup
    const uuid = await attach(setup, 'dot.png', dot)
    const body = `![dot](/attachments/${uuid})`
    assertStatus(await app.patch(ann, '/repos/ann/one/issues/1', { body }), 201)

    const { text } = await visitor.get(`${issues}/1`)

    assert.equal(text.match(/<img [^>]*src="\/attachments\//g)?.length, 1)
    assert.doesNotMatch(text, /class="preview"/)
  })
})
