// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { upload } from '../../repositories/attachments/form.ts'
import { makePrivate, startWithRepository, type Setup } from '../../code/commits/setup.ts'
import { signIn } from '../support.ts'
import { edit, evil, hasScript, visit, wordsOf } from './support.ts'

async function release(
  { app, ann }: Setup,
  body: Readonly<Record<string, unknown>>,
): Promise<number> {
  const made = await app.post(ann, '/repos/ann/one/releases', body)
  assert.equal(made.status, 201, made.text)
  return made.body.id as number
}

suite('GET /{owner}/{repo}/releases', () => {
  test('shows notes, files with size, digest and downloads, and the source', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    const body = `## New\n\n[guide](docs/guide.md) ${evil}`
    const id = await release(setup, { tag_name: 'v1.0', name: `First ${evil}`, body })
    await upload(app, ann, `/repos/ann/one/releases/${id}/assets`, {
      filename: 'a b.bin',
      content: 'hello',
    })
    await visit(app, '/ann/one/releases/download/v1.0/a%20b.bin')

    const page = await visit(app, '/ann/one/releases')

    assert.equal(page.status, 200)
    assert.match(page.text, /<h2><a href="\/ann\/one\/releases\/tag\/v1\.0">First &lt;script&gt;/)
    assert.match(page.text, /<h3 dir="auto" id="user-content-new">New<\/h3>/)
    assert.match(page.text, /href="\/ann\/one\/src\/tag\/v1\.0\/docs\/guide\.md"/)
    assert.match(page.text, /href="\/ann\/one\/releases\/download\/v1\.0\/a%20b\.bin">a b\.bin</)
    assert.match(
      page.text,
      /title="sha256:2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"/,
    )
    assert.match(wordsOf(page), /1 download · 5 bytes/)
    assert.match(page.text, /href="\/ann\/one\/archive\/v1\.0\.tar\.gz"/)
    assert.match(page.text, /<span class="tag good">Latest<\/span>/)
    assert.ok(!hasScript(page))
  })

  test('marks those whose tag a rule protects', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    for (const tag_name of ['v1', 'v2']) await release(setup, { tag_name })
    await release(setup, { tag_name: 'v1.1', draft: true })
    const rule = { name_pattern: 'v1*', whitelist_usernames: ['ann'] }
    assert.equal((await app.post(ann, '/repos/ann/one/tag_protections', rule)).status, 201)

    for (const page of [
      await visit(app, '/ann/one/releases'),
      await (await signIn(app, 'ann')).get('/ann/one/releases'),
      await visit(app, '/ann/one/releases/tag/v1'),
    ]) {
      assert.match(wordsOf(page), /ann released this just now v1 Protected/)
      assert.equal(page.text.match(/>Protected</g)?.length, 1)
    }
    assert.doesNotMatch((await visit(app, '/ann/one/releases/tag/v2')).text, />Protected</)
  })

  test('links issues and people that notes name, and pictures of other sites', async (t) => {
    const setup = await startWithRepository(t)
    const body = 'Mends #7, thanks @bob ![far](https://example.org/x.png) [down](#new)\n\n## New'
    await release(setup, { tag_name: 'v1.0', body })

    const { text } = await visit(setup.app, '/ann/one/releases/tag/v1.0')

    assert.match(text, /<a href="\/ann\/one\/issues\/7" rel="nofollow noopener">#7<\/a>/)
    assert.match(text, /<a href="\/bob" rel="nofollow noopener">@bob<\/a>/)
    assert.match(text, /<a href="https:\/\/example\.org\/x\.png" rel="[^"]+">far<\/a>/)
    assert.match(text, /href="#user-content-new"/)
  })

  test('shows drafts to those who write releases, and to nobody else', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    // What is published is as old as its commit, a draft as old as itself.
    app.passTime(60)
    await release(setup, { tag_name: 'v2', name: 'Secret', draft: true })
    await release(setup, { tag_name: 'v1', name: 'Soon', prerelease: true })
    const [ann, bob] = [await signIn(app, 'ann'), await signIn(app, 'bob')]

    assert.match(wordsOf(await ann.get('/ann/one/releases')), /Secret Draft .*Soon Pre-release/)
    assert.equal((await ann.get('/ann/one/releases/tag/v2')).status, 200)
    for (const who of [bob, undefined]) {
      const path = '/ann/one/releases'
      const list = await (who ? who.get(path) : visit(app, path))
      const one = await (who ? who.get(`${path}/tag/v2`) : visit(app, `${path}/tag/v2`))
      assert.doesNotMatch(list.text, /Secret/)
      assert.match(list.text, /Soon/)
      assert.equal(one.status, 404)
    }
  })

  test('goes page by page', async (t) => {
    const setup = await startWithRepository(t)
    for (let number = 1; number <= 11; number++)
      await release(setup, { tag_name: `v${number}.0`, name: `Number ${number}.` })

    const first = await visit(setup.app, '/ann/one/releases')
    const second = await visit(setup.app, '/ann/one/releases?page=2')

    assert.match(first.text, /Number 11\./)
    assert.doesNotMatch(first.text, /Number 1\./)
    assert.match(second.text, /Number 1\./)
    assert.doesNotMatch(second.text, />Latest</)
  })

  test('says what the place is for where there are none', async (t) => {
    const setup = await startWithRepository(t)
    const ann = await signIn(setup.app, 'ann')

    assert.match(
      wordsOf(await visit(setup.app, '/ann/one/releases')),
      /no releases yet A release is a tag with notes/,
    )
    assert.match(wordsOf(await ann.get('/ann/one/releases')), /Publish one/)
  })

  test('is missing where the unit is off or the repository is not shown', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    await release(setup, { tag_name: 'v1' })
    const paths = ['releases', 'releases/tag/v1', 'releases/latest']

    await makePrivate(setup)
    for (const path of paths) assert.equal((await visit(app, `/ann/one/${path}`)).status, 404, path)
    await edit(setup, { private: false, has_releases: false })
    for (const path of paths) assert.equal((await visit(app, `/ann/one/${path}`)).status, 404, path)
  })
})

suite('GET /{owner}/{repo}/releases/tag/{tag}', () => {
  test('shows one release, whatever slashes its tag has', async (t) => {
    const setup = await startWithRepository(t)
    await release(setup, { tag_name: 'app/v1.0', name: 'App' })
    await release(setup, { tag_name: 'v9', name: 'Other' })

    const page = await visit(setup.app, '/ann/one/releases/tag/app/v1.0')

    assert.equal(page.status, 200)
    assert.match(page.text, /<title>App · ann\/one/)
    assert.doesNotMatch(page.text, /Other/)
    for (const tag of ['none', 'app', 'main', 'app%2Fv1.0%00'])
      assert.equal((await visit(setup.app, `/ann/one/releases/tag/${tag}`)).status, 404, tag)
  })

  test('is led to by the latest', async (t) => {
    const setup = await startWithRepository(t)
    assert.equal((await visit(setup.app, '/ann/one/releases/latest')).status, 404)
    await release(setup, { tag_name: 'app/v1', name: 'App' })

    const latest = await visit(setup.app, '/ann/one/releases/latest')

    assert.equal(latest.status, 303)
    assert.equal(latest.headers['location'], '/ann/one/releases/tag/app/v1')
  })
})
