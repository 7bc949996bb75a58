import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertError, assertStatus } from '../../support/expect.ts'
import {
  archive,
  base64,
  commit,
  folderOf,
  importInto,
  makeMirror,
  makePrivate,
  startWithRepository,
  statuses,
} from '../commits/setup.ts'
import { contentOf, countCommits } from './setup.ts'

suite('POST /repos/{owner}/{repo}/contents/{path}', () => {
  test('creates a file in a commit of its own', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup

    const { status, body } = await app.post(ann, `${path}/contents/docs/a.txt`, {
      content: base64('one\n'),
      message: 'add a',
    })

    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body), ['content', 'commit', 'verification'])
    assert.deepEqual(Object.keys(body.commit), [
      'url',
      'sha',
      'created',
      'html_url',
      'author',
      'committer',
      'parents',
      'message',
      'tree',
    ])
    assert.partialDeepStrictEqual(body, {
      content: { path: 'docs/a.txt', content: base64('one\n'), last_commit_sha: body.commit.sha },
      commit: { message: 'add a\n', author: { name: 'ann', email: 'ann@example.org' } },
      verification: { verified: false, reason: 'gpg.error.not_signed_commit', signer: null },
    })
    assert.equal(body.commit.parents.length, 1)
    assert.equal(await contentOf(setup, 'docs/a.txt'), 'one\n')
    assert.equal(await countCommits(setup), 2)
  })

  test('takes any bytes, none too, and line breaks within base64', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const bytes = Buffer.from([0, 255, 10, 13, 0])

    const odd = await app.post(ann, `${path}/contents/odd`, { content: 'AP8K\r\nDQA=\n' })
    const empty = await app.post(ann, `${path}/contents/empty`, { content: '' })

    assert.equal(odd.body.content.content, bytes.toString('base64'))
    assert.partialDeepStrictEqual(empty.body.content, { size: 0, content: '' })
  })

  test('takes odd names, and keeps them', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const odd = ['a "b" \\ c', 'A+#&ä', '-dash', '--output=x', 'a.git', '.gitignore', ' blank ']

    for (const name of odd) {
      const answer = await app.post(ann, `${path}/contents/d/${encodeURIComponent(name)}`, {
        content: base64(name),
      })
      assertStatus(answer, 201)
      assert.equal(answer.body.content.name, name)
      assert.equal(answer.body.commit.message, `Add d/${name}\n`)
    }
    const { body } = await app.get(ann, `${path}/contents/d`)
    assert.equal(body.length, odd.length)
  })

  test('refuses paths that lead out, into git’s own folder, or nowhere', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    const bad = [
      '.git/config',
      'a/.git/hooks',
      '.GIT/config',
      '.git./x',
      '.git /x',
      'git~1/x',
      '.g\u200cit/x',
      '.git::$INDEX_ALLOCATION/x',
      'a\\.git\\x',
      '../x',
      'a/../../x',
      '/etc/x',
      'a/..',
      './',
      'a/../.git/x',
      'a\nb',
      'x'.repeat(256),
      '',
    ]

    for (const name of bad) {
      const single = await app.post(ann, `${path}/contents`, {
        files: [{ operation: 'create', path: name, content: base64('x') }],
      })
      assertError(single, 422, `path contains a malformed path component [path: ${name}]`)
    }
    for (const name of ['.git/config', '..%2Fx', 'a%2F..%2F..%2Fx', '%2Fx', '']) {
      const answer = await app.post(ann, `${path}/contents/${name}`, { content: base64('x') })
      assertError(answer, 422, /malformed path component/)
    }
  })

  test('puts paths in order, to write, to move and to read', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const change = (...files: object[]) => app.post(ann, `${path}/contents`, { files })
    const create = (name: string) => ({ operation: 'create', path: name, content: base64(name) })

    const { status, body } = await change(create('a/../b.txt'), create('./c//d.txt'))

    assert.equal(status, 201)
    assert.partialDeepStrictEqual(body.files, [{ path: 'b.txt' }, { path: 'c/d.txt' }])
    const moved = await change({
      operation: 'rename',
      path: 'c/./e.txt',
      from_path: 'c//d.txt',
      sha: body.files[1].sha,
    })
    assert.equal(moved.body.files[0].path, 'c/e.txt')
    const single = await app.post(ann, `${path}/contents/x%2F..%2Ff%2F%2Fg`, { content: '' })
    assert.equal(single.body.content.path, 'f/g')
    assertError(await change(create('x/../b.txt')), 422, /already exists \[path: b.txt\]/)
    assert.equal((await app.get(ann, `${path}/contents/a%2F..%2Fb.txt`)).body.path, 'b.txt')
    const listed = await app.post(ann, `${path}/file-contents`, { files: ['./c//e.txt', '../x'] })
    assert.partialDeepStrictEqual(listed.body, [{ path: 'c/e.txt' }, null])
  })

  test('an upload makes a file or replaces it, and asks for no sha', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const upload = (content: string) =>
      app.post(ann, `${path}/contents`, {
        files: [{ operation: 'upload', path: 'x/../new.txt', content: base64(content) }],
      })

    assertStatus(await upload('one'), 201)
    assertStatus(await upload('two'), 201)

    assert.equal(await contentOf(setup, 'new.txt'), 'two')
  })

  test('refuses a file that is there, a folder in its place, a file in the place of a folder', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { 'folder/a.txt': 'one' })
    const create = (name: string) =>
      app.post(ann, `${path}/contents/${name}`, { content: base64('x') })

    assertError(
      await create('folder/a.txt'),
      422,
      'repository file already exists [path: folder/a.txt]',
    )
    assertError(
      await create('folder'),
      422,
      'a directory exists where you’re trying to create a file [path: folder]',
    )
    assertError(
      await create('folder/a.txt/below'),
      422,
      'a file exists where you’re trying to create a subdirectory [path: folder/a.txt]',
    )
    assert.equal(await contentOf(setup, 'folder/a.txt'), 'one')
    assert.equal(await countCommits(setup), 2)
  })

  test('does not write through a symbolic link', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await importInto(
      setup,
      'commit refs/heads/odd\ncommitter A <a@b> 1 +0000\ndata 1\nx\nM 120000 inline link\ndata 4\n/etc\n',
    )

    const answer = await app.post(ann, `${path}/contents/link/passwd`, {
      content: base64('x'),
      branch: 'odd',
    })

    assertError(
      answer,
      422,
      'a symbolic link exists where you’re trying to create a subdirectory [path: link]',
    )
  })

  test('refuses content that is no base64', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    const create = (content: unknown) => app.post(ann, `${path}/contents/b.txt`, { content })

    assertError(await create('!not base64!'), 422, 'illegal base64 data at input byte 0')
    assertError(await create('YQ'), 422, 'illegal base64 data at input byte 2')
    assertError(await create('YQ==YQ=='), 422)
    assertError(await create(5), 422)
  })

  test('makes the first commit of an empty repository', async (t) => {
    const { app, ann } = await startWithRepository(t)
    assertStatus(
      await app.post(ann, '/user/repos', { name: 'empty', default_branch: 'trunk' }),
      201,
    )

    const { status, body } = await app.post(ann, '/repos/ann/empty/contents/a.txt', {
      content: base64('a'),
    })

    assert.equal(status, 201)
    assert.deepEqual(body.commit.parents, [])
    assert.match(body.content.url, /\?ref=trunk$/)
    const { body: repo } = await app.get(ann, '/repos/ann/empty')
    assert.partialDeepStrictEqual(repo, { empty: false, default_branch: 'trunk', branch_count: 1 })
  })

  test('commits to a new branch, unless there is one of that name', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const create = (name: string, options: object) =>
      app.post(ann, `${path}/contents/${name}`, { content: base64(name), ...options })

    const made = await create('a', { new_branch: 'topic/a' })
    const again = await create('b', { new_branch: 'topic/a' })
    const same = await create('c', { branch: 'topic/a', new_branch: 'topic/a' })

    assertStatus(made, 201)
    assert.match(made.body.content.url, /ref=topic%2Fa$/)
    assertError(again, 422, 'branch already exists [name: topic/a]')
    assertStatus(same, 201)
    assert.equal(await contentOf(setup, 'a'), undefined)
    assert.equal(await contentOf(setup, 'a', 'topic/a'), 'a')
    assert.equal(await contentOf(setup, 'c', 'topic/a'), 'c')
  })

  test('replaces a branch only by force', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { old: 'x' }, { new_branch: 'side' })

    const answer = await app.post(ann, `${path}/contents/new`, {
      content: base64('y'),
      new_branch: 'side',
      force_push: true,
    })

    assertStatus(answer, 201)
    assert.equal(await contentOf(setup, 'new', 'side'), 'y')
    assert.equal(await contentOf(setup, 'old', 'side'), undefined)
  })

  test('does not find an unknown branch, and refuses names that are none', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    const create = (options: object) =>
      app.post(ann, `${path}/contents/b`, { content: base64('x'), ...options })

    assertError(await create({ branch: 'missing' }), 404, 'branch does not exist [name: missing]')
    assertError(await create({ branch: 'a..b' }), 422, '[BranchName]: GitRefName')
    assertError(await create({ new_branch: '-x' }), 422, '[NewBranchName]: GitRefName')
    assertError(await create({ new_branch: 'HEAD' }), 422)
    assertError(await create({ new_branch: 'x'.repeat(101) }), 422, '[NewBranchName]: MaxSize')
    assertError(
      await create({ new_branch: 'main/below' }),
      422,
      'branch already exists [name: main/below]',
    )
  })

  test('takes author, committer and dates from the body, one for the other', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    const create = async (name: string, options: object) =>
      (await app.post(ann, `${path}/contents/${name}`, { content: 'YQ==', ...options })).body.commit

    const author = { name: 'Zoe\n<x>', email: 'zoe@example.net' }
    const one = await create('one', {
      author,
      dates: { author: '2020-01-02T03:04:05Z', committer: '2020-01-02T03:04:06+02:00' },
    })
    const two = await create('two', {
      committer: { name: '', email: 'only@example.net' },
      dates: { author: '0001-01-01T00:00:00Z' },
    })
    const none = await create('three', { author: { name: '', email: '' }, signoff: true })

    assert.partialDeepStrictEqual(one, {
      created: '2020-01-02T03:04:06+02:00',
      author: { name: 'Zoex', email: 'zoe@example.net', date: '2020-01-02T03:04:05Z' },
      committer: { name: 'Zoex', date: '2020-01-02T03:04:06+02:00' },
    })
    assert.partialDeepStrictEqual(two, {
      author: { name: 'only@example.net', email: 'only@example.net' },
      committer: { name: 'only@example.net', email: 'only@example.net' },
    })
    assert.match(two.author.date, /^20[2-9]\d-/)
    assert.equal(none.author.email, 'ann@example.org')
    assert.equal(none.message, 'Add three\n\nSigned-off-by: ann <ann@example.org>')
  })

  test('keeps an address that its owner hides', async (t) => {
    const { app, ann, path } = await startWithRepository(t)
    assertStatus(await app.patch(ann, '/user/settings', { hide_email: true }), 200)

    const { body } = await app.post(ann, `${path}/contents/a`, { content: 'YQ==' })
    const { body: commits } = await app.get(undefined, `${path}/commits?limit=1`)

    assert.match(body.commit.author.email, /^\d+\+ann@noreply\./)
    assert.equal(commits[0].author.login, 'ann')
  })

  test('is for those who may write, in a repository that may be written', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    const create = (who: typeof ann | undefined) =>
      app.post(who, `${path}/contents/b`, { content: 'YQ==' })

    assertError(await create(undefined), 401)
    assertError(
      await create(bob),
      403,
      'user should have a permission to write to the target branch',
    )
    await makePrivate(setup)
    assertError(await create(bob), 404)
    await archive(setup)
    assertError(await create(ann), 423, 'repo is not allowed to edit')
    assertError(await create(undefined), 404)
  })

  test('leaves mirrors alone', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await makeMirror(setup)

    const answer = await app.post(ann, `${path}/contents/b`, { content: 'YQ==' })

    assertError(answer, 423, 'repo is not allowed to edit')
  })

  test('records the push', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    app.passTime(60)

    await app.post(ann, `${path}/contents/b`, { content: 'YQ==', message: 'hello' })

    const rows = await app.ctx.db
      .selectFrom('activity')
      .select(['kind', 'ref_name', 'content'])
      .where('kind', '=', 'commit_repo')
      .execute()
    assert.equal(rows.length, 1)
    assert.equal(rows[0]?.ref_name, 'refs/heads/main')
    assert.match(rows[0]?.content ?? '', /hello/)
    const { body } = await app.get(ann, path)
    assert.ok(body.updated_at > body.created_at)
  })

  test('loses nothing when many write to one branch at once', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const files = Array.from({ length: 8 }, (_, index) => `file-${index}`)

    const answers = await Promise.all(
      files.map((name) => app.post(ann, `${path}/contents/${name}`, { content: base64(name) })),
    )

    for (const answer of answers) assertStatus(answer, 201)
    const { body } = await app.get(ann, `${path}/contents`)
    assert.equal(body.length, files.length + 1)
    assert.equal(await countCommits(setup), files.length + 1)
  })

  test('of several first commits of an empty repository none is lost', async (t) => {
    const { app, ann } = await startWithRepository(t)
    await app.post(ann, '/user/repos', { name: 'empty' })

    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        app.post(ann, `/repos/ann/empty/contents/${name}`, { content: base64(name) }),
      ),
    )

    assert.deepEqual(statuses(answers), [201, 201, 201])
    assert.equal((await app.get(ann, '/repos/ann/empty/contents')).body.length, 3)
    assert.equal((await app.get(ann, '/repos/ann/empty')).body.default_branch, 'main')
  })

  test('of several who create the same file one does', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup

    const answers = await Promise.all(
      ['a', 'b', 'c'].map((text) =>
        app.post(ann, `${path}/contents/same`, { content: base64(text) }),
      ),
    )

    assert.deepEqual(statuses(answers), [201, 422, 422])
    assert.equal(await countCommits(setup), 2)
  })

  test('is tried again on a branch that somebody else moves meanwhile', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const folder = await folderOf(app, 'one')
    // A push from outside, between the look at the branch and the commit on it.
    const { git } = app.ctx
    const run = git.run.bind(git)
    let isMoved = false
    t.mock.method(git, 'run', async (...given: Parameters<typeof run>) => {
      if (given[1][0] === 'fast-import' && !isMoved) {
        isMoved = true
        const tip = await git.text(folder, ['rev-parse', 'refs/heads/main'])
        await importInto(
          setup,
          `commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 1\nx\nfrom ${tip}\nM 100644 inline theirs\ndata 1\nx\n`,
        )
      }
      return run(...given)
    })

    const answer = await app.post(ann, `${path}/contents/ours`, { content: base64('ours') })

    assertStatus(answer, 201)
    assert.equal(await contentOf(setup, 'theirs'), 'x')
    assert.equal(await contentOf(setup, 'ours'), 'ours')
    assert.equal(await countCommits(setup), 3)
  })
})
