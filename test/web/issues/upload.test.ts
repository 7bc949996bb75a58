// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test, type TestContext } from 'node:test'
import type { Headers, TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere, type Visitor } from '../support.ts'
import { addIssue, issues, startWithIssues } from './setup.ts'

const path = `${issues}/1/attachments`
const digest = createHash('sha256').update('hello').digest('hex')

function upload(
  by: Visitor,
  name = 'trace.log',
  more: Headers = {},
  to = path,
): Promise<TestAnswer> {
  const part = `--b\r\ncontent-disposition: form-data; name="attachment"; filename="${name}"\r\n\r\nhello\r\n--b--\r\n`
  return by.send(to, part, { 'content-type': 'multipart/form-data; boundary=b', ...more })
}

suite('POST /{owner}/{repo}/issues/{index}/attachments', () => {
  test('attaches a file without script, and shows its size and digest', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, visitor } = setup
    await addIssue(setup, ann)

    const answer = await upload(byAnn)

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], '/ann/one/issues/1')
    const page = await visitor.get(`${issues}/1`)
    assert.ok(page.text.includes(`5 bytes · sha256 ${digest.slice(0, 8)}…${digest.slice(-4)}`))
    const [, file = ''] = /href="(\/attachments\/[^"]+)">trace\.log</.exec(page.text) ?? []
    assert.equal((await visitor.get(file)).text, 'hello')
    const { body } = await app.get(ann, '/repos/ann/one/issues/1/assets')
    assert.deepEqual(
      body.map(({ name }: { name: string }) => name),
      ['trace.log'],
    )
  })

  test('gives the script of the page a record, also of what went wrong', async (t) => {
    const setup = await startWithIssues(t)
    const { ann, byAnn, byBob } = setup
    await addIssue(setup, ann)
    const json = { accept: 'application/json' }

    const taken = await upload(byAnn, 'trace.log', json)
    const refused = await upload(byAnn, 'page.html', json)
    const foreign = await upload(byBob, 'trace.log', json)

    assertStatus(taken, 201)
    assert.equal(taken.body.name, 'trace.log')
    assert.match(taken.body.about, /^5 bytes · sha256 /)
    assert.match(taken.body.href, /^\/attachments\//)
    assertStatus(refused, 422)
    assert.match(refused.body.message, /forbidden file extension/)
    assertStatus(foreign, 403)
  })

  test('takes nothing from strangers, from other sites, or without the right', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    await addIssue(setup, ann)

    assertSessionEnded(await upload(visitor))
    assertStatus(await upload(byAnn, 'trace.log', fromElsewhere), 403)
    assertStatus(await upload(byBob), 403)
    assert.doesNotMatch((await byBob.get(`${issues}/1`)).text, /action="[^"]*\/attachments"/)
    assertStatus(await upload(byAnn, 'page.html'), 422)
    assertStatus(await byAnn.post(path, { attachment: 'x' }), 422)
    const other = { 'content-type': 'multipart/form-data; boundary=other' }
    const unfinished = await upload(byAnn, 'trace.log', other)
    assertStatus(unfinished, 422)
    assert.match(unfinished.text, /failed to parse request multipart form/)
    await app.patch(ann, '/repos/ann/one', { private: true })
    assertStatus(await upload(byBob), 404)
    assert.deepEqual((await app.get(ann, '/repos/ann/one/issues/1/assets')).body, [])
  })

  test('shows names as text, and private files to those who may see them', async (t) => {
    const setup = await startWithIssues(t, { private: true })
    const { ann, byAnn, byBob, visitor } = setup
    await addIssue(setup, ann)
    assertStatus(await upload(byAnn, `${evil.replaceAll('"', '').replaceAll('/', '')}.log`), 303)

    const page = await byAnn.get(`${issues}/1`)

    assert.equal(hasScript(page), false)
    const [, file = ''] = /href="(\/attachments\/[^"]+)"/.exec(page.text) ?? []
    assertStatus(await byAnn.get(file), 200)
    assertStatus(await byBob.get(file), 404)
    assertStatus(await visitor.get(file), 404)
  })
})

async function startWithComment(t: TestContext) {
  const setup = await startWithIssues(t)
  const { app, ann } = setup
  await addIssue(setup, ann)
  await addIssue(setup, ann)
  const { body } = await app.post(ann, '/repos/ann/one/issues/1/comments', { body: 'See' })
  const id = body.id as number
  const assets = async () =>
    (await app.get(ann, `/repos/ann/one/issues/comments/${id}/assets`)).body as object[]
  return { ...setup, id, assets, to: `${issues}/1/comments/${id}/attachments` }
}

suite('POST /{owner}/{repo}/issues/{index}/comments/{id}/attachments', () => {
  test('attaches a file to a comment that is edited', async (t) => {
    const { byAnn, visitor, id, assets, to } = await startWithComment(t)
    const editor = await byAnn.get(`${issues}/1?edit=comment-${id}`)
    assert.ok(editor.text.includes(`enctype="multipart/form-data" action="${to}"`))

    const answer = await upload(byAnn, 'trace.log', {}, to)

    assert.equal(answer.headers['location'], `${issues}/1#issuecomment-${id}`)
    assert.partialDeepStrictEqual(await assets(), [{ name: 'trace.log' }])
    const page = await visitor.get(`${issues}/1`)
    assert.match(page.text, new RegExp(`id="issuecomment-${id}"[^]*>trace\\.log<`))
  })

  test('takes files from those who edit it and write issues, from our own pages', async (t) => {
    const setup = await startWithComment(t)
    const { app, bob, byAnn, byBob, visitor, id, assets, to } = setup
    const own = await app.post(bob, '/repos/ann/one/issues/1/comments', { body: 'Mine' })
    const toOwn = `${issues}/1/comments/${own.body.id}/attachments`

    assertStatus(await upload(byBob, 'trace.log', {}, to), 403)
    assertStatus(await upload(byBob, 'trace.log', {}, toOwn), 403)
    const editor = await byBob.get(`${issues}/1?edit=comment-${own.body.id}`)
    assert.match(editor.text, /id="edit-comment-\d+"/)
    assert.doesNotMatch(editor.text, /action="[^"]*\/attachments"/)
    assertStatus(await upload(byAnn, 'trace.log', fromElsewhere, to), 403)
    assertSessionEnded(await upload(visitor, 'a.log', {}, to))
    const mismatch = `${issues}/2/comments/${id}/attachments`
    assertStatus(await upload(byAnn, 'trace.log', {}, mismatch), 404)
    assertStatus(await upload(byAnn, 'page.html', {}, to), 422)
    assert.deepEqual(await assets(), [])
  })
})

/** The form that deletes a file, as the page offers it. */
async function deletionOf(by: Visitor, name = 'trace.log'): Promise<string | undefined> {
  const { text } = await by.get(`${issues}/1`)
  const pattern = new RegExp(`aria-label="Delete ${name}"[^]*?action="([^"?]+)\\?page=1"`)
  return pattern.exec(text)?.[1]
}

suite('POST /{owner}/{repo}/issues/{index}/attachments/{id}/delete', () => {
  test('deletes a file for the author of the issue and those who write issues', async (t) => {
    const setup = await startWithIssues(t)
    const { app, bob, byAnn, byBob } = setup
    await addIssue(setup, bob)
    const assets = async () =>
      (await app.get(bob, '/repos/ann/one/issues/1/assets')).body as object[]
    for (const by of [byBob, byAnn]) {
      await upload(byBob)
      const { text } = await by.get(`${issues}/1`)
      const [, file = ''] = /href="(\/attachments\/[^"]+)"/.exec(text) ?? []

      const answer = await by.post(`${await deletionOf(by)}?page=1`)

      assertStatus(answer, 303)
      assert.match(answer.headers['location'] ?? '', /^\/ann\/one\/issues\/1\?page=1#issue-\d+$/)
      assert.deepEqual(await assets(), [])
      assertStatus(await byBob.get(file), 404)
    }
  })

  test('is for nobody else, for no other site, and for files of this issue alone', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    await addIssue(setup, ann)
    await addIssue(setup, ann)
    await upload(byAnn)
    const deletion = (await deletionOf(byAnn)) ?? ''

    assert.equal(await deletionOf(byBob), undefined)
    assert.equal(await deletionOf(visitor), undefined)
    assertStatus(await byBob.post(deletion), 403)
    assertStatus(await byAnn.post(deletion, {}, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(deletion))
    assertStatus(await byAnn.post(deletion.replace('issues/1', 'issues/2')), 404)
    assertStatus(await byAnn.post(deletion.replace(/\d+\/delete$/, '99/delete')), 404)
    await app.patch(ann, '/repos/ann/one', { archived: true })
    assert.equal(await deletionOf(byAnn), undefined)
    assertStatus(await byAnn.post(deletion), 423)
    const { body } = await app.get(ann, '/repos/ann/one/issues/1/assets')
    assert.partialDeepStrictEqual(body, [{ name: 'trace.log' }])
  })
})

suite('POST /{owner}/{repo}/issues/{index}/comments/{id}/attachments/{id}/delete', () => {
  test('deletes a file of a comment for those who may attach one to it', async (t) => {
    const { app, bob, byAnn, byBob, visitor, id, assets, to } = await startWithComment(t)
    await upload(byAnn, 'trace.log', {}, to)
    const deletion = (await deletionOf(byAnn)) ?? ''
    assert.ok(deletion.startsWith(`${to}/`))

    assert.equal(await deletionOf(byBob), undefined)
    assertStatus(await byBob.post(deletion), 403)
    assertStatus(await byAnn.post(deletion, {}, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(deletion))
    assertStatus(await byAnn.post(deletion.replace('issues/1', 'issues/2')), 404)
    const other = await app.post(bob, '/repos/ann/one/issues/1/comments', { body: 'Mine' })
    assertStatus(await byAnn.post(deletion.replace(`/${id}/`, `/${other.body.id}/`)), 404)
    assert.partialDeepStrictEqual(await assets(), [{ name: 'trace.log' }])
    const answer = await byAnn.post(deletion)

    assert.equal(answer.headers['location'], `${issues}/1#issuecomment-${id}`)
    assert.deepEqual(await assets(), [])
  })
})
