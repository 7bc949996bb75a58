// One database is enough: what is read is in git.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import {
  base64,
  commit,
  folderOf,
  importInto,
  makePrivate,
  startWithRepository,
  type Setup,
} from './setup.ts'

const wrong = '1'.repeat(40)

async function messages({ app }: Setup, address: string): Promise<readonly string[]> {
  const { body } = await app.get(undefined, address)
  return (body as { commit: { message: string } }[]).map((item) => item.commit.message.trim())
}

suite('GET /repos/{owner}/{repo}/commits', () => {
  test('lists commits with authors, files and lines, newest first', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const id = await commit(setup, { 'b.txt': 'two\n', 'a.txt': 'one\n' }, { message: 'two files' })

    const { status, body } = await app.get(ann, `${path}/commits`)

    const [newest, oldest] = body
    const url = `http://codestead.test/api/v1${path}/git/commits/${id}`
    assert.equal(status, 200)
    assert.equal(body.length, 2)
    assert.deepEqual(Object.keys(newest), [
      'url',
      'sha',
      'created',
      'html_url',
      'commit',
      'author',
      'committer',
      'parents',
      'files',
      'stats',
    ])
    assert.deepEqual(Object.keys(newest.commit), [
      'url',
      'author',
      'committer',
      'message',
      'tree',
      'verification',
    ])
    assert.partialDeepStrictEqual(newest, {
      url,
      sha: id,
      html_url: `http://codestead.test/ann/one/commit/${id}`,
      commit: { url, message: 'two files\n', tree: { sha: id } },
      author: { login: 'ann', email: `${ann.id}+ann@noreply.codestead.test` },
      committer: { login: 'ann', email: `${ann.id}+ann@noreply.codestead.test` },
      parents: [{ sha: oldest.sha, created: '0001-01-01T00:00:00Z' }],
      stats: { total: 2, additions: 2, deletions: 0 },
    })
    assert.deepEqual(newest.files, [
      { filename: 'a.txt', status: 'added' },
      { filename: 'b.txt', status: 'added' },
    ])
    assert.partialDeepStrictEqual(oldest, {
      commit: { message: 'Initial commit\n' },
      parents: [],
      files: [{ filename: 'README.md', status: 'added' }],
    })
  })

  test('names added, removed and modified files in this order', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { a: '1\n', b: '2\n' })
    const sha = async (name: string) => (await app.get(ann, `${path}/contents/${name}`)).body.sha
    await app.post(ann, `${path}/contents`, {
      files: [
        { operation: 'update', path: 'a', content: 'MQoyCg==', sha: await sha('a') },
        { operation: 'delete', path: 'b', sha: await sha('b') },
        { operation: 'create', path: 'c', content: 'AA==' },
      ],
    })

    const { body } = await app.get(undefined, `${path}/commits?limit=1`)

    assert.deepEqual(body[0].files, [
      { filename: 'c', status: 'added' },
      { filename: 'b', status: 'removed' },
      { filename: 'a', status: 'modified' },
    ])
    assert.deepEqual(body[0].stats, { total: 2, additions: 1, deletions: 1 })
  })

  test('leaves out what is not wanted', async (t) => {
    const { app, path } = await startWithRepository(t)

    const { body } = await app.get(
      undefined,
      `${path}/commits?stat=false&files=false&verification=false`,
    )
    const files = await app.get(undefined, `${path}/commits?stat=false`)

    assert.partialDeepStrictEqual(body[0], {
      files: null,
      stats: null,
      commit: { verification: null },
    })
    assert.equal(files.body[0].stats, null)
    assert.equal(files.body[0].files.length, 1)
  })

  test('tells about pages in the usual headers and in older ones', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await commit(setup, { a: 'x' })

    const first = await app.get(undefined, `${path}/commits?limit=1`)
    const beyond = await app.get(undefined, `${path}/commits?page=3&limit=1`)

    assert.partialDeepStrictEqual(first.headers, {
      'x-total-count': '2',
      'x-total': '2',
      'x-page': '1',
      'x-perpage': '1',
      'x-pagecount': '2',
      'x-hasmore': 'true',
    })
    assert.match(first.headers['link'] ?? '', /page=2>; rel="next"/)
    const names = 'X-Total-Count, X-Page, X-PerPage, X-Total, X-PageCount, X-HasMore'
    assert.equal(first.headers['access-control-expose-headers'], `Link, ${names}`)
    assert.deepEqual(beyond.body, [])
    assert.equal(beyond.headers['x-hasmore'], 'false')
    const whole = await app.get(undefined, `${path}/commits`)
    assert.equal(whole.headers['access-control-expose-headers'], names)
  })

  test('begins at a branch, tag or id, and leaves out what another reaches', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const first = await commit(setup, { a: 'x' }, { message: 'first' })
    await commit(setup, { b: 'x' }, { message: 'on side', new_branch: 'side' })
    await app.post(ann, `${path}/tags`, { tag_name: 'v1', target: 'side', message: 'x' })
    const all = ['on side', 'first', 'Initial commit']

    assert.deepEqual(await messages(setup, `${path}/commits?sha=side`), all)
    assert.deepEqual(await messages(setup, `${path}/commits?sha=v1`), all)
    assert.deepEqual(await messages(setup, `${path}/commits?sha=${first}`), all.slice(1))
    assert.deepEqual(await messages(setup, `${path}/commits?sha=side&not=main`), ['on side'])
  })

  test('follows a file or folder, whatever its name means to git', async (t) => {
    const setup = await startWithRepository(t)
    const { path } = setup
    await commit(setup, { 'd/a': 'x', ':(top)x': 'x' }, { message: 'first' })
    await commit(setup, { b: 'x' }, { message: 'second' })

    assert.deepEqual(await messages(setup, `${path}/commits?path=d/a`), ['first'])
    assert.deepEqual(await messages(setup, `${path}/commits?path=d/`), ['first'])
    assert.deepEqual(await messages(setup, `${path}/commits?path=%3A(top)x`), ['first'])
  })

  test('chooses by time', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const dates = (time: string) => ({ dates: { author: time, committer: time } })
    await commit(setup, { a: 'x' }, { message: 'later', ...dates('2090-01-02T00:00:00Z') })
    await commit(setup, { b: 'x' }, { message: 'last', ...dates('2091-01-02T00:00:00Z') })

    const since = await app.get(undefined, `${path}/commits?since=2090-06-01T00:00:00%2B02:00`)
    assert.equal(since.headers['x-total-count'], '1')
    assert.equal(since.body[0].commit.message, 'last\n')
    const until = `${path}/commits?until=2090-06-01T00:00:00Z`
    assert.deepEqual(await messages(setup, until), ['later', 'Initial commit'])
    assert.deepEqual(await messages(setup, `${path}/commits?path=a&since=2091-01-01T00:00:00Z`), [])
    assertError(
      await app.get(undefined, `${path}/commits?since=yesterday`),
      422,
      "invalid 'since' format, expected ISO 8601 (RFC3339)",
    )
    assertError(await app.get(undefined, `${path}/commits?until=2090-13-01T00:00:00Z`), 422)
    assertError(await app.get(undefined, `${path}/commits?since=2030-02-30T00:00:00Z`), 422)
    assertError(await app.get(undefined, `${path}/commits?since=2030-01-02T24:00:00Z`), 422)
  })

  test('does not find unknown refs and paths; an empty repository is a conflict', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    await app.post(ann, '/user/repos', { name: 'empty' })

    for (const query of ['sha=missing', 'sha=--all', 'not=missing', 'path=missing']) {
      assertError(await app.get(undefined, `${path}/commits?${query}`), 404, 'not found')
    }
    for (const outside of ['..', '../x', 'a/../../x', '/../x']) {
      const query = new URLSearchParams({ path: outside })
      assertError(await app.get(undefined, `${path}/commits?${query}`), 404, 'not found')
    }
    assertError(await app.get(ann, '/repos/ann/empty/commits'), 409, 'Git Repository is empty.')
  })

  test('survives commits that were made badly', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const folder = await folderOf(app, 'one')
    const tree = await app.ctx.git.text(folder, ['rev-parse', 'refs/heads/main^{tree}'])
    const content = `tree ${tree}\nauthor nobody\ncommitter X <x@y> 99999999999999 +0130\n\nno newline`
    const id = await app.ctx.git.text(
      folder,
      ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'],
      { input: content },
    )
    await app.ctx.git.run(folder, ['update-ref', 'refs/heads/bad', id])

    const { status, body } = await app.get(undefined, `${path}/commits?sha=bad`)

    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body[0].commit, {
      message: 'no newline',
      author: { name: '', email: '', date: '1970-01-01T00:00:00Z' },
    })
    assert.match(body[0].commit.committer.date, /^999[89]-.*\+01:30$/)
  })

  test('shows signatures, and what they sign', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const folder = await folderOf(app, 'one')
    const tree = await app.ctx.git.text(folder, ['rev-parse', 'refs/heads/main^{tree}'])
    const head = `tree ${tree}\nauthor X <x@y> 1 +0000\ncommitter X <x@y> 1 +0000\n`
    const signature = '-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----'
    const input = `${head}gpgsig ${signature.replaceAll('\n', '\n ')}\n\nsigned\n`
    const id = await app.ctx.git.text(folder, ['hash-object', '-t', 'commit', '-w', '--stdin'], {
      input,
    })

    const { body } = await app.get(undefined, `${path}/git/commits/${id}`)

    assert.deepEqual(body.commit.verification, {
      verified: false,
      reason: 'gpg.error.extract_sign',
      signature,
      signer: null,
      payload: `${head}\nsigned\n`,
    })
  })

  test('is for those who may read the code', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    await makePrivate(setup)

    assertStatus(await app.get(ann, `${path}/commits`), 200)
    assertError(await app.get(bob, `${path}/commits`), 404)
  })
})

suite('GET /repos/{owner}/{repo}/git/commits/{sha}', () => {
  test('shows a commit by its id, the beginning of it, a branch or a tag', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const id = await commit(setup, { a: 'x' }, { new_branch: 'topic/a' })
    await app.post(ann, `${path}/tags`, { tag_name: 'v1.0', target: id })

    for (const name of [id, id.slice(0, 8), 'topic%2Fa', 'v1.0']) {
      for (const root of ['git/commits', 'commits']) {
        const { status, body } = await app.get(undefined, `${path}/${root}/${name}`)
        assert.equal(status, 200)
        assert.partialDeepStrictEqual(body, { sha: id, files: [{ filename: 'a' }] })
      }
    }
    const bare = await app.get(undefined, `${path}/git/commits/${id}?stat=false&files=false`)
    assert.partialDeepStrictEqual(bare.body, { files: null, stats: null })
  })

  test('counts the lines of a file that moved which differ, in numbers and as text', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}\n`)
    await commit(setup, { 'm/old.txt': lines.join(''), 'n.txt': 'x\n' })
    const { sha } = (await app.get(ann, `${path}/contents/m/old.txt`)).body
    const content = base64(['a new line\n', ...lines].join(''))
    const moved = { from_path: 'm/old.txt', path: 'a/new.txt', sha, content }
    const files = [{ operation: 'update', ...moved }]
    const id = (await app.post(ann, `${path}/contents`, { files })).body.commit.sha as string

    const { body } = await app.get(undefined, `${path}/git/commits/${id}`)
    const diff = await app.get(undefined, `${path}/git/commits/${id}.diff`)
    const patch = await app.get(undefined, `${path}/git/commits/${id}.patch`)

    assert.deepEqual(body.stats, { total: 1, additions: 1, deletions: 0 })
    assert.deepEqual(body.files, [
      { filename: 'a/new.txt', status: 'added' },
      { filename: 'm/old.txt', status: 'removed' },
    ])
    for (const { text } of [diff, patch]) {
      assert.match(text, /^rename from m\/old.txt\nrename to a\/new.txt$/m)
      assert.doesNotMatch(text, /^-line/m)
    }
  })

  test('compares a merge with its first parent', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const side = await commit(setup, { side: 'x\n' }, { new_branch: 'side' })
    const main = await commit(setup, { main: 'x\n' })
    await importInto(
      setup,
      `commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 1\nm\nfrom ${main}\nmerge ${side}\nM 100644 inline side\ndata 2\nx\n\n`,
    )

    const { body } = await app.get(undefined, `${path}/git/commits/main`)
    const diff = await app.get(undefined, `${path}/git/commits/main.diff`)

    assert.deepEqual(
      (body.parents as { sha: string }[]).map(({ sha }) => sha),
      [main, side],
    )
    assert.deepEqual(body.files, [{ filename: 'side', status: 'added' }])
    assert.match(diff.text, /^diff --git a\/side b\/side/)
    const patch = await app.get(undefined, `${path}/git/commits/main.patch`)
    assert.deepEqual(patch.text.match(/^From \w+/gm), [`From ${side}`])
  })

  test('gives the difference as text', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const id = await commit(setup, { 'a.txt': 'one\n' }, { message: 'first' })
    const root = (await app.get(undefined, `${path}/commits?page=2&limit=1`)).body[0].sha

    const diff = await app.get(undefined, `${path}/git/commits/${id}.diff`)
    const patch = await app.get(undefined, `${path}/git/commits/${id}.patch`)
    const first = await app.get(undefined, `${path}/git/commits/${root}.diff`)

    assert.equal(diff.headers['content-type'], 'text/plain; charset=utf-8')
    assert.equal(
      diff.text,
      'diff --git a/a.txt b/a.txt\nnew file mode 100644\nindex 0000000..5626abf\n' +
        '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+one\n',
    )
    assert.ok(patch.text.startsWith(`From ${id} `))
    assert.match(patch.text, /^Subject: \[PATCH\] first$/m)
    assert.match(first.text, /^diff --git a\/README.md b\/README.md/)
  })

  test('does not find unknown commits, and refuses what is no name', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    await app.post(ann, '/user/repos', { name: 'empty' })
    const blob = (await app.get(ann, `${path}/contents/README.md`)).body.sha

    for (const name of [wrong, 'missing', blob, `${wrong}.diff`, 'missing.patch']) {
      assertError(
        await app.get(undefined, `${path}/git/commits/${name}`),
        404,
        `commit doesn't exist: ${name.replace(/\.(diff|patch)$/, '')}`,
      )
    }
    for (const name of ['a..b', '--all', 'main~1', 'main%5E', 'main%3AREADME.md', '@%7B1%7D'])
      assertError(await app.get(undefined, `${path}/git/commits/${name}`), 422, /^no valid ref/)
    assertError(await app.get(ann, '/repos/ann/empty/git/commits/main'), 404)
  })
})
