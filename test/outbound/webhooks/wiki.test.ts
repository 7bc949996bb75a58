import assert from 'node:assert/strict'
import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { MAX_TOLD } from '../../../src/code/wikis/changed-pages.ts'
import { base64 } from '../../code/commits/setup.ts'
import { assertStatus } from '../../support/expect.ts'
import { signIn } from '../../web/support.ts'
import { assertKeys, start, startPushing, type Received } from './setup.ts'

const wiki = '/repos/ann/one/wiki'

/** What came, as `action page: comment`. */
function told(calls: readonly Received[]): string[] {
  return calls.map(({ body }) => `${body.action} ${body.page}: ${body.comment}`)
}

suite('pages of a wiki', () => {
  test('are told of when the API creates, edits, renames and deletes them', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    await listen(['wiki'])
    const page = { title: 'How to', content_base64: base64('one') }
    assertStatus(await app.post(ann, `${wiki}/new`, page), 201)
    const [created, ...others] = await heard()

    assert.deepEqual(others, [])
    assert.equal(created?.headers['x-gitea-event'], 'wiki')
    assertKeys(created?.body as object, ['action', 'repository', 'sender', 'page', 'comment'])
    assert.partialDeepStrictEqual(created?.body, {
      action: 'created',
      repository: { full_name: 'ann/one' },
      sender: { login: 'ann' },
      page: 'How-to',
      comment: 'Add "How to"',
    })
    const edited = { content_base64: base64('two'), message: 'why not' }
    assertStatus(await app.patch(ann, `${wiki}/page/How-to`, edited), 200)
    assertStatus(await app.patch(ann, `${wiki}/page/How-to`, { title: 'a-b c' }), 200)
    assertStatus(await app.delete(ann, `${wiki}/page/a-b+c.-`), 204)
    assert.deepEqual(told(await heard()), [
      'edited How-to: why not',
      'edited a-b+c.-: Update "a-b c"',
      'deleted a-b+c.-: ',
    ])
  })

  test('are not told of when nothing came of it, nor to those who listen to something else', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    await listen(['push'])
    assertStatus(await app.post(ann, `${wiki}/new`, { title: 'Home', content_base64: '' }), 201)
    await listen(['wiki'])

    assertStatus(await app.post(ann, `${wiki}/new`, { title: 'Home', content_base64: '' }), 400)
    assertStatus(await app.post(ann, `${wiki}/new`, { title: '_new', content_base64: '' }), 400)
    assertStatus(await app.patch(ann, `${wiki}/page/None`, { title: 'x' }), 404)
    assertStatus(await app.delete(ann, `${wiki}/page/None`), 404)

    assert.deepEqual(await heard(), [])
  })

  test('are told of when a page in a browser changes them', async (t) => {
    const { app, listen, heard } = await start(t)
    await listen(['wiki'])
    const ann = await signIn(app, 'ann')
    const fields = { title: 'Home', content: 'hi', message: 'begin' }

    assertStatus(await ann.post('/ann/one/wiki/_new', fields), 303)
    const sha = /name="sha" value="(\w+)"/.exec(
      (await ann.get('/ann/one/wiki/Home?action=edit')).text,
    )?.[1]
    const edit = { title: 'Home', content: 'ho', sha: sha ?? '' }
    assertStatus(await ann.post('/ann/one/wiki/Home?action=edit', edit), 303)
    assertStatus(await ann.post('/ann/one/wiki/Home?action=delete', { confirm: 'Home' }), 303)

    assert.deepEqual(told(await heard()), [
      'created Home: begin',
      'edited Home: Update "Home"',
      'deleted Home: ',
    ])
  })

  test('are told of in a line of text where a service shows text', async (t) => {
    const { app, ann, listen, heard } = await start(t)
    await listen(['wiki'], { type: 'discord' })

    assertStatus(await app.post(ann, `${wiki}/new`, { title: 'Home', content_base64: '' }), 201)

    const [call] = await heard()
    assert.equal(call?.body.content, '[ann/one] ann created the wiki page Home')
  })
})

suite('a push to a wiki', () => {
  test('is told of page by page, as far as pages are shown', async (t) => {
    const { client, work, write, push, listen, heard } = await startPushing(t, 'ann/one.wiki.git')
    await listen(['wiki'])
    for (const file of ['Home.md', 'How-to.md', 'Old.md']) write(file, file)
    await client.commit(work, 'three pages')
    await push('main')
    assert.deepEqual(told(await heard()), [
      'created Home: three pages',
      'created How-to: three pages',
      'created Old: three pages',
    ])

    write('Home.md', 'changed')
    rmSync(join(work, 'How-to.md'))
    renameSync(join(work, 'Old.md'), join(work, 'New.md'))
    write('picture.png', 'no page')
    await client.commit(work, 'tidy up')
    await push('main', 'main:other', 'main:refs/tags/v1')

    assert.deepEqual(told(await heard()), [
      'deleted How-to: ',
      'deleted Old: ',
      'edited Home: tidy up',
      'created New: tidy up',
    ])
  })

  test('of very many pages is told of by the first of them', async (t) => {
    const { client, work, write, push, listen, heard } = await startPushing(t, 'ann/one.wiki.git')
    await listen(['wiki'])
    for (let count = 0; count < MAX_TOLD + 5; count++) write(`Page ${count}.md`, '')
    await client.commit(work, 'many')

    await push('main')

    assert.equal((await heard()).length, MAX_TOLD)
  })

  test('that moves no page is told to nobody', async (t) => {
    const { client, work, push, listen, heard } = await startPushing(t, 'ann/one.wiki.git')
    await push('main')
    await listen(['wiki'])
    await client.commit(work, 'a file')

    await push('main', 'main:side')

    assert.deepEqual(await heard(), [])
  })
})
