// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript } from '../repository/support.ts'
import { assertSessionEnded, assertAsksWithin, fromElsewhere } from '../support.ts'
import { addIssue, issues, startWithIssues, type Setup } from './setup.ts'

async function issueOf({ app, ann }: Setup, number = 1) {
  return (await app.get(ann, `/repos/ann/one/issues/${number}`)).body
}

async function addComment({ app, bob }: Setup, body: string, number = 1): Promise<number> {
  const said = await app.post(bob, `/repos/ann/one/issues/${number}/comments`, { body })
  return said.body.id as number
}

async function commentsOf({ app, ann }: Setup): Promise<readonly string[]> {
  const { body } = await app.get(ann, '/repos/ann/one/issues/1/comments')
  return body.map((comment: { body: string }) => comment.body)
}

suite('POST /{owner}/{repo}/issues/{index}/title', () => {
  test('renames an issue for its author and those who write issues', async (t) => {
    const setup = await startWithIssues(t)
    const { byAnn, byBob, bob } = setup
    await addIssue(setup, bob)
    const path = `${issues}/1/title`

    const form = await byBob.get(`${issues}/1?edit=title`)
    assert.match(form.text, /<input id="title" name="title" value="Broken"/)
    const renamed = await byBob.post(path, { title: ' Mended ' })

    assertStatus(renamed, 303)
    assert.equal(renamed.headers['location'], `${issues}/1`)
    assert.equal((await issueOf(setup)).title, 'Mended')
    const page = await byAnn.get(`${issues}/1`)
    assert.match(page.text, /changed the title from <del>Broken<\/del> to <b>Mended<\/b>/)
    assertStatus(await byAnn.post(path, { title: 'By ann' }), 303)
    assert.equal((await issueOf(setup)).title, 'By ann')
  })

  test('keeps the title that there is where none is given', async (t) => {
    const setup = await startWithIssues(t)
    await addIssue(setup, setup.ann)

    const answer = await setup.byAnn.post(`${issues}/1/title`, { title: '  ' })

    assertStatus(answer, 422)
    assert.match(answer.text, /role="alert">Give it a title\.[^]*<\/form>/)
    assert.equal((await issueOf(setup)).title, 'Broken')
  })

  test('is for nobody else, and for no other site', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob, visitor } = setup
    await addIssue(setup, ann)
    const path = `${issues}/1/title`

    assert.doesNotMatch((await byBob.get(`${issues}/1?edit=title`)).text, /name="title"|Edit title/)
    assertStatus(await byBob.post(path, { title: 'x' }), 403)
    assertStatus(await byAnn.post(path, { title: 'x' }, fromElsewhere), 403)
    assertSessionEnded(await visitor.post(path, { title: 'x' }))
    assertStatus(await byAnn.post(`${issues}/2/title`, { title: 'x' }), 404)
    await app.patch(ann, '/repos/ann/one', { archived: true })
    assertStatus(await byAnn.post(path, { title: 'x' }), 423)
    assert.equal((await issueOf(setup)).title, 'Broken')
  })
})

suite('POST /{owner}/{repo}/issues/{index}/text', () => {
  test('saves the text, and loses none that somebody else saved meanwhile', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, byAnn, byBob } = setup
    await addIssue(setup, ann, { body: 'first' })
    const path = `${issues}/1/text`
    const form = await byAnn.get(`${issues}/1?edit=text`)
    assert.match(form.text, /name="body"[^>]*>\nfirst<\/textarea>/)
    const [, version = ''] = /name="content_version" value="(\d+)"/.exec(form.text) ?? []

    const saved = await byAnn.post(path, { body: 'a\r\nb', content_version: version })

    assertStatus(saved, 303)
    assert.equal((await issueOf(setup)).body, 'a\nb')
    const late = await byAnn.post(path, { body: 'late', content_version: version })
    assertStatus(late, 422)
    assert.match(late.text, />\nlate<\/textarea>[^]*changed meanwhile/)
    assert.equal((await issueOf(setup)).body, 'a\nb')
    const [, now = ''] = /name="content_version" value="(\d+)"/.exec(late.text) ?? []
    assertStatus(await byAnn.post(path, { body: '', content_version: now }), 303)
    assert.equal((await issueOf(setup)).body, '')
    assertStatus(await byBob.post(path, { body: 'x', content_version: '0' }), 403)
    assertStatus(await byAnn.post(path, { body: 'x' }, fromElsewhere), 403)
    assert.equal((await app.get(ann, '/repos/ann/one/issues/1')).body.body, '')
  })
})

suite('POST /{owner}/{repo}/issues/{index}/comments/{id}', () => {
  test('saves or deletes a comment for its author and those who write issues', async (t) => {
    const setup = await startWithIssues(t)
    const { ann, byAnn, byBob } = setup
    await addIssue(setup, ann)
    const id = await addComment(setup, '\nfirst')
    const path = `${issues}/1/comments/${id}`
    const page = await byBob.get(`${issues}/1`)
    const [, link = ''] = /href="([^"]*edit=comment-[^"]*)"/.exec(page.text) ?? []

    const form = await byBob.get(link.replaceAll('&amp;', '&').split('#')[0] ?? '')

    assert.match(form.text, />\n\nfirst<\/textarea>/)
    assertAsksWithin(form, 'action', 'delete')
    const saved = await byBob.post(`${path}?page=1`, { body: 'second', action: 'save' })
    assert.equal(saved.headers['location'], `${issues}/1?page=1#issuecomment-${id}`)
    assert.deepEqual(await commentsOf(setup), ['second'])
    const empty = await byBob.post(path, { body: ' ', action: 'save' })
    assertStatus(empty, 422)
    assert.match(empty.text, /Write something first\./)
    assert.deepEqual(await commentsOf(setup), ['second'])
    assertStatus(await byAnn.post(path, { action: 'delete' }), 303)
    assert.deepEqual(await commentsOf(setup), [])
    assertStatus(await byAnn.post(path, { action: 'delete' }), 404)
  })

  test('is for nobody else, and for comments of this issue alone', async (t) => {
    const setup = await startWithIssues(t)
    const { app, ann, bob, byAnn, byBob, visitor } = setup
    await addIssue(setup, bob)
    await addIssue(setup, ann)
    const said = await app.post(ann, '/repos/ann/one/issues/1/comments', { body: 'kept' })
    const path = `${issues}/1/comments/${said.body.id}`

    assert.doesNotMatch((await byBob.get(`${issues}/1`)).text, /edit=comment-/)
    const asked = await byBob.get(`${issues}/1?edit=comment-${said.body.id}`)
    assert.doesNotMatch(asked.text, />\nkept<\/textarea>/)
    for (const action of ['save', 'delete']) {
      assertStatus(await byBob.post(path, { body: 'x', action }), 403)
      assertStatus(await byAnn.post(path, { body: 'x', action }, fromElsewhere), 403)
      assertSessionEnded(await visitor.post(path, { action }))
      const elsewhere = `${issues}/2/comments/${said.body.id}`
      assertStatus(await byAnn.post(elsewhere, { body: 'x', action }), 404)
    }
    await app.patch(ann, '/repos/ann/one/issues/1', { title: 'Renamed' })
    const timeline = await app.get(ann, '/repos/ann/one/issues/1/timeline')
    const event = timeline.body.find(({ type }: { type: string }) => type === 'change_title')
    assertStatus(await byAnn.post(`${issues}/1/comments/${event.id}`, { action: 'delete' }), 404)
    assert.deepEqual(await commentsOf(setup), ['kept'])
  })
})

suite('POST /{owner}/{repo}/markup', () => {
  test('gives a text as it will be shown, to who is signed in and sees the repository', async (t) => {
    const setup = await startWithIssues(t, { private: true })
    const { byAnn, byBob, visitor } = setup
    const text = `**now**\nthen ${evil} [a](javascript:alert(1))`

    const answer = await byAnn.post('/ann/one/markup', { text })

    assertStatus(answer, 200)
    assert.match(answer.headers['content-type'] ?? '', /^text\/plain/)
    assert.match(answer.text, /<strong>now<\/strong><br ?\/?>\s*then/)
    assert.equal(hasScript(answer), false)
    assert.doesNotMatch(answer.text, /href/)
    assertStatus(await byBob.post('/ann/one/markup', { text }), 404)
    assertStatus(await visitor.post('/ann/one/markup', { text }), 401)
    assertStatus(await byAnn.post('/ann/one/markup', { text }, fromElsewhere), 403)
  })
})
