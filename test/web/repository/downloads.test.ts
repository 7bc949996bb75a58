// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { upload } from '../../repositories/attachments/form.ts'
import { makePrivate, startWithRepository, type Setup } from '../../code/commits/setup.ts'
import { callerWith } from '../../support/app.ts'
import { signIn, Visitor } from '../support.ts'

async function attach({ app, ann }: Setup): Promise<{ release: string; issue: string }> {
  const release = await app.post(ann, '/repos/ann/one/releases', { tag_name: 'v1' })
  const assets = `/repos/ann/one/releases/${release.body.id}/assets?name=a.bin`
  const file = await upload(app, ann, assets)
  const issue = await app.post(ann, '/repos/ann/one/issues', { title: 'One' })
  const log = await upload(app, ann, `/repos/ann/one/issues/${issue.body.number}/assets`)
  return { release: file.body.uuid as string, issue: log.body.uuid as string }
}

suite('what pages of a private repository link to', () => {
  test('is given to a session, and to nobody without one', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    const { release, issue } = await attach(setup)
    await makePrivate(setup)
    const visitor = await signIn(app, 'ann')

    for (const path of [
      '/ann/one/raw/branch/main/README.md',
      '/ann/one/media/branch/main/README.md',
      '/ann/one/archive/main.zip',
      '/ann/one/releases/download/v1/a.bin',
      `/ann/one/releases/attachments/${release}`,
      `/attachments/${issue}`,
      `/ann/one/issues/1/attachments/${issue}`,
    ]) {
      assert.equal((await visitor.get(path)).status, 200, path)
      assert.equal((await new Visitor(app).get(path)).status, 404, path)
    }
    assert.equal((await app.get(ann, '^/ann/one/raw/branch/main/README.md')).status, 200)
  })

  test('is told by the credential where one is shown beside the session', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob } = setup
    await makePrivate(setup)
    const visitor = await signIn(app, 'ann')
    const path = '/ann/one/raw/branch/main/README.md'

    assert.equal((await visitor.get(path, bob.headers)).status, 404)
    const wrong = callerWith(ann.account, { authorization: 'token 0000' })
    assert.equal((await visitor.get(path, wrong.headers)).status, 401)
    assert.equal((await visitor.get(`${path}?sudo=bob`)).status, 403)
  })

  test('is not opened by the session at the API', async (t) => {
    const setup = await startWithRepository(t)
    await makePrivate(setup)
    const visitor = await signIn(setup.app, 'ann')

    for (const path of ['raw/README.md', 'archive/main.zip', 'contents'])
      assert.equal((await visitor.get(`/api/v1/repos/ann/one/${path}`)).status, 404, path)
    assert.equal((await visitor.get('/ann/one.git/info/refs?service=git-upload-pack')).status, 401)
  })
})

suite('pages of a private repository', () => {
  test('are shown to those who are signed in and may see it', async (t) => {
    const setup = await startWithRepository(t)
    await makePrivate(setup)
    const [ann, bob] = [await signIn(setup.app, 'ann'), await signIn(setup.app, 'bob')]

    for (const path of ['', '/src/branch/main', '/src/branch/main/README.md']) {
      const shown = await ann.get(`/ann/one${path}`)
      assert.equal(shown.status, 200, path)
      assert.match(shown.text, /<span class="tag">Private<\/span>/)
      assert.equal(shown.headers['cache-control'], 'private, no-store')
      assert.equal((await bob.get(`/ann/one${path}`)).status, 404, path)
    }
  })
})
