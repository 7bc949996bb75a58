// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { commit, importInto, makePrivate, startWithRepository } from '../../code/commits/setup.ts'
import { startApp } from '../../support/app.ts'
import { evil, hasScript, mainOf, visit, wordsOf } from './support.ts'

/** Text that no file has by accident. */
const readme = [
  '# Lantern',
  '[guide](docs/guide.md#use) [root](/LICENSE) [up](../../../etc/passwd) [site](https://example.org/)',
  '## Two *words*!\n\n<h3 id="content" align="center">Raw</h3>\n\n[line](a.ts#L3) [here](#two-words)',
  '[odd](docs/a%20b%23.md) [evil](javascript:alert(1)) [twice](//evil.example/x)',
  '![beam](img/beam.png) ![badge](https://badges.example/x.svg)',
  evil,
].join('\n\n')

suite('GET /{owner}/{repo}', () => {
  test('shows the files of the default branch, each with the commit that changed it last', async (t) => {
    const setup = await startWithRepository(t)
    const { app } = setup
    await commit(setup, { 'src/a.ts': 'a' }, { message: 'Add a' })
    const id = await commit(setup, { 'docs/b.md': 'b' }, { message: 'Add b\n\nbody' })

    const page = await visit(app, '/ann/one')

    assert.equal(page.status, 200)
    const rows = [
      ...page.text.matchAll(/<tr>\s*<td class="(\w+)">[^]*?<a href="([^"]+)">([^<]+)<[^]*?<\/tr>/g),
    ]
    assert.deepEqual(
      rows.map(([, kind, path, name]) => `${kind} ${path} ${name}`),
      [
        'dir /ann/one/src/branch/main/docs docs',
        'dir /ann/one/src/branch/main/src src',
        'file /ann/one/src/branch/main/README.md README.md',
      ],
    )
    assert.match(rows[0]?.[0] ?? '', />Add b</)
    assert.match(rows[1]?.[0] ?? '', />Add a</)
    assert.match(page.text, new RegExp(`href="/ann/one/commit/${id}">${id.slice(0, 10)}<`))
    assert.match(page.text, /href="\/ann\/one\/commits\/branch\/main">3 commits</)
    assert.match(wordsOf(page), /1 branch 0 tags/)
  })

  test('tells where to clone from and what else there is to know', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    await app.post(ann, '/repos/ann/one/releases', { tag_name: 'v1', name: 'First light' })
    await app.ctx.db
      .insertInto('repository_language')
      .values([
        { repository_id: 1, language: 'TypeScript', bytes: 800 },
        { repository_id: 1, language: 'Shell', bytes: 200 },
      ])
      .execute()

    const page = await visit(app, '/ann/one')

    assert.match(page.text, /<copy-button value="http:\/\/codestead\.test\/ann\/one\.git"/)
    assert.match(page.text, /href="\/ann\/one\/archive\/main\.zip"/)
    assert.match(page.text, /href="\/ann\/one\/releases\/tag\/v1"><b>First light</)
    assert.match(wordsOf(page), /TypeScript 80 % Shell 20 %/)
    assert.match(page.text, /<rect fill="#89e051" x="800" y="0" width="200"/)
    assert.doesNotMatch(page.text, /style="/)
  })

  test('names the language of a file, as .gitattributes of its commit have it', async (t) => {
    const setup = await startWithRepository(t)
    await commit(setup, {
      'a.h': 'namespace a { class B {}; }\nusing namespace a;\n',
      'b/c.inc': 'x',
    })
    const before = await commit(setup, { 'b/d.inc': 'x' })
    await commit(setup, { 'b/.gitattributes': '*.inc linguist-language=PHP\n' })

    const header = await visit(setup.app, '/ann/one/src/branch/main/a.h')
    const named = await visit(setup.app, '/ann/one/src/branch/main/b/c.inc')
    const old = await visit(setup.app, `/ann/one/src/commit/${before}/b/c.inc`)

    assert.match(wordsOf(header), /C\+\+ · 2 lines · 47 bytes/)
    assert.match(wordsOf(named), /PHP · 1 line/)
    assert.doesNotMatch(wordsOf(old), /PHP/)
  })

  test('says of the boxes in lists what they are', async (t) => {
    const setup = await startWithRepository(t)
    await commit(setup, { 'README.md': '- [x] done\n- [ ] to do\n' })

    const { text } = await visit(setup.app, '/ann/one')

    const boxes = [...text.matchAll(/<input type="checkbox" [^>]*>/g)].map(([box]) => box)
    assert.equal(boxes.length, 2)
    for (const box of boxes) assert.match(box, /aria-label="Task"/)
  })

  test('renders the README with links that lead to what lies beside it', async (t) => {
    const setup = await startWithRepository(t)
    await commit(setup, { 'README.md': readme })

    const page = await visit(setup.app, '/ann/one')

    const src = '/ann/one/src/branch/main'
    for (const [label, target] of [
      ['guide', `${src}/docs/guide.md#user-content-use`],
      ['line', `${src}/a.ts#L3`],
      ['here', '#user-content-two-words'],
      ['root', `${src}/LICENSE`],
      ['up', `${src}/etc/passwd`],
      ['site', 'https://example.org/'],
      ['odd', `${src}/docs/a%20b%23.md`],
    ])
      assert.ok(page.text.includes(`href="${target}"`), `${label}: ${target}`)
    assert.match(page.text, /<img src="\/ann\/one\/media\/branch\/main\/img\/beam\.png"/)
    assert.doesNotMatch(
      page.text,
      /(?:href|src)="[^"]*(?:badges\.example|javascript:|evil\.example)/,
    )
    assert.match(page.text, /<span>badge<\/span>/)
    assert.match(page.text, /<h3 dir="auto" id="user-content-two-words">/)
    assert.match(page.text, /<h4 align="center" id="user-content-content">/)
    assert.equal(page.text.match(/ id="content"/g)?.length, 1)
    assert.ok(!hasScript(page))
  })

  test('renders a README of plain text as it is', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const { body } = await app.get(ann, `${path}/contents/README.md`)
    await app.delete(ann, `${path}/contents/README.md`, { sha: body.sha })
    await commit(setup, { README: `*plain* ${evil}` })

    const page = await visit(app, '/ann/one')

    assert.match(page.text, /<pre class="text" tabindex="0">\*plain\* &lt;script&gt;/)
  })

  test('shows how to push to an empty repository', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', {
      name: 'new',
      default_branch: 'trunk',
      object_format_name: 'sha256',
    })

    const page = await visit(app, '/ann/new')

    assert.equal(page.status, 200)
    assert.match(page.text, /git init -b trunk --object-format=sha256\n/)
    assert.match(
      page.text,
      /git remote add origin http:\/\/codestead\.test\/ann\/new\.git\ngit push -u origin trunk/,
    )
  })

  test('tells when the default branch is gone', async (t) => {
    const setup = await startWithRepository(t)
    await setup.app.ctx.db.updateTable('repository').set({ default_branch: 'gone' }).execute()

    const page = await visit(setup.app, '/ann/one')

    assert.equal(page.status, 200)
    assert.match(wordsOf(page), /There is no branch gone/)
  })

  test('leads to what is on where the code is not', async (t) => {
    const setup = await startWithRepository(t)
    await setup.app.ctx.db.deleteFrom('repository_unit').where('unit', '=', 'repo.code').execute()

    const home = await visit(setup.app, '/ann/one')

    assert.equal(home.status, 303)
    assert.equal(home.headers['location'], '/ann/one/issues')
    assert.equal((await visit(setup.app, '/ann/one/src/branch/main')).status, 404)
  })
})

suite('GET /{owner}/{repo}/src/{kind}/{ref}/{path}', () => {
  test('finds folders and files at branches with slashes, tags and commits', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const id = await commit(setup, { 'src/deep/a.ts': 'export const a = 1\n' })
    await app.post(ann, `${path}/branches`, { new_branch_name: 'feature/x' })
    await app.post(ann, `${path}/tags`, { tag_name: 'v1.0' })

    for (const ref of [
      'branch/main',
      'branch/feature/x',
      'tag/v1.0',
      `commit/${id}`,
      `commit/${id.slice(0, 8)}`,
    ]) {
      const folder = await visit(app, `/ann/one/src/${ref}/src`)
      assert.equal(folder.status, 200, ref)
      assert.ok(folder.text.includes(`href="/ann/one/src/${ref}/src/deep"`), ref)
      const file = await visit(app, `/ann/one/src/${ref}/src/deep/a.ts`)
      assert.equal(file.status, 200, ref)
      assert.ok(file.text.includes(`href="/ann/one/raw/${ref}/src/deep/a.ts"`), ref)
    }
    assert.equal((await visit(app, '/ann/one/src/branch/main/')).status, 200)
    assert.equal(
      (await visit(app, '/ann/one/raw/branch/feature/x/src/deep/a.ts')).text,
      'export const a = 1\n',
    )
  })

  test('leads close to what is not there at the ref that somebody chooses', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { 'src/a.ts': 'a', file: 'x' })
    await app.post(ann, `${path}/branches`, { new_branch_name: 'old/one' })
    await commit(setup, { 'src/deep/b <i>.ts': 'b' })
    await app.post(ann, `${path}/tags`, { tag_name: 'v1' })
    const name = 'b%20%3Ci%3E.ts'
    const file = await visit(app, `/ann/one/src/branch/main/src/deep/${name}`)
    const link = `/ann/one/src/branch/old/one/src/deep/${name}?nearest=true`
    assert.ok(file.text.includes(`href="${link}"`))
    assert.ok(file.text.includes(`href="/ann/one/src/tag/v1/src/deep/${name}?nearest=true"`))

    const near = await visit(app, link)

    assert.equal(near.status, 200)
    assert.match(wordsOf(near), /There is no src\/deep\/b &lt;i&gt;\.ts at old\/one/)
    assert.match(near.text, /href="\/ann\/one\/src\/branch\/old\/one\/src\/a\.ts"/)
    const folder = await visit(app, '/ann/one/src/branch/old/one/none?nearest=true')
    assert.match(folder.text, /role="status">[^]*src\/branch\/old\/one\/src"/)
    const within = await visit(app, '/ann/one/src/branch/old/one/file/x?nearest=true')
    assert.match(within.text, /role="status">[^]*src\/branch\/old\/one\/src"/)
    for (const section of ['blame', 'commits']) {
      const { headers } = await visit(app, link.replace('src', section))
      assert.equal(headers['location'], link, section)
    }
    const there = await visit(app, `/ann/one/src/tag/v1/src/deep/${name}?nearest=true`)
    assert.doesNotMatch(there.text, /There is no/)
    for (const wrong of [link.replace('?nearest=true', ''), link.replace('old', 'none')])
      assert.equal((await visit(app, wrong)).status, 404, wrong)
  })

  test('tells at the head of a folder which commit changed it last', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    await commit(setup, { 'src/a.ts': 'a', 'src/deep/b.ts': 'b' }, { message: 'Add a' })
    await commit(setup, { 'src/deep/c.ts': 'c' }, { message: 'Add c' })
    const { body } = await app.get(ann, `${path}/contents/src/deep/c.ts`)
    await app.delete(ann, `${path}/contents/src/deep/c.ts`, { sha: body.sha, message: 'Drop c' })
    const id = await commit(setup, { 'docs/b.md': 'b' }, { message: 'Add b' })
    const head = async (address: string) => {
      const { text } = await visit(app, `/ann/one${address}`)
      return /<span class="latest">[^]*?class="subject"[^>]*>([^<]+)</.exec(text)?.[1]
    }

    assert.equal(await head('/src/branch/main/src'), 'Drop c')
    assert.equal(await head('/src/branch/main/src/deep'), 'Drop c')
    assert.equal(await head(`/src/commit/${id}/docs`), 'Add b')
    assert.equal(await head('/src/branch/main'), 'Add b')
    assert.equal(await head(''), 'Add b')
  })

  test('has nothing for refs and paths that are not there', async (t) => {
    const setup = await startWithRepository(t)
    await commit(setup, { 'a/b.txt': 'x' })

    for (const path of [
      'branch/none',
      'branch/main/none',
      'branch/main/README.md/x',
      'tag/main',
      'commit/main',
      'commit/0000000000000000000000000000000000000000',
      'branch/..%2f..',
      'branch/-x',
      'branch/main%00',
      'branch/HEAD',
      'branch/refs/heads/main',
      `branch/${encodeURIComponent(evil)}`,
    ])
      assert.equal((await visit(setup.app, `/ann/one/src/${path}`)).status, 404, path)
    for (const path of ['src', 'src/branch', 'src/none/main'])
      assert.equal((await visit(setup.app, `/ann/one/${path}`)).status, 404, path)
  })

  test('is missing where the repository is not shown', async (t) => {
    const setup = await startWithRepository(t)
    await makePrivate(setup)

    const hidden = await visit(setup.app, '/ann/one/src/branch/main/README.md')

    assert.equal(hidden.status, 404)
    assert.equal(mainOf(hidden), mainOf(await visit(setup.app, '/ann/none')))
  })

  test('keeps odd names whole, in links and on the page', async (t) => {
    const setup = await startWithRepository(t)
    const name = `a b#?%&"'<script>.txt`
    await commit(setup, { [`dir/${name}`]: 'odd' })

    const folder = await visit(setup.app, '/ann/one/src/branch/main/dir')
    const link = /href="(\/ann\/one\/src\/branch\/main\/dir\/[^"]+)"/.exec(folder.text)?.[1] ?? ''
    const file = await visit(setup.app, link.replaceAll('&amp;', '&'))

    assert.equal(file.status, 200)
    assert.match(file.text, /odd/)
    assert.ok(!hasScript(folder) && !hasScript(file))
    assert.ok(file.text.includes('a b#?%&amp;&quot;&#39;&lt;script&gt;.txt'))
  })

  test('numbers the lines of a text and colours it by its language', async (t) => {
    const setup = await startWithRepository(t)
    await commit(setup, { 'a.ts': `const a = '${evil}'\n/* one\ntwo */\n`, 'a.none': evil })

    const code = await visit(setup.app, '/ann/one/src/branch/main/a.ts')
    const plain = await visit(setup.app, '/ann/one/src/branch/main/a.none')

    assert.match(
      code.text,
      /<tr id="L1"><td><a href="#L1" data-line="1" aria-label="Line 1"><\/a><\/td><td><span class="hljs-keyword">const<\/span>/,
    )
    assert.match(code.text, /<td><span class="hljs-comment">\/\* one<\/span><\/td>/)
    assert.match(code.text, /<td><span class="hljs-comment">two \*\/<\/span><\/td>/)
    assert.doesNotMatch(code.text, /id="L4"/)
    assert.match(wordsOf(code), /3 lines · 54 bytes/)
    assert.match(plain.text, /<td>&lt;script&gt;/)
    assert.ok(!hasScript(code) && !hasScript(plain))
  })

  test('renders Markdown, and shows its source when asked', async (t) => {
    const setup = await startWithRepository(t)
    await commit(setup, { 'docs/guide.md': `# Guide\n\n[next](next.md) ![p](../p.png) ${evil}` })
    const path = '/ann/one/src/branch/main/docs/guide.md'

    const page = await visit(setup.app, path)
    const source = await visit(setup.app, `${path}?display=source`)

    assert.match(page.text, /<h2 dir="auto" id="user-content-guide">Guide<\/h2>/)
    assert.match(page.text, /href="\/ann\/one\/src\/branch\/main\/docs\/next\.md"/)
    assert.match(page.text, /src="\/ann\/one\/media\/branch\/main\/p\.png"/)
    assert.match(source.text, /id="L1"/)
    assert.ok(!hasScript(page) && !hasScript(source))
  })

  test('colours the code in Markdown', async (t) => {
    const setup = await startWithRepository(t)
    await commit(setup, { 'README.md': '```json\n{"a": true}\n```\n' })

    const { text } = await visit(setup.app, '/ann/one')

    assert.match(text, /<pre><code>.*<span class="hljs-literal">/)
  })

  test('offers what is no text, too large or kept elsewhere as a download', async (t) => {
    const setup = await startWithRepository(t)
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 5000000\n`
    await commit(setup, {
      'large.txt': 'x'.repeat(1024 * 1024 + 1),
      'data.bin': 'a\0b',
      'movie.mp4': pointer,
      'empty.txt': '',
      'beam.png': 'not really',
      'beam.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    })
    const words = async (name: string) =>
      wordsOf(await visit(setup.app, `/ann/one/src/branch/main/${name}`))

    assert.match(await words('large.txt'), /1\.0 MB .* too large to be shown here\. Download it/)
    assert.match(await words('data.bin'), /It is no text\. Download it/)
    assert.match(await words('movie.mp4'), /Stored with Git LFS · 4\.8 MB/)
    assert.match(await words('empty.txt'), /The file is empty/)
    const picture = await visit(setup.app, '/ann/one/src/branch/main/beam.png')
    assert.match(
      picture.text,
      /<img src="\/ann\/one\/media\/branch\/main\/beam\.png" alt="beam\.png">/,
    )
    const drawing = await visit(setup.app, '/ann/one/src/branch/main/beam.svg')
    assert.match(drawing.text, /<img src="\/ann\/one\/media\/branch\/main\/beam\.svg"/)
    assert.match(drawing.text, /href="[^"]*beam\.svg\?display=source">Source</)
    const source = await visit(setup.app, '/ann/one/src/branch/main/beam.svg?display=source')
    assert.match(source.text, /href="[^"]*beam\.svg">Rendered</)
    assert.doesNotMatch(source.text, /<img src="[^"]*beam/)
  })

  test('shows where links and submodules lead', async (t) => {
    const setup = await startWithRepository(t)
    const id = 'b'.repeat(40)
    const modules = '[submodule "x"]\n\tpath = lib\n\turl = javascript:alert(1)\n'
    await importInto(
      setup,
      [
        'commit refs/heads/main',
        'committer Ann <ann@example.org> 1700000000 +0000',
        'data 4',
        'more',
        'from refs/heads/main^0',
        'M 120000 inline link',
        'data 9',
        'README.md',
        'M 120000 inline docs/up.md',
        'data 12',
        '../README.md',
        'M 120000 inline out',
        'data 9',
        '../../etc',
        `M 160000 ${id} lib`,
        'M 100644 inline .gitmodules',
        `data ${modules.length}`,
        modules,
        '',
      ].join('\n'),
    )

    const link = await visit(setup.app, '/ann/one/src/branch/main/link')
    const module = await visit(setup.app, '/ann/one/src/branch/main/lib')

    assert.match(link.text, /It leads to <code>README\.md<\/code>/)
    const there = /<a href="\/ann\/one\/src\/branch\/main\/README\.md">Go there<\/a>/
    assert.match(link.text, there)
    const up = await visit(setup.app, '/ann/one/src/branch/main/docs/up.md')
    assert.match(up.text, there)
    assert.doesNotMatch(up.text, /display=source/)
    const out = await visit(setup.app, '/ann/one/src/branch/main/out')
    assert.match(out.text, /It leads to <code>\.\.\/\.\.\/etc<\/code>/)
    assert.doesNotMatch(out.text, /Go there/)
    assert.ok(module.text.includes(id))
    assert.doesNotMatch(module.text, /href="javascript/)
  })

  test('names authors with accounts and those without, and escapes both', async (t) => {
    const setup = await startWithRepository(t)
    const author = { name: `Eve & ${evil}`, email: 'eve@example.org' }
    await commit(setup, { 'a.txt': 'x' }, { message: evil, author, committer: author })

    const page = await visit(setup.app, '/ann/one')

    assert.match(page.text, /<b class="person">Eve &amp; script/)
    assert.ok(!hasScript(page))
  })
})
