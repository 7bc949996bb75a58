// One database is enough: what is read is in git.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  base64,
  commit,
  importInto,
  makePrivate,
  names,
  startWithRepository,
} from '../commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

suite('GET /repos/{owner}/{repo}/contents/{path}', () => {
  test('shows a file with its content and all of its addresses', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const sha = await commit(setup, { 'docs/a.txt': 'one\n' })

    const { status, body } = await app.get(undefined, `${path}/contents/docs/a.txt`)

    const api = 'http://codestead.test/api/v1/repos/ann/one'
    const page = 'http://codestead.test/ann/one'
    const self = `${api}/contents/docs/a.txt?ref=main`
    const html = `${page}/src/branch/main/docs/a.txt`
    const git = `${api}/git/blobs/5626abf0f72e58d7a153368ba57db4c673c0e171`
    const time = body.last_committer_date
    assert.equal(status, 200)
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    assert.deepEqual(Object.entries(body), [
      ['name', 'a.txt'],
      ['path', 'docs/a.txt'],
      ['sha', '5626abf0f72e58d7a153368ba57db4c673c0e171'],
      ['last_commit_sha', sha],
      ['last_committer_date', time],
      ['last_author_date', time],
      ['type', 'file'],
      ['mode', '100644'],
      ['size', 4],
      ['encoding', 'base64'],
      ['content', base64('one\n')],
      ['target', null],
      ['url', self],
      ['html_url', html],
      ['git_url', git],
      ['download_url', `${page}/raw/branch/main/docs/a.txt`],
      ['submodule_git_url', null],
      ['_links', { self, git, html }],
    ])
  })

  test('lists a folder without contents, with the last commit of each entry', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const first = await commit(setup, { 'docs/a.txt': 'one', 'docs/deep/b.txt': 'two' })
    const second = await commit(setup, { 'docs/deep/b.txt': 'three' })

    const { body } = await app.get(undefined, `${path}/contents/docs`)

    assert.deepEqual(names(body), ['a.txt', 'deep'])
    assert.partialDeepStrictEqual(body, [
      { type: 'file', size: 3, content: null, encoding: null, last_commit_sha: first },
      { type: 'dir', mode: '040000', size: 0, download_url: null, last_commit_sha: second },
    ])
  })

  test('finds the last commit of an entry on the other side of a merge', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const side = await commit(setup, { 'side.txt': 'x' }, { new_branch: 'side' })
    const main = await commit(setup, { 'main.txt': 'x' })
    await importInto(
      setup,
      `commit refs/heads/main\ncommitter A <a@b> 1700000000 +0000\ndata 5\nmerge\nfrom ${main}\nmerge ${side}\nM 100644 inline side.txt\ndata 1\nx\n`,
    )

    const { body } = await app.get(ann, `${path}/contents`)

    const found = Object.fromEntries(
      (body as { name: string; last_commit_sha: string }[]).map((entry) => [
        entry.name,
        entry.last_commit_sha,
      ]),
    )
    assert.partialDeepStrictEqual(found, { 'main.txt': main, 'side.txt': side })
  })

  test('shows the root at contents, with and without a slash behind it', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await commit(setup, { 'docs/a.txt': 'one' })

    for (const root of ['contents', 'contents/', 'contents?ref=main', 'contents/?ref=']) {
      const { status, body } = await app.get(undefined, `${path}/${root}`)
      assert.equal(status, 200)
      assert.deepEqual(names(body), ['README.md', 'docs'], root)
    }
  })

  test('reads at a branch, a tag and a commit, and says so in addresses', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const sha = await commit(setup, { 'a.txt': 'old' }, { new_branch: 'topic/a' })
    assertStatus(await app.post(ann, `${path}/tags`, { tag_name: 'v1', target: sha }), 201)
    const read = async (ref: string) =>
      (await app.get(ann, `${path}/contents/a.txt?ref=${encodeURIComponent(ref)}`)).body

    const page = 'http://codestead.test/ann/one'
    assert.equal((await read('topic/a')).html_url, `${page}/src/branch/topic/a/a.txt`)
    assert.match((await read('topic/a')).url, /\?ref=topic%2Fa$/)
    assert.equal((await read('v1')).html_url, `${page}/src/tag/v1/a.txt`)
    assert.equal((await read(sha)).html_url, `${page}/src/commit/${sha}/a.txt`)
    assert.equal((await read(sha.slice(0, 10))).content, base64('old'))
    assert.equal((await read('refs/heads/topic/a')).content, base64('old'))
    assertError(await app.get(ann, `${path}/contents/a.txt`), 404)
  })

  test('decodes each part of a path once', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await commit(setup, { 'dir/A+#&ä': 'odd', 'dir/%41': 'percent', A: 'letter' })
    const content = async (encoded: string) =>
      (await app.get(undefined, `${path}/contents/${encoded}`)).body.content

    assert.equal(await content('dir/A%2B%23%26%C3%A4'), base64('odd'))
    assert.equal(await content('dir%2FA+%23&ä'.replace('ä', '%c3%a4')), base64('odd'))
    assert.equal(await content('dir/%2541'), base64('percent'))
    assert.equal(await content('%41'), base64('letter'))
    const { body } = await app.get(undefined, `${path}/contents/dir/A%2B%23%26%C3%A4`)
    assert.match(body.url, /\/contents\/dir\/A\+%23&%C3%A4\?ref=main$/)
  })

  test('shows links, submodules and executable files as what they are', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const modules = '[submodule "x"]\n\tpath = sub\n\turl = https://example.org/sub.git\n'
    await importInto(
      setup,
      `commit refs/heads/odd\ncommitter A <a@b> 1700000000 +0200\ndata 1\nx` +
        `\nM 120000 inline link\ndata 6\ntarget\nM 100755 inline run\ndata 1\nx\nM 160000 ${'1'.repeat(40)} sub` +
        `\nM 100644 inline .gitmodules\ndata ${modules.length}\n${modules}`,
    )
    const read = async (name: string) =>
      (await app.get(undefined, `${path}/contents/${name}?ref=odd`)).body

    const link = await read('link')
    const sub = await read('sub')
    const run = await read('run')

    assert.partialDeepStrictEqual(link, { type: 'symlink', target: 'target', content: null })
    assert.partialDeepStrictEqual(sub, {
      type: 'submodule',
      sha: '1'.repeat(40),
      submodule_git_url: 'https://example.org/sub.git',
      html_url: null,
      download_url: null,
    })
    assert.partialDeepStrictEqual(run, { type: 'file', mode: '100755' })
    assert.equal(run.last_committer_date, '2023-11-15T00:13:20+02:00')
    assertError(await app.get(undefined, `${path}/contents/link/below?ref=odd`), 404)
    const listed = (await app.get(undefined, `${path}/contents?ref=odd`)).body
    assert.deepEqual(listed.slice(1), [link, { ...run, content: null, encoding: null }, sub])
  })

  test('leaves out the content of a file above the limit', async (t) => {
    const setup = await startWithRepository(t, { api: { default_max_blob_size: '10B' } })
    const { app, path } = setup
    await commit(setup, { small: '1234567890', large: '12345678901' })

    const small = await app.get(undefined, `${path}/contents/small`)
    const large = await app.get(undefined, `${path}/contents/large`)

    assert.equal(small.body.content, base64('1234567890'))
    assert.partialDeepStrictEqual(large.body, { size: 11, content: null, encoding: null })
  })

  test('does not find unknown paths and refs, nor anything in an empty repository', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    await app.post(ann, '/user/repos', { name: 'empty' })

    for (const bad of [
      'contents/missing',
      'contents/README.md/below',
      'contents/README.md?ref=missing',
      'contents/README.md?ref=--output=x',
      'contents/README.md?ref=main%5E%7Btree%7D',
      'contents/README.md?ref=main:README.md',
      'contents/..%2Fx',
      'contents/README.md%0A',
    ]) {
      assertError(await app.get(ann, `${path}/${bad}`), 404)
    }
    assertError(await app.get(ann, '/repos/ann/empty/contents'), 404)
    assertError(await app.get(ann, '/repos/ann/empty/contents/a.txt'), 404)
  })

  test('is for those who may read the code', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    await makePrivate(setup)

    assertStatus(await app.get(ann, `${path}/contents`), 200)
    assertError(await app.get(bob, `${path}/contents`), 404, 'not found')
    assertError(await app.get(undefined, `${path}/contents/README.md`), 404, 'not found')
  })

  test('is refused to all but administrators where the code is switched off', async (t) => {
    const { app, ann, bob, path } = await startWithRepository(t)
    assertStatus(await app.patch(ann, path, { has_code: false }), 200)

    for (const part of ['contents', 'commits', 'branches', 'tags', 'raw/README.md', 'git/refs']) {
      assertError(await app.get(bob, `${path}/${part}`), 403)
      assertStatus(await app.get(ann, `${path}/${part}`), 200)
    }
  })

  test('follows a repository to its new name with the rest of the path', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    assertStatus(await app.patch(ann, path, { name: 'two' }), 200)

    const { status, headers } = await app.get(ann, `${path}/contents/one/a%20b?ref=main`)

    assert.equal(status, 301)
    assert.equal(headers['location'], '/api/v1/repos/ann/two/contents/one/a%20b?ref=main')
  })
})

suite('POST /repos/{owner}/{repo}/file-contents', () => {
  test('shows the files in the order asked for, and null for what is none', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const sha = await commit(setup, { 'a/b.txt': 'alpha' })
    const files = ['README.md', 'missing', 'a', 'a/b.txt', 'README.md']

    const { status, body } = await app.post(undefined, `${path}/file-contents`, { files })

    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, [
      { path: 'README.md', encoding: 'base64' },
      null,
      null,
      { path: 'a/b.txt', content: base64('alpha'), last_commit_sha: sha },
      { path: 'README.md' },
    ])
  })

  test('takes the names from the query too', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await commit(setup, { 'a.txt': 'alpha' }, { new_branch: 'side' })
    const query = encodeURIComponent(JSON.stringify({ files: ['a.txt'] }))

    const { body } = await app.get(undefined, `${path}/file-contents?ref=side&body=${query}`)

    assert.partialDeepStrictEqual(body, [{ path: 'a.txt', content: base64('alpha') }])
  })

  test('leaves contents out when the answer would grow too large', async (t) => {
    const setup = await startWithRepository(t, { api: { default_max_response_size: '12B' } })
    const { app, path } = setup
    await commit(setup, { a: '1234567890', b: '1234567890', c: '12' })

    const { body } = await app.post(undefined, `${path}/file-contents`, { files: ['a', 'b', 'c'] })

    assert.deepEqual(
      (body as { content: string | null }[]).map(({ content }) => content),
      [base64('1234567890'), null, base64('12')],
    )
  })

  test('shows no more files than a page has items', async (t) => {
    const setup = await startWithRepository(t, { api: { max_response_items: 2 } })
    const { app, path } = setup
    await commit(setup, { a: '1', b: '2', c: '3' })

    const { body } = await app.post(undefined, `${path}/file-contents`, { files: ['a', 'b', 'c'] })

    assert.partialDeepStrictEqual(body, [{ path: 'a' }, { path: 'b' }, null])
  })

  test('refuses bad bodies, and does not find unknown refs', async (t) => {
    const { app, path } = await startWithRepository(t)
    const files = ['README.md']

    assertError(await app.post(undefined, `${path}/file-contents`, {}), 422, '[Files]: Required')
    assertError(await app.get(undefined, `${path}/file-contents?body=nonsense`), 422, /^\[\]: /)
    assertError(await app.get(undefined, `${path}/file-contents`), 422)
    assertError(await app.post(undefined, `${path}/file-contents?ref=missing`, { files }), 404)
  })
})
