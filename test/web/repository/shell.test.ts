// One database is enough: the pages look the same.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { archive, makeMirror, makePrivate, startWithRepository } from '../../code/commits/setup.ts'
import { startApp } from '../../support/app.ts'
import { signIn } from '../support.ts'
import { browser, edit, evil, hasScript, mainOf, visit, wordsOf } from './support.ts'

suite('the head of a repository', () => {
  test('tells its name, description, site, topics and audience', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob } = setup
    await edit(setup, { description: 'A bright server', website: 'https://lantern.example/' })
    await app.put(ann, '/repos/ann/one/topics', { topics: ['sea', 'light'] })
    await app.put(bob, '/user/starred/ann/one')

    const page = await visit(app, '/ann/one')

    assert.equal(page.status, 200)
    assert.match(page.text, /<title>ann\/one · Codestead<\/title>/)
    assert.match(
      page.text,
      /<h1><a href="\/ann">ann<\/a> <span>\/<\/span> <a href="\/ann\/one">one<\/a><\/h1>/,
    )
    assert.match(
      page.text,
      /<a href="https:\/\/lantern\.example\/" rel="nofollow noopener">lantern\.example<\/a>/,
    )
    assert.match(page.text, /href="\/explore\/repos\?q=sea&amp;topic=1">sea</)
    assert.match(wordsOf(page), /A bright server lantern\.example .* 1 star 1 watching 0 forks/)
    assert.match(page.text, /<span class="tag">Public<\/span>/)
  })

  test('tags what is special about it', async (t) => {
    const setup = await startWithRepository(t)
    await edit(setup, { template: true })
    await archive(setup)
    await makeMirror(setup)

    const page = await visit(setup.app, '/ann/one')

    const tags = [...page.text.matchAll(/<span class="tag">(\w+)<\/span>/g)].map(([, tag]) => tag)
    assert.deepEqual(tags, ['Public', 'Archived', 'Template', 'Mirror'])
    assert.match(wordsOf(page), /This repository was archived just now/)
  })

  test('names the base of a fork to those who may see it', async (t) => {
    const setup = await startWithRepository(t)
    const { app, bob } = setup
    await app.post(bob, '/repos/ann/one/forks', { name: 'copy' })

    const shown = await visit(app, '/bob/copy')
    await app.ctx.db
      .updateTable('repository')
      .set({ is_private: 1 })
      .where('lower_name', '=', 'one')
      .execute()
    const hidden = await visit(app, '/bob/copy')

    assert.match(shown.text, /forked from <a href="\/ann\/one">ann\/one<\/a>/)
    assert.equal(hidden.status, 200)
    assert.match(hidden.text, /<span class="tag">Fork<\/span>/)
    assert.doesNotMatch(hidden.text, /ann\/one/)
  })

  test('lets no text of a user become markup or a script', async (t) => {
    const setup = await startWithRepository(t)
    await edit(setup, { description: evil })
    await setup.app.ctx.db
      .updateTable('repository')
      .set({
        website: 'javascript:alert("x")',
        original_url: 'javascript:alert("x")',
        is_mirror: 1,
      })
      .execute()

    const page = await visit(setup.app, '/ann/one')

    assert.ok(!hasScript(page))
    assert.ok(page.text.includes('&lt;script&gt;'))
    assert.doesNotMatch(page.text, /href="javascript/)
    assert.match(page.headers['content-security-policy'] ?? '', /default-src 'none'/)
  })
})

suite('the tabs of a repository', () => {
  const tabs = (text: string) =>
    [...text.matchAll(/<a href="([^"]*)"[^>]*><svg[^]*?<\/svg> (\w+)/g)].map(
      ([, path, label]) => `${label} ${path}`,
    )

  test('are those of the units that are on, with counts', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    await app.post(ann, '/repos/ann/one/issues', { title: 'Beam flickers' })

    const all = await visit(app, '/ann/one')
    await edit(setup, { has_issues: false, has_pull_requests: false })
    await edit(setup, { has_releases: false, has_wiki: false, has_projects: false })
    const fewer = await visit(app, '/ann/one')

    assert.deepEqual(tabs(all.text), [
      'Code /ann/one',
      'Issues /ann/one/issues',
      'Pull /ann/one/pulls',
      'Projects /ann/one/projects',
      'Releases /ann/one/releases',
      'Wiki /ann/one/wiki',
      'Activity /ann/one/activity',
    ])
    assert.match(all.text, /Issues <span class="n">1<\/span>/)
    assert.match(all.text, /href="\/ann\/one"[^>]* aria-current="page"/)
    assert.deepEqual(tabs(fewer.text), ['Code /ann/one', 'Activity /ann/one/activity'])
  })

  test('lead to the tracker where issues are kept elsewhere', async (t) => {
    const setup = await startWithRepository(t)
    const tracker = (url: string) => ({
      has_issues: true,
      external_tracker: {
        external_tracker_url: url,
        external_tracker_format: 'https://bugs.example/{index}',
        external_tracker_style: 'numeric',
      },
    })
    await edit(setup, tracker('https://bugs.example/'))

    const page = await visit(setup.app, '/ann/one')

    assert.ok(tabs(page.text).includes('Issues https://bugs.example/'))
  })

  test('link below the path under which the server is published', async (t) => {
    const { app } = await startWithRepository(t, { server: { url: 'https://forge.example/sub' } })

    const { text } = await visit(app, '/ann/one')

    const links = [...text.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(
      ([, link]) => link ?? '',
    )
    assert.ok(links.length > 6)
    assert.deepEqual(
      links.filter((link) => !link.startsWith('/sub/')),
      [],
    )
  })
})

suite('what is missing in a repository', () => {
  test('is told among its tabs, and leads back to it', async (t) => {
    const { app } = await startWithRepository(t)
    const bob = await signIn(app, 'bob')

    for (const path of ['src/branch/main/none', 'src/branch/none', 'issues/9', 'settings/keys']) {
      const page = await bob.get(`/ann/one/${path}`)
      assert.equal(page.status, 404, path)
      assert.match(page.text, /<h2>There is nothing here<\/h2>/, path)
      assert.match(page.text, /<nav class="tabs" aria-label="Repository">/, path)
      assert.match(page.text, /href="\/ann\/one">To the repository</, path)
    }
    const line = await app.get(undefined, '^/ann/one/src/branch/main/none')
    assert.equal(line.text, '404 page not found\n')
  })

  test('is told so to those who send a form, too', async (t) => {
    const setup = await startWithRepository(t)
    await archive(setup)
    const ann = await signIn(setup.app, 'ann')

    const page = await ann.post('/ann/one/issues/new', { title: 'Late' })

    assert.equal(page.status, 423)
    assert.match(page.text, /<h2>This did not work<\/h2>/)
    assert.match(page.text, /href="\/ann\/one">To the repository</)
  })
})

suite('a repository that is not shown', () => {
  test('is the same page as one that does not exist', async (t) => {
    const setup = await startWithRepository(t)
    await makePrivate(setup)

    const hidden = await visit(setup.app, '/ann/one')
    const missing = await visit(setup.app, '/ann/two')
    const nobody = await visit(setup.app, '/carol/two')

    assert.equal(hidden.status, 404)
    assert.match(hidden.text, /There is nothing here/)
    assert.equal(missing.status, 404)
    assert.equal(mainOf(missing), mainOf(hidden))
    assert.equal(mainOf(nobody), mainOf(hidden))
    assert.equal(hidden.headers['content-type'], 'text/html; charset=utf-8')
  })

  test('is not shown to a token either: pages know sessions only', async (t) => {
    const setup = await startWithRepository(t)
    await makePrivate(setup)

    assert.equal((await setup.app.get(setup.ann, '^/ann/one', browser)).status, 404)
  })

  test('is the same line as always for programs', async (t) => {
    const app = await startApp(t)

    const answer = await app.get(undefined, '^/ann/one')

    assert.equal(answer.status, 404)
    assert.equal(answer.text, '404 page not found\n')
    assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
  })

  test('asks for a sign-in where nobody sees anything without one', async (t) => {
    const { app } = await startWithRepository(t, { security: { require_sign_in: 'true' } })

    const { status, headers, text } = await visit(app, '/ann/one?a=b')

    assert.equal(status, 303)
    assert.equal(headers['location'], '/user/login?redirect_to=%2Fann%2Fone%3Fa%3Db')
    assert.doesNotMatch(text, /one/)
  })

  test('asks for a sign-in before what costs much, where only that wants one', async (t) => {
    const setup = await startWithRepository(t, { security: { require_sign_in: 'expensive' } })
    const { app, ann } = setup
    const signedIn = await signIn(app, 'ann')
    const costly = [
      '/src/branch/main/README.md',
      '/blame/branch/main/README.md',
      '/commits/branch/main',
      '/compare/main...main',
      '/find/branch/main',
      '/issues',
      '/pulls',
      '/wiki',
      '/activity',
      '/atom/branch/main',
    ]

    for (const page of ['', '.atom', '/releases', '/branches', '/tags'])
      assert.equal((await visit(app, `/ann/one${page}`)).status, 200, page)
    for (const page of costly) {
      const { status, headers } = await visit(app, `/ann/one${page}`)
      assert.equal(status, 303, page)
      assert.match(headers['location'] ?? '', /^\/user\/login\?redirect_to=/)
      assert.equal((await signedIn.get(`/ann/one${page}`)).status, 200, page)
    }
    for (const file of ['/raw/branch/main/README.md', '/archive/main.zip']) {
      assert.equal((await app.get(undefined, `^/ann/one${file}`)).status, 403, file)
      assert.equal((await app.get(ann, `^/ann/one${file}`)).status, 200, file)
    }
    assert.equal((await app.get(undefined, '/repos/ann/one/raw/README.md')).status, 200)
  })

  test('is missing under names that no repository can have', async (t) => {
    const { app } = await startWithRepository(t)

    for (const path of [
      '/ann/%3Cscript%3E',
      '/ann/one%2Fx',
      '/%20/one',
      '/ann/one%00',
      '/ann/%F0%9F%92%A9',
    ])
      assert.equal((await visit(app, path)).status, 404, path)
  })
})

suite('addresses of repositories', () => {
  test('lead on from old names, as far as the viewer may see the new one', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann } = setup
    await edit(setup, { name: 'lantern' })

    const moved = await visit(app, '/ann/one?tab=x')
    await app.patch(ann, '/repos/ann/lantern', { private: true })
    const hidden = await visit(app, '/ann/one')

    assert.equal(moved.status, 301)
    assert.equal(moved.headers['location'], '/ann/lantern?tab=x')
    assert.equal(hidden.status, 404)
    assert.doesNotMatch(hidden.text, /lantern/)
  })

  test('of clones lead to the page', async (t) => {
    const { app } = await startWithRepository(t)

    const { status, headers } = await visit(app, '/ann/one.git')

    assert.equal(status, 301)
    assert.equal(headers['location'], '/ann/one')
  })

  test('do not depend on the case of letters', async (t) => {
    const { app } = await startWithRepository(t)

    assert.match((await visit(app, '/ANN/One')).text, /<a href="\/ann\/one">one<\/a>/)
  })
})

suite('addresses without anything', () => {
  test('are a page for browsers and a line for programs', async (t) => {
    const app = await startApp(t)

    for (const path of ['/nobody', '/a/b/c/d', '/assets/none.css', '/user/none']) {
      const page = await visit(app, path)
      assert.equal(page.status, 404, path)
      assert.match(page.text, /There is nothing here/, path)
      assert.equal((await app.get(undefined, `^${path}`)).text, '404 page not found\n')
    }
  })

  test('of the API stay what they were', async (t) => {
    const app = await startApp(t)

    for (const path of ['/api/v1/none', '/api/v1', '/api/none'])
      assert.equal((await visit(app, path)).text, '404 page not found\n', path)
    assert.equal((await app.post(undefined, '/version', {}, browser)).status, 405)
  })
})
