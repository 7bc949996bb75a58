import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { fill, folderOf } from '../../support/fill.ts'
import { addFiles, addRepository, folder, form, markdown, randomText } from './support.ts'

const input = '{type: input, attributes: {label: L}}'
const odd =
  '{type: input, id: x, attributes: {label: L, more: [1, {a: b}]}, validations: {min: ~, regex: .}, visible: []}'
const routes = ['issue_templates', 'issue_config', 'issue_config/validate']

suite('GET /repos/{owner}/{repo}/issue_templates', () => {
  test('lists the templates of all folders in their order, and counts the bad ones', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const full = await addRepository(app, ann, 'one', {
      '.gitlab/issue_template/z.md': markdown('name: last\nabout: x\nref: dev'),
      'ISSUE_TEMPLATE/b.md': markdown('name: first\nabout: x\nref: refs/tags/v1'),
      '.github/ISSUE_TEMPLATE/a.yml': `labels: []\nassignees: ann, , bob\n${form(input, odd)}`,
      'docs/ISSUE_TEMPLATE/a.md': markdown('name: nowhere\nabout: x'),
      [`${folder}deep/a.md`]: markdown('name: deep\nabout: x'),
      'config.md': markdown('name: config\nabout: x'),
      'config.yml': 'blank_issues_enabled: false',
      'upper.MD': 'x',
      'notes.txt': 'x',
      'bad.yaml': 'name: only',
      'broken.yaml': "name: '",
      'binary.yaml': Buffer.from([0xff, 0xfe, 0x00]),
    })

    const answer = await app.get(undefined, `/repos/${full}/issue_templates`)

    assertStatus(answer, 200)
    const warning = 'error occurs when parsing issue template: count=3'
    assert.equal(answer.headers['x-gitea-warning'], warning)
    assert.equal(answer.headers['x-service-warning'], warning)
    assert.deepEqual(
      answer.body.map((each: { name: string }) => each.name),
      ['first', 'config', 'Form', 'last'],
    )
    assert.deepEqual(answer.body[0], {
      name: 'first',
      title: '',
      about: 'x',
      labels: null,
      assignees: null,
      ref: 'refs/tags/v1',
      content: 'text\n',
      body: null,
      file_name: 'ISSUE_TEMPLATE/b.md',
    })
    const { body: fields, ...head } = answer.body[2]
    assert.deepEqual(head, {
      name: 'Form',
      title: '',
      about: 'a form',
      labels: [],
      assignees: ['ann', 'bob'],
      ref: 'refs/heads/',
      content: '',
      file_name: '.github/ISSUE_TEMPLATE/a.yml',
    })
    assert.deepEqual(fields, [
      {
        type: 'input',
        id: '0',
        attributes: { label: 'L' },
        validations: null,
        visible: ['form', 'content'],
      },
      {
        type: 'input',
        id: 'x',
        attributes: { label: 'L', more: [1, { a: 'b' }] },
        validations: { min: null, regex: '.' },
      },
    ])
    assertStatus(await app.head(undefined, `/repos/${full}/issue_templates`), 200)
    assert.equal(answer.body[3].ref, 'refs/heads/dev')
  })

  test('reads them where the default branch is only another name of a branch', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const full = await addRepository(app, ann, 'one', { 'a.md': markdown('name: old\nabout: x') })
    const branch = { new_branch_name: 'trunk' }
    assertStatus(await app.post(ann, `/repos/${full}/branches`, branch), 201)
    const file = {
      content: Buffer.from(markdown('name: new\nabout: x')).toString('base64'),
      branch: 'trunk',
    }
    assertStatus(await app.post(ann, `/repos/${full}/contents/${folder}b.md`, file), 201)
    const repository = await folderOf(app, full)
    await app.ctx.git.text(repository, ['pack-refs', '--all'])
    await app.ctx.git.text(repository, ['symbolic-ref', 'refs/heads/main', 'refs/heads/trunk'])

    const { body } = await app.get(undefined, `/repos/${full}/issue_templates`)

    assert.deepEqual(
      body.map((each: { name: string }) => each.name),
      ['old', 'new'],
    )
  })

  test('looks into eight folders, in their order', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const folders = ['', '.gitea/', '.github/', '.gitlab/'].flatMap((parent) => [
      `${parent}ISSUE_TEMPLATE`,
      `${parent}issue_template`,
    ])
    const files = folders.map((each) => [`${each}/a.md`, markdown(`name: ${each}\nabout: x`)])
    const full = await addRepository(app, ann, 'one', Object.fromEntries(files.toReversed()))

    const { body } = await app.get(ann, `/repos/${full}/issue_templates`)

    assert.deepEqual(
      (body as { name: string }[]).map(({ name }) => name),
      folders,
    )
  })

  test('reads the first part of a large file, not a larger one, and a hundred at most', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const full = await addRepository(app, ann, 'one', {})
    const many = Array.from({ length: 101 }, (_, n) => `.gitlab/issue_template/${n}.md`)
    await fill(app, full, [
      {
        path: `${folder}cut.md`,
        content: markdown('name: cut\nabout: x', 'x'.repeat(2 * 1024 * 1024)),
      },
      { path: `${folder}large.md`, content: Buffer.alloc(8 * 1024 * 1024 + 1, 'x') },
      { path: `${folder}link.md`, content: 'cut.md', mode: '120000' },
      ...many.map((path) => ({ path, content: `text of ${path}` })),
    ])

    const answer = await app.get(ann, `/repos/${full}/issue_templates`)

    assert.equal(answer.body.length, 99)
    assert.match(answer.headers['x-service-warning'] ?? '', /count=4$/)
    assert.equal(answer.body[0].name, 'cut')
    assert.equal(
      answer.body[0].content.length + '---\nname: cut\nabout: x\n---\n'.length,
      1024 * 1024,
    )
  })

  test('answers with what it can read of random files, and counts the rest', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const full = await addRepository(app, ann, 'one', {})
    const files = fc.sample(randomText, 90).map((content, index) => ({
      path: `${folder}${index}.${['yaml', 'md', 'yml'][index % 3]}`,
      content: index % 3 === 1 ? `---\n${content}\n---\n` : content,
    }))
    await fill(app, full, [
      ...files,
      { path: `${folder}config.yml`, content: files[0]?.content ?? '' },
    ])

    const answer = await app.get(ann, `/repos/${full}/issue_templates`)

    assertStatus(answer, 200)
    const failures = /count=(\d+)$/.exec(answer.headers['x-gitea-warning'] ?? '')?.[1] ?? '0'
    assert.equal(answer.body.length + Number(failures), files.length)
    assertStatus(await app.get(ann, `/repos/${full}/issue_config`), 200)
  })

  test('follows the default branch', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const read = async () => {
      const answer = await app.get(ann, '/repos/ann/one/issue_templates')
      assertStatus(answer, 200)
      assert.equal(answer.headers['x-gitea-warning'], undefined)
      return (answer.body as { name: string }[]).map(({ name }) => name)
    }

    assert.deepEqual(await read(), [])
    await addFiles(app, ann, 'ann/one', { 'a.md': markdown('name: a\nabout: x') })
    assert.deepEqual(await read(), ['a'])
    const side = { content: '', new_branch: 'side/one' }
    assertStatus(await app.post(ann, `/repos/ann/one/contents/${folder}b.md`, side), 201)
    assert.deepEqual(await read(), ['a'])
    await addFiles(app, ann, 'ann/one', { 'c.md': markdown('name: c\nabout: x') })
    assert.deepEqual(await read(), ['a', 'c'])
    await app.ctx.git.run(await folderOf(app, 'ann/one'), ['pack-refs', '--all'])
    assert.deepEqual(await read(), ['a', 'c'])
    await app.patch(ann, '/repos/ann/one', { default_branch: 'side/one' })
    assert.equal(
      (await app.get(ann, '/repos/ann/one/issue_templates')).headers['x-gitea-warning'],
      'error occurs when parsing issue template: count=1',
    )
  })
})

suite('the routes of issue templates', () => {
  test('are for those who may read the code', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const ben = await app.addCaller('ben')
    const narrow = await app.withToken(ann.account, ['read:issue'])
    await app.post(ann, '/user/repos', { name: 'hidden', private: true })
    await app.post(ann, '/user/repos', { name: 'closed' })
    await app.patch(ann, '/repos/ann/closed', { has_code: false })

    for (const route of routes) {
      assertError(await app.get(ben, `/repos/ann/hidden/${route}`), 404)
      assertError(await app.get(undefined, `/repos/ann/hidden/${route}`), 404)
      assertError(
        await app.get(ben, `/repos/ann/closed/${route}`),
        403,
        'user should have specific read permission or be a repo admin or a site admin',
      )
      assertError(await app.get(narrow, `/repos/ann/hidden/${route}`), 403, /read:repository/)
      assertStatus(await app.get(ann, `/repos/ann/hidden/${route}`), 200)
      assertStatus(await app.get(ann, `/repos/ann/closed/${route}`), 200)
    }
  })
})

suite('templates of an organization', () => {
  const files = {
    'all.md': markdown('name: all\nabout: x'),
    'config.yaml': 'blank_issues_enabled: false',
  }

  test('serve those of its repositories that have none, when the server says so', async (t) => {
    const app = await startApp(t, { repositories: { organization_issue_templates: true } })
    const ann = await app.addCaller('ann')
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/user/repos', { name: '.gitea' })
    const plain = await addRepository(app, ann, 'plain', {}, { org: 'acme' })
    const own = await addRepository(
      app,
      ann,
      'own',
      { 'a.md': markdown('name: a\nabout: x') },
      { org: 'acme' },
    )
    const personal = await addRepository(app, ann, 'personal', {})
    const names = async (full: string, who = true) =>
      (
        (await app.get(who ? ann : undefined, `/repos/${full}/issue_templates`)).body as {
          name: string
        }[]
      ).map(({ name }) => name)

    assert.deepEqual(await names(plain), [])
    await addRepository(app, ann, '.gitea', files, { org: 'acme', private: true })

    assert.deepEqual(await names(plain), ['all'])
    assert.deepEqual(await names(plain, false), [])
    assert.deepEqual(await names(own), ['a'])
    assert.deepEqual(await names(personal), [])
    const config = await app.get(ann, `/repos/${own}/issue_config`)
    assert.equal(config.body.blank_issues_enabled, false)
  })

  test('serve nobody else unless it does', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/orgs', { username: 'acme' })
    await addRepository(app, ann, '.gitea', files, { org: 'acme' })
    const plain = await addRepository(app, ann, 'plain', {}, { org: 'acme' })

    assert.deepEqual((await app.get(ann, `/repos/${plain}/issue_templates`)).body, [])
    assert.equal(
      (await app.get(ann, `/repos/${plain}/issue_config`)).body.blank_issues_enabled,
      true,
    )
  })
})
