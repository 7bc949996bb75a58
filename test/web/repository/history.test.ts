// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { base64, commit, makePrivate, startWithRepository } from '../../code/commits/setup.ts'
import { signIn } from '../support.ts'
import { evil, hasScript, importCommits, visit, wordsOf } from './support.ts'

suite('GET /{owner}/{repo}/commits/{kind}/{ref}/{path}', () => {
  test('lists commits newest first, page by page', async (t) => {
    const setup = await startWithRepository(t)
    await importCommits(setup, 60)

    const first = await visit(setup.app, '/ann/one/commits/branch/main')
    const second = await visit(setup.app, '/ann/one/commits/branch/main?page=2')

    assert.match(first.text, />number 60</)
    assert.doesNotMatch(first.text, />number 10</)
    assert.match(first.text, /href="\/ann\/one\/commits\/branch\/main\?page=2"/)
    assert.match(second.text, />number 10<[^]*>Initial commit</)
    assert.match(wordsOf(second), /Page 2 of 2/)
  })

  test('lists those that changed a path, also where it is gone', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { 'a/b.txt': 'x' }, { message: 'Add b' })
    await commit(setup, { 'c.txt': 'x' }, { message: 'Add c' })
    const { body } = await app.get(ann, `${path}/contents/a/b.txt`)
    await app.delete(ann, `${path}/contents/a/b.txt`, { sha: body.sha, message: 'Drop b' })

    const page = await visit(app, '/ann/one/commits/branch/main/a/b.txt')

    assert.match(page.text, />Drop b<[^]*>Add b</)
    assert.doesNotMatch(page.text, />Add c</)
  })

  test('has nothing for what is not there, and leads home from an empty repository', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    await app.post(ann, '/user/repos', { name: 'new' })

    for (const path of [
      'branch/none',
      'branch/main/none',
      'tag/main',
      'commit/ffffffff',
      'branch/',
      'branch/main%00',
    ])
      assert.equal((await visit(app, `/ann/one/commits/${path}`)).status, 404, path)
    const empty = await visit(app, '/ann/new/commits/branch/main')
    assert.equal(empty.status, 303)
    assert.equal(empty.headers['location'], '/ann/new')
    assert.equal(
      (await visit(app, '/ann/one/commits/branch/main?page=999999999999999999')).status,
      200,
    )
  })
})

suite('GET /{owner}/{repo}/commit/{sha}', () => {
  test('shows what a commit says and what it changed', async (t) => {
    const setup = await startWithRepository(t)
    await commit(setup, { 'a.txt': 'one\ntwo\nthree\n', 'same.txt': 'moved\n'.repeat(20) })
    const { app, ann, path } = setup
    const files = [
      {
        operation: 'update',
        path: 'a.txt',
        content: base64('one\n2\nthree\n'),
        sha: (await app.get(ann, `${path}/contents/a.txt`)).body.sha,
      },
      {
        operation: 'create',
        path: `new ${evil}.txt`.replaceAll('/', '_'),
        content: base64(`${evil}\n`),
      },
      {
        operation: 'delete',
        path: 'README.md',
        sha: (await app.get(ann, `${path}/contents/README.md`)).body.sha,
      },
      {
        operation: 'update',
        path: 'dir/same.txt',
        from_path: 'same.txt',
        content: base64('moved\n'.repeat(20)),
        sha: (await app.get(ann, `${path}/contents/same.txt`)).body.sha,
      },
    ]
    const message = `Subject ${evil}\n\nBody ${evil}`
    const { body } = await app.post(ann, `${path}/contents`, { files, message })
    const id = body.commit.sha as string

    const page = await visit(app, `/ann/one/commit/${id}`)

    assert.equal(page.status, 200)
    const words = wordsOf(page)
    assert.match(page.text, /<h2>Subject &lt;script&gt;/)
    assert.match(page.text, /<pre class="text" tabindex="0">Body &lt;script&gt;/)
    assert.match(
      page.text,
      /<tr class="removed"><td data-line="2"><a href="#(file-\d-old-2)" aria-label="Line 2 before"><\/a><\/td><td><\/td><td data-sign="-"><\/td><td id="\1">two<\/td><\/tr>/,
    )
    assert.match(
      page.text,
      /<tr class="added"><td><\/td><td data-line="2"><a href="#(file-\d-new-2)" aria-label="Line 2"><\/a><\/td><td data-sign="\+"><\/td><td id="\1">2<\/td><\/tr>/,
    )
    assert.match(
      page.text,
      /<tr class="context"><td data-line="3"><\/td><td data-line="3"><a href="#(file-\d-new-3)" aria-label="Line 3"><\/a><\/td><td data-sign=""><\/td><td id="\1">three<\/td><\/tr>/,
    )
    assert.match(words, /README\.md Removed/)
    const shown = page.text.match(/class="sheet patch"/g)?.length
    assert.match(words, new RegExp(`${shown} files changed, 2 added and \\d removed lines`))
    assert.match(words, /same\.txt → dir\/same\.txt Renamed/)
    assert.match(words, /new &lt;script&gt;.* Added/)
    assert.ok(!hasScript(page))
    assert.match(page.text, new RegExp(`href="/ann/one/src/commit/${id}"`))
    assert.equal((await visit(app, `/ann/one/commit/${id.slice(0, 7)}`)).status, 200)
  })

  test('shows the first commit, binary files and names that git quotes', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const [first] = (await app.get(ann, `${path}/commits`)).body
    const id = await commit(setup, { 'a "b" ü\\c.txt': 'x\n', 'data.bin': 'a\0b' })

    const root = await visit(app, `/ann/one/commit/${first.sha}`)
    const page = await visit(app, `/ann/one/commit/${id}`)

    assert.match(root.text, /<tr class="added">.*# one/)
    assert.match(page.text, /<span class="name">a &quot;b&quot; ü\\c\.txt<\/span>/)
    assert.match(wordsOf(page), /data\.bin Added View It is no text/)
  })

  test('cuts what is too much, and says so', async (t) => {
    const setup = await startWithRepository(t)
    const many = Object.fromEntries(
      Array.from({ length: 305 }, (_, index) => [`f/${index}.txt`, 'x\n']),
    )
    const wide = await commit(setup, many)
    const long = await commit(setup, {
      'long.txt': 'line\n'.repeat(3000),
      'z.txt': `${'y'.repeat(5000)}\n`,
    })

    const files = await visit(setup.app, `/ann/one/commit/${wide}`)
    const lines = await visit(setup.app, `/ann/one/commit/${long}`)

    assert.match(wordsOf(files), /305 files changed/)
    assert.equal(files.text.match(/class="sheet patch"/g)?.length, 300)
    assert.match(files.text, /There is more, which is too much to be shown here/)
    assert.match(lines.text, /The rest of this file is not shown/)
    assert.ok(!lines.text.includes('y'.repeat(2001)))
    assert.ok(lines.text.includes('y'.repeat(1900)))
  })

  test('has nothing for what is no commit', async (t) => {
    const setup = await startWithRepository(t)

    for (const id of [
      'main',
      'ffffffffffffffffffffffffffffffffffffffff',
      'zzzz',
      '-p',
      'main..main',
      `${'0'.repeat(40)}%00`,
    ])
      assert.equal((await visit(setup.app, `/ann/one/commit/${id}`)).status, 404, id)
  })
})

suite('GET /{owner}/{repo}/commit/{sha}.diff and .patch', () => {
  test('are the commit as text, for those who may read it', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    const id = await commit(setup, { 'a.txt': 'one\n' }, { message: 'Add a' })
    const path = `/ann/one/commit/${id}`

    const diff = await visit(app, `${path}.diff`)
    const patch = await visit(app, `${path}.patch`)

    assert.equal(diff.headers['content-type'], 'text/plain; charset=utf-8')
    assert.match(diff.text, /^diff --git a\/a\.txt/)
    assert.match(patch.text, /^Subject: \[PATCH\] Add a$/m)
    await makePrivate(setup)
    assert.equal((await visit(app, `${path}.diff`)).status, 404)
    assert.equal((await (await signIn(app, 'ann')).get(`${path}.diff`)).status, 200)
  })
})

suite('GET /{owner}/{repo}/compare/{base}...{head}', () => {
  test('shows the commits and changes of a branch', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await app.post(ann, `${path}/branches`, { new_branch_name: 'feature/x' })
    await commit(
      setup,
      { 'grüß "x".txt': 'one\n' },
      { message: `Add ${evil}`, branch: 'feature/x' },
    )
    await commit(setup, { 'main.txt': 'other\n' }, { message: 'On main' })

    const page = await visit(app, '/ann/one/compare/main...feature/x')
    const none = await visit(app, '/ann/one/compare/feature/x...feature/x')

    assert.equal(page.status, 200)
    assert.match(wordsOf(page), /1 commit .*Add &lt;script.* Changes 1 file changed/)
    assert.match(page.text, /<a href="\/ann\/one\/compare">Compare others<\/a>/)
    assert.match(page.text, /<span class="name">grüß &quot;x&quot;\.txt<\/span>/)
    assert.doesNotMatch(page.text, /main\.txt|On main/)
    assert.ok(!hasScript(page))
    assert.match(wordsOf(none), /no commit here that is not there\. No file differs/)
    assert.match(
      (await visit(app, '/ann/one/branches')).text,
      /href="\/ann\/one\/compare\/main\.\.\.feature\/x"/,
    )
  })

  test('gives the same as text where its address ends so, and where no branch is called that', async (t) => {
    const setup = await startWithRepository(t)
    const { app, path } = setup
    await commit(setup, { a: 'a\n' }, { message: 'On side', new_branch: 'side' })
    await commit(setup, { b: 'b\n' }, { message: 'On a branch', new_branch: 'odd.diff' })
    const page = await visit(app, '/ann/one/compare/main...side')

    const diff = await visit(app, '/ann/one/compare/main...side.diff')
    const patch = await visit(app, '/ann/one/compare/main...side.patch')
    const odd = await visit(app, '/ann/one/compare/main...odd.diff')
    const oddDiff = await visit(app, '/ann/one/compare/main...odd.diff.diff')
    const none = await visit(app, '/ann/one/compare/main...none.diff')

    assert.match(page.text, /href="\/ann\/one\/compare\/main\.\.\.side\.diff"/)
    assert.match(diff.headers['content-type'] ?? '', /^text\/plain/)
    assert.equal(
      diff.text,
      (await app.get(undefined, `${path}/compare/main...side?output=diff`)).text,
    )
    assert.match(patch.text, /^Subject: \[PATCH\] On side$/m)
    assert.match(wordsOf(odd), /Comparing main\.\.\.odd\.diff/)
    assert.match(oddDiff.text, /^diff --git a\/b b\/b/)
    assert.equal(none.status, 404)
    await makePrivate(setup)
    assert.equal((await visit(app, '/ann/one/compare/main...side.diff')).status, 404)
  })

  test('reaches into forks that the viewer may read, and shows nothing of others', async (t) => {
    const setup = await startWithRepository(t)
    const { app, bob } = setup
    await app.post(bob, '/repos/ann/one/forks', {})
    await app.post(bob, '/repos/bob/one/contents/new.txt', {
      content: base64('new\n'),
      message: 'In the fork',
    })

    const page = await visit(app, '/ann/one/compare/main...bob:main')
    await app.ctx.db
      .updateTable('repository')
      .set({ is_private: 1 })
      .where('is_fork', '=', 1)
      .execute()
    const hidden = await visit(app, '/ann/one/compare/main...bob:main')

    assert.match(page.text, /In the fork/)
    assert.doesNotMatch(page.text, /> View</)
    assert.equal(hidden.status, 404)
    for (const text of [
      'main...none',
      'none...main',
      '...',
      'main...carol:main',
      `main...${encodeURIComponent(evil)}`,
    ])
      assert.equal((await visit(app, `/ann/one/compare/${text}`)).status, 404, text)
  })
})

suite('GET /{owner}/{repo}/branches and /tags', () => {
  test('list refs with their commits and archives', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await app.post(ann, `${path}/branches`, { new_branch_name: 'feature/beam' })
    await app.post(ann, `${path}/tags`, { tag_name: 'v1.0', message: 'One' })

    const branches = await visit(app, '/ann/one/branches')
    const few = await visit(app, '/ann/one/branches?q=BEAM')
    const tags = await visit(app, '/ann/one/tags')

    assert.match(
      branches.text,
      /href="\/ann\/one\/src\/branch\/main">main<\/a><\/b> <span class="tag">Default</,
    )
    assert.match(branches.text, /href="\/ann\/one\/archive\/feature\/beam\.zip"/)
    assert.match(few.text, />feature\/beam</)
    assert.doesNotMatch(few.text, />Default</)
    assert.match(tags.text, /href="\/ann\/one\/src\/tag\/v1\.0">v1\.0</)
    assert.equal((await visit(app, '/ann/one/archive/feature/beam.zip')).status, 200)
  })

  test('say what the place is for where there is nothing', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    await app.post(ann, '/user/repos', { name: 'new' })

    assert.match(wordsOf(await visit(app, '/ann/one/tags')), /There are no tags here/)
    assert.match(wordsOf(await visit(app, '/ann/new/branches')), /There are no branches here/)
    assert.equal((await visit(app, '/ann/new/tags')).status, 200)
  })
})

suite('GET /{owner}/{repo}/find/{kind}/{ref}', () => {
  test('finds files by parts of their paths', async (t) => {
    const setup = await startWithRepository(t)
    await commit(setup, { 'src/web/routes.ts': 'x', 'src/routes/web.md': 'x', [`a & b.txt`]: 'x' })

    const all = await visit(setup.app, '/ann/one/find/branch/main')
    const some = await visit(setup.app, '/ann/one/find/branch/main?q=WEB+md')
    const none = await visit(setup.app, `/ann/one/find/branch/main?q=${encodeURIComponent(evil)}`)

    const links = ({ text }: { text: string }) =>
      [...text.matchAll(/<a href="\/ann\/one\/src\/branch\/main\/([^"]+)">/g)].map(
        ([, path]) => path,
      )
    assert.deepEqual(links(all), [
      'README.md',
      'a%20&amp;%20b.txt',
      'src/routes/web.md',
      'src/web/routes.ts',
    ])
    assert.deepEqual(links(some), ['src/routes/web.md'])
    assert.match(none.text, /No file is called that/)
    assert.ok(!hasScript(none))
  })

  test('finds files by some letters of their paths, those that stand closest first', async (t) => {
    const setup = await startWithRepository(t)
    const files = { 'src/cart.ts': 'x', 'some/rocks/carts.txt': 'x', 'tracks/src.ts': 'x' }
    await commit(setup, files)

    const { text } = await visit(setup.app, '/ann/one/find/branch/main?q=srcart')
    const none = await visit(setup.app, '/ann/one/find/branch/main?q=cartz')

    assert.match(text, />src\/cart\.ts<[^]*>some\/rocks\/carts\.txt</)
    assert.doesNotMatch(text, />tracks\/src\.ts</)
    assert.match(none.text, /No file is called that/)
  })

  test('puts those first whose name is meant', async (t) => {
    const setup = await startWithRepository(t)
    await commit(setup, { 'beam/a.txt': 'x', 'z/beam.txt': 'x' })

    const { text } = await visit(setup.app, '/ann/one/find/branch/main?q=beam')

    assert.match(text, />z\/beam\.txt<[^]*>beam\/a\.txt</)
  })
})

suite('the history of a private repository', () => {
  test('is shown to its owner and to nobody else', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    const id = await commit(setup, { 'a.txt': 'x' })
    await makePrivate(setup)
    const [ann, bob] = [await signIn(app, 'ann'), await signIn(app, 'bob')]

    for (const path of [
      'commits/branch/main',
      `commit/${id}`,
      'branches',
      'tags',
      'find/branch/main',
    ]) {
      assert.equal((await ann.get(`/ann/one/${path}`)).status, 200, path)
      assert.equal((await bob.get(`/ann/one/${path}`)).status, 404, path)
      assert.equal((await visit(app, `/ann/one/${path}`)).status, 404, path)
    }
  })

  test('is missing where the code is off', async (t) => {
    const setup = await startWithRepository(t)
    await setup.app.ctx.db.deleteFrom('repository_unit').where('unit', '=', 'repo.code').execute()

    for (const path of [
      'commits/branch/main',
      'commit/abcd1234',
      'branches',
      'tags',
      'find/branch/main',
    ])
      assert.equal((await visit(setup.app, `/ann/one/${path}`)).status, 404, path)
  })
})
