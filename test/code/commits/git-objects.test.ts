// One database is enough: what is read is in git.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import { base64, commit, folderOf, importInto, makePrivate, startWithRepository } from './setup.ts'

const wrong = '1'.repeat(40)

function paths({ tree }: { tree: readonly { readonly path: string }[] }): readonly string[] {
  return tree.map(({ path }) => path)
}

suite('GET /repos/{owner}/{repo}/git/trees/{sha}', () => {
  test('lists the entries of a tree with their addresses', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const id = await commit(setup, { 'src/a.txt': 'alpha\n' })

    const { status, body, headers } = await app.get(undefined, `${path}/git/trees/main`)

    const api = `http://codestead.test/api/v1${path}/git`
    const [readme, src] = body.tree
    assert.equal(status, 200)
    assert.equal(headers['x-total-count'], '2')
    assert.deepEqual(body, {
      sha: id,
      url: `${api}/trees/${id}`,
      tree: [
        {
          path: 'README.md',
          mode: '100644',
          type: 'blob',
          size: 7,
          sha: readme.sha,
          url: `${api}/blobs/${readme.sha}`,
        },
        {
          path: 'src',
          mode: '040000',
          type: 'tree',
          size: 0,
          sha: src.sha,
          url: `${api}/trees/${src.sha}`,
        },
      ],
      truncated: false,
      page: 1,
      total_count: 2,
    })
    assert.deepEqual(paths((await app.get(undefined, `${path}/git/trees/${src.sha}`)).body), [
      'a.txt',
    ])
  })

  test('lists the trees within, by pages', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await commit(setup, { 'src/a.txt': 'alpha\n', 'src/deep/b c': 'x' })
    const tree = async (query: string) =>
      (await app.get(undefined, `${path}/git/trees/main?${query}`)).body

    const all = await tree('recursive=true')
    const part = await tree('recursive=1&per_page=2')
    const last = await tree('recursive=true&per_page=2&page=3')

    const expected = ['README.md', 'src', 'src/a.txt', 'src/deep', 'src/deep/b c']
    assert.deepEqual(paths(all), expected)
    assert.partialDeepStrictEqual(part, { truncated: true, page: 1, total_count: 5 })
    assert.deepEqual(paths(part), expected.slice(0, 2))
    assert.partialDeepStrictEqual(last, { truncated: false, page: 3, total_count: 5 })
    assert.deepEqual(paths(last), expected.slice(4))
    assert.deepEqual((await tree('page=999999999999999999')).tree, [])
  })

  test('shows submodules without an address', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await importInto(
      setup,
      `commit refs/heads/odd\ncommitter A <a@b> 1 +0000\ndata 1\nx\nM 160000 ${wrong} sub\n`,
    )

    const { body } = await app.get(undefined, `${path}/git/trees/odd`)

    assert.partialDeepStrictEqual(body.tree, [{ type: 'commit', mode: '160000', size: 0, url: '' }])
  })

  test('shows as git does what old versions of it have written', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const folder = await folderOf(app, 'one')
    const { sha } = (await app.get(undefined, `${path}/contents/README.md`)).body
    const modes = ['100600', '100664', '100775', '120777', '40755', '160000']
    const input = Buffer.concat(
      modes.flatMap((mode, index) => [Buffer.from(`${mode} ${index}\0`), Buffer.from(sha, 'hex')]),
    )
    const write = ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally']
    const id = await app.ctx.git.text(folder, write, { input })

    const { body } = await app.get(undefined, `${path}/git/trees/${id}`)

    const listed = await app.ctx.git.text(folder, ['ls-tree', id])
    assert.deepEqual(
      body.tree.map(({ mode, type, sha: entry, path: name }: Record<string, string>) =>
        [`${mode} ${type} ${entry}`, name].join('\t'),
      ),
      listed.split('\n'),
    )
  })

  test('lists a tree that is too large to be read at once', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const folder = await folderOf(app, 'one')
    const { sha } = (await app.get(undefined, `${path}/contents/README.md`)).body
    const lines = Array.from({ length: 6_000 }, (_, index) => {
      return `100644 blob ${sha}\t${String(index).padStart(200, '0')}\n`
    })
    const id = await app.ctx.git.text(folder, ['mktree'], { input: lines.join('') })

    const { body } = await app.get(undefined, `${path}/git/trees/${id}?page=6`)

    assert.partialDeepStrictEqual(body, { truncated: false, total_count: 6_000, page: 6 })
    assert.equal(body.tree.at(-1).path, '5999'.padStart(200, '0'))
  })

  test('stops in a tree that is too large', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    // Each level holds the one below it ten times: a hundred thousand paths in a handful of
    // objects.
    const folder = await folderOf(app, 'one')
    const make = (input: string) => app.ctx.git.text(folder, ['mktree'], { input })
    const blob = (await app.get(undefined, `${path}/contents/README.md`)).body.sha
    let id = await make(`100644 blob ${blob}\tfile\n`)
    for (let level = 0; level < 5; level++) {
      const names = Array.from({ length: 10 }, (_, index) => `040000 tree ${id}\td${index}\n`)
      id = await make(names.join(''))
    }

    const { status, body } = await app.get(undefined, `${path}/git/trees/${id}?recursive=true`)

    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { truncated: true, total_count: 50_000 })
    assert.equal(body.tree.length, 1000)
  })

  test('refuses unknown names', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    await app.post(ann, '/user/repos', { name: 'empty' })

    assertError(
      await app.get(undefined, `${path}/git/trees/missing`),
      400,
      'sha not found [missing]',
    )
    for (const name of [wrong, '--all', 'main:src', 'main%5E%7Btree%7D'])
      assertError(await app.get(undefined, `${path}/git/trees/${name}`), 400)
    assertError(await app.get(ann, '/repos/ann/empty/git/trees/main'), 400)
    await makePrivate(setup)
    assertError(await app.get(bob, `${path}/git/trees/main`), 404)
  })
})

suite('GET /repos/{owner}/{repo}/git/blobs/{sha}', () => {
  test('shows a blob', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await commit(setup, { a: 'alpha\n' })
    const { sha, git_url: url } = (await app.get(undefined, `${path}/contents/a`)).body

    const { body } = await app.get(undefined, `${path}/git/blobs/${sha}`)

    assert.deepEqual(Object.entries(body), [
      ['content', base64('alpha\n')],
      ['encoding', 'base64'],
      ['url', url],
      ['sha', sha],
      ['size', 6],
    ])
  })

  test('leaves the content out above the limit', async (t) => {
    const setup = await startWithRepository(t, { api: { default_max_blob_size: '5B' } })
    const { app, path } = setup
    await commit(setup, { a: 'alpha\n' })
    const { sha } = (await app.get(undefined, `${path}/contents/a`)).body

    const { body } = await app.get(undefined, `${path}/git/blobs/${sha}`)

    assert.partialDeepStrictEqual(body, { content: null, encoding: null, size: 6 })
  })

  test('refuses what is no id of a blob', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    const id = await commit(setup, { a: 'x' })

    assertError(
      await app.get(undefined, `${path}/git/blobs/${wrong}`),
      400,
      `object does not exist [id: ${wrong}, rel_path: ]`,
    )
    for (const name of [id, 'main', 'main:a', '--help'])
      assertError(await app.get(undefined, `${path}/git/blobs/${name}`), 400)
  })
})

suite('GET /repos/{owner}/{repo}/git/refs', () => {
  test('lists references, all or those below a prefix', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const id = (await app.get(ann, `${path}/branches/main`)).body.commit.id
    const tag = (await app.post(ann, `${path}/tags`, { tag_name: 'v1', message: 'one' })).body
    await app.post(ann, `${path}/branches`, { new_branch_name: 'a+b/c' })
    const refs = async (rest: string) =>
      ((await app.get(undefined, `${path}/git/refs${rest}`)).body as { ref: string }[]).map(
        ({ ref }) => ref,
      )

    const { body } = await app.get(undefined, `${path}/git/refs/heads/main`)

    const api = `http://codestead.test/api/v1${path}/git`
    assert.deepEqual(body, [
      {
        ref: 'refs/heads/main',
        url: `${api}/refs/heads/main`,
        object: { type: 'commit', sha: id, url: `${api}/commits/${id}` },
      },
    ])
    assert.deepEqual(await refs(''), ['refs/heads/a+b/c', 'refs/heads/main', 'refs/tags/v1'])
    assert.deepEqual(await refs('/heads'), ['refs/heads/a+b/c', 'refs/heads/main'])
    assert.deepEqual(await refs('/heads/a%2Bb'), ['refs/heads/a+b/c'])
    assert.deepEqual(await refs('/heads/mai'), ['refs/heads/main'])
    assert.deepEqual(await refs('/heads/a'), ['refs/heads/a+b/c'])
    assert.deepEqual(await refs('/ta'), ['refs/tags/v1'])
    const tags = await app.get(undefined, `${path}/git/refs/tags`)
    assert.deepEqual(tags.body[0].object, {
      type: 'tag',
      sha: tag.id,
      url: `${api}/tags/${tag.id}`,
    })
  })

  test('does not find others, nor those that are ours', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const id = await commit(setup, { a: 'x' })
    await app.ctx.git.run(await folderOf(app, 'one'), ['update-ref', 'refs/codestead/x', id])
    await app.post(ann, '/user/repos', { name: 'empty' })

    for (const bad of [
      'heads/missing',
      'eads/main',
      'heads/*',
      'codestead',
      '--sort=x',
      'heads/m%3Fin',
    ])
      assertError(await app.get(undefined, `${path}/git/refs/${bad}`), 404, 'not found')
    const all = (await app.get(undefined, `${path}/git/refs`)).body
    assert.equal(all.length, 1)
    assert.deepEqual((await app.get(ann, '/repos/ann/empty/git/refs')).body, [])
  })
})

suite('GET /repos/{owner}/{repo}/git/tags/{sha}', () => {
  test('shows a tag object', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    const { id, commit: target } = (
      await app.post(ann, `${path}/tags`, { tag_name: 'v1', message: 'one' })
    ).body

    const { status, body } = await app.get(undefined, `${path}/git/tags/${id}`)

    const api = `http://codestead.test/api/v1${path}/git`
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), [
      'tag',
      'sha',
      'url',
      'message',
      'tagger',
      'object',
      'verification',
    ])
    assert.partialDeepStrictEqual(body, {
      tag: 'v1',
      sha: id,
      url: `${api}/tags/${id}`,
      message: 'one\n',
      tagger: { name: 'ann', email: 'ann@example.org' },
      object: { type: 'commit', url: `${api}/commits/${target.sha}`, sha: target.sha },
    })
  })

  test('keeps the last newline of its message, and has the time of its tagger in UTC', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const message = 'A tag message.\n\n:)\n'
    const made = await app.post(ann, `${path}/tags`, { tag_name: 'said', message })
    await importInto(
      setup,
      `tag far\nfrom refs/heads/main\ntagger A <a@b> 1700000000 +0200\ndata 5\nhello\n`,
    )
    const far = await app.get(ann, `${path}/tags/far`)

    const tagOf = async (id: string) => (await app.get(ann, `${path}/git/tags/${id}`)).body

    assert.equal(made.body.message, 'A tag message.\n\n:)')
    assert.equal((await tagOf(made.body.id)).message, message)
    const { tagger, message: short } = await tagOf(far.body.id)
    assert.deepEqual(tagger, { name: 'A', email: 'a@b', date: '2023-11-14T22:13:20Z' })
    assert.equal(short, 'hello')
  })

  test('refuses what is no tag object', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const id = await commit(setup, { a: 'x' })
    assertStatus(await app.post(ann, `${path}/tags`, { tag_name: 'light' }), 201)

    for (const name of [id, wrong, 'light', '-d'])
      assertError(await app.get(undefined, `${path}/git/tags/${name}`), 400)
  })
})

suite('An id', () => {
  test('is the same in capital letters, whole or its beginning, wherever one is taken', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const id = await commit(setup, { 'a.txt': 'alpha\n' })
    const tag = { tag_name: 'v1', message: 'one' }
    const { id: tagId } = (await app.post(ann, `${path}/tags`, tag)).body
    const [file] = (await app.get(undefined, `${path}/git/trees/${id}`)).body.tree
    const addresses = (commitId: string) => [
      `git/commits/${commitId}`,
      `git/commits/${commitId.slice(0, 8)}.diff`,
      `git/trees/${commitId}`,
      `commits?sha=${commitId}`,
      `commits/${commitId.slice(0, 8)}/status`,
      `statuses/${commitId}`,
      `compare/main...${commitId}`,
      `contents/a.txt?ref=${commitId}`,
      `raw/a.txt?ref=${commitId}`,
      `raw/${commitId}/a.txt`,
    ]

    assertStatus(
      await app.post(ann, `${path}/statuses/${id.toUpperCase()}`, { state: 'success' }),
      201,
    )
    const asKept = addresses(id)
    for (const [at, address] of addresses(id.toUpperCase()).entries()) {
      const { status, text } = await app.get(undefined, `${path}/${address}`)
      const expected = await app.get(undefined, `${path}/${asKept[at]}`)
      assert.equal(status, 200, address)
      assert.equal(text, expected.text, address)
    }
    const archive = `${path}/archive/${id.toUpperCase()}.zip`
    assertStatus(await app.get(undefined, archive), 200)
    for (const [kind, object] of [
      ['blobs', file.sha],
      ['tags', tagId],
    ]) {
      const { body } = await app.get(undefined, `${path}/git/${kind}/${object.toUpperCase()}`)
      assert.equal(body.sha, object, kind)
    }
    const move = { new_commit_id: id.toUpperCase(), old_commit_id: id.toUpperCase() }
    assertStatus(await app.put(ann, `${path}/branches/main`, move), 204)
  })
})
