// One database is enough: these pages ask as the API does, which is tested on both.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test, type TestContext } from 'node:test'
import { makePrivate, names } from '../../code/commits/setup.ts'
import type { Headers, TestAnswer } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { startInBrowser } from '../files/setup.ts'
import { evil, hasScript } from '../repository/support.ts'
import { assertSessionEnded, fromElsewhere, type Visitor } from '../support.ts'

const digest = createHash('sha256').update('hello').digest('hex')
const about = `5 bytes · sha256 ${digest.slice(0, 8)}…${digest.slice(-4)}`

async function startWithRelease(t: TestContext) {
  const setup = await startInBrowser(t)
  const { app, ann, path } = setup
  const { body } = await app.post(ann, `${path}/releases`, { tag_name: 'v1' })
  const assets = `/ann/one/releases/${body.id as number}/assets`
  const upload = (by: Visitor, name = 'app.bin', more: Headers = {}): Promise<TestAnswer> => {
    const part = `--b\r\ncontent-disposition: form-data; name="attachment"; filename="${name}"\r\n\r\nhello\r\n--b--\r\n`
    return by.send(assets, part, { 'content-type': 'multipart/form-data; boundary=b', ...more })
  }
  const list = async () => (await app.get(ann, `${path}/releases/${body.id as number}/assets`)).body
  return { ...setup, assets, upload, list }
}

suite('POST /{owner}/{repo}/releases/{id}/assets', () => {
  test('attaches a file without script, and shows its size and digest', async (t) => {
    const { byAnn, upload, list } = await startWithRelease(t)

    const answer = await upload(byAnn)

    assertStatus(answer, 303)
    assert.equal(answer.headers['location'], '/ann/one/releases/edit/v1#files')
    assert.deepEqual(names(await list()), ['app.bin'])
    assert.ok((await byAnn.get('/ann/one/releases/edit/v1')).text.includes(about))
  })

  test('gives the script of the page a record, also of what went wrong', async (t) => {
    const { byAnn, byBob, visitor, upload, assets } = await startWithRelease(t)
    const json = { accept: 'application/json' }

    const taken = await upload(byAnn, 'app.bin', json)
    const foreign = await upload(byBob, 'app.bin', json)
    const nothing = await byAnn.post(assets, { attachment: 'x' }, json)

    assertStatus(taken, 201)
    assert.deepEqual([taken.body.name, taken.body.about], ['app.bin', about])
    assert.equal((await visitor.get(taken.body.href as string)).text, 'hello')
    assertStatus(foreign, 403)
    assertStatus(nothing, 422)
    assert.ok(nothing.body.message)
  })

  test('takes nothing from strangers, from other sites, or without the right', async (t) => {
    const setup = await startWithRelease(t)
    const { byAnn, byBob, visitor, upload, list } = setup

    assertSessionEnded(await upload(visitor))
    assertStatus(await upload(byAnn, 'app.bin', fromElsewhere), 403)
    assertStatus(await upload(byBob), 403)
    await makePrivate(setup)
    assertStatus(await upload(byBob), 404)
    assert.deepEqual(await list(), [])
  })
})

suite('POST /{owner}/{repo}/releases/{id}/assets/{attachment}/delete', () => {
  test('deletes a file of the release, for those who may', async (t) => {
    const setup = await startWithRelease(t)
    const { app, ann, path, byAnn, byBob, visitor, upload, list, assets } = setup
    await upload(byAnn, `${evil.replaceAll('"', '').replaceAll('/', '')}.bin`)
    const [file] = await list()
    const address = `${assets}/${file.id as number}/delete`
    const page = await byAnn.get('/ann/one/releases/edit/v1')
    const [before = ''] = page.text.split(`<form method="post" action="${address}">`)
    assert.match(
      before,
      /<details class="drop-file"><summary aria-label="Delete [^"]+">.*<\/summary>\s*$/,
    )
    assert.equal(hasScript(page), false)
    const other = await app.post(ann, `${path}/releases`, { tag_name: 'v2' })
    const elsewhere = `/ann/one/releases/${other.body.id as number}/assets/${file.id as number}/delete`

    assertSessionEnded(await visitor.post(address))
    assertStatus(await byBob.post(address), 403)
    assertStatus(await byAnn.post(address, {}, fromElsewhere), 403)
    assertStatus(await byAnn.post(elsewhere), 404)
    assert.equal((await list()).length, 1)
    const answer = await byAnn.post(address)
    assert.equal(answer.headers['location'], '/ann/one/releases/edit/v1#files')
    assert.deepEqual(await list(), [])
  })
})
