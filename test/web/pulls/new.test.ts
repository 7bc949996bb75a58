// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { archive, makePrivate } from '../../code/commits/setup.ts'
import { getPull, openPull } from '../../collaboration/pulls/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere } from '../support.ts'
import { pulls, startWithPulls } from './setup.ts'

const compare = '/ann/one/compare'

suite('a new pull request', () => {
  test('begins with two branches', async (t) => {
    const { visitor } = await startWithPulls(t)

    const choice = await visitor.get(compare)
    const chosen = await visitor.get(`${compare}?base=main&head=topic`)

    assert.match(choice.text, /name="base" value="main"[^]*<option value="topic">/)
    assert.equal(chosen.headers['location'], `${compare}/main...topic?expand=true`)
    const listed = await visitor.get(pulls)
    assert.ok(listed.text.includes(`href="${compare}"`))
    const branches = await visitor.get('/ann/one/branches')
    assert.ok(branches.text.includes(`href="${compare}/main...topic?expand=true"`))
  })

  test('comes with files, from whoever opens it, or not at all', async (t) => {
    const setup = await startWithPulls(t)
    const { app, bob, byBob } = setup
    const part = (name: string, value: string, more = '') =>
      `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`
    const file = part('attachment', 'the log', '; filename="a.log"')
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const send = (title: string, files: string) =>
      byBob.send(`${compare}/main...topic`, `${part('title', title)}${files}--b--\r\n`, headers)
    const stored = async () => (await Array.fromAsync(app.ctx.files.list('attachments'))).length

    const page = await byBob.get(`${compare}/main...topic`)
    const nameless = await send('', file)
    const wrong = await send('x', part('attachment', 'x', '; filename="a.exe"'))
    assert.match(page.text, /enctype="multipart\/form-data"[^]*type="file" name="attachment"/)
    assertStatus(nameless, 422)
    assert.match(nameless.text, /Nothing was sent: choose the files again/)
    assertStatus(wrong, 422)
    assert.equal(await stored(), 0)

    assertStatus(await send('The work', file), 303)

    const assets = await app.get(bob, '/repos/ann/one/issues/1/assets')
    assert.deepEqual(
      assets.body.map(({ name }: { name: string }) => name),
      ['a.log'],
    )
    assert.equal(await stored(), 1)
  })

  test('is opened where the branches are compared', async (t) => {
    const setup = await startWithPulls(t)
    const { byBob } = setup
    const page = await byBob.get(`${compare}/main...topic`)
    assert.match(page.text, /name="title"[^>]* value="work on topic"/)

    const made = await byBob.post(`${compare}/main...topic`, { title: 'The work', body: 'a\r\nb' })

    assert.deepEqual([made.status, made.headers['location']], [303, `${pulls}/1`])
    assert.partialDeepStrictEqual(await getPull(setup, 1), {
      title: 'The work',
      body: 'a\nb',
      user: { login: 'bob' },
      base: { ref: 'main' },
      head: { ref: 'topic' },
    })
    const again = await byBob.get(`${compare}/main...topic`)
    assert.match(
      again.text,
      /There is a pull request for this already: <a href="\/ann\/one\/pulls\/1">/,
    )
    const twice = await byBob.post(`${compare}/main...topic`, { title: 'Again' })
    assertStatus(twice, 422)
  })

  test('comes from a fork too', async (t) => {
    const setup = await startWithPulls(t)
    const { app, bob, path, byBob } = setup
    await app.post(bob, `${path}/forks`, {})
    const file = { content: 'Yg==', branch: 'main', new_branch: 'mine', message: 'mine' }
    assertStatus(await app.post(bob, '/repos/bob/one/contents/b.txt', file), 201)

    const page = await byBob.get(`${compare}/main...bob:mine`)
    const made = await byBob.post(`${compare}/main...bob:mine`, {
      title: 'Mine',
      allow_edit: 'true',
    })

    assert.match(page.text, /name="allow_edit"/)
    assert.equal(made.headers['location'], `${pulls}/1`)
    const pull = await getPull(setup, 1)
    assert.deepEqual([pull.head.repo.full_name, pull.allow_maintainer_edit], ['bob/one', true])
    assert.match(
      (await byBob.get(`${pulls}/1`)).text,
      /href="\/bob\/one\/src\/branch\/mine">bob:mine</,
    )
    // A fork is as public as what it is a fork of, until somebody changes that.
    await app.ctx.db
      .updateTable('repository')
      .set({ is_private: 1 })
      .where('owner_id', '=', bob.id)
      .execute()
    assert.doesNotMatch((await setup.visitor.get(`${pulls}/1`)).text, /bob\/one|bob:mine/)
  })

  test('needs a title and two branches, and keeps what was typed', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, byAnn } = setup

    const untitled = await byAnn.post(`${compare}/main...topic`, { title: ' ', body: evil })

    assertStatus(untitled, 422)
    assert.match(untitled.text, /Give it a title\.[^]*&lt;script&gt;/)
    assert.equal(hasScript(untitled), false)
    await app.post(ann, `${path}/tags`, { tag_name: 'v1', target: 'topic' })
    for (const text of ['main...v1', 'main..topic', 'topic...main', 'main...main'])
      assert.doesNotMatch((await byAnn.get(`${compare}/${text}`)).text, /name="title"/, text)
    assertStatus(await byAnn.post(`${compare}/main...nothing`, { title: 'x' }), 404)
    assert.deepEqual((await app.get(ann, `${path}/pulls`)).body, [])
  })

  test('is for those who are signed in, from our own pages, where something may be written', async (t) => {
    const setup = await startWithPulls(t)
    const { app, ann, path, byAnn, byBob, visitor } = setup
    const page = `${compare}/main...topic`

    assert.match((await visitor.get(page)).text, /Sign in<\/a> to open a pull request/)
    assertSessionEnded(await visitor.post(page, { title: 'x' }))
    assertStatus(await byAnn.post(page, { title: 'x' }, fromElsewhere), 403)
    await archive(setup)
    assert.doesNotMatch((await byAnn.get(page)).text, /name="title"/)
    assertStatus(await byAnn.post(page, { title: 'x' }), 423)
    await app.patch(ann, path, { archived: false })
    await makePrivate(setup)
    assertStatus(await byBob.post(page, { title: 'x' }), 404)
    await app.patch(ann, path, { has_pull_requests: false })
    assert.doesNotMatch((await byAnn.get(page)).text, /name="title"/)
    assertStatus(await byAnn.post(page, { title: 'x' }), 404)
    await app.patch(ann, path, { has_pull_requests: true })
    await openPull(setup)
    assert.equal((await getPull(setup, 1)).number, 1)
  })
})
