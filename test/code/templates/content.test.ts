import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'
import { folderOf } from '../../support/fill.ts'
import { addTemplate, countFolders, generate, readAll } from './support.ts'

suite('.gitea/template', () => {
  test('says which files are expanded and which are left out', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const full = await addTemplate(app, ann, 'tpl', {
      '.gitea/template': '**\n[exclude]\n*.log\nnotes\n*.link\nmodule\n',
      '.gitea/other': 'x',
      'src/${REPO_NAME_PASCAL}/main.go': { content: 'package $REPO_NAME_SNAKE\n', mode: '100755' },
      'a.log': 'x',
      'kept/a.log': 'x',
      'notes/one': 'x',
      'notes/deep/two': 'x',
      'notes.txt': 'x',
      'gone.link': { content: 'x', mode: '120000' },
      '$REPO_NAME.lnk': { content: '$REPO_NAME', mode: '120000' },
      'large-$REPO_NAME': `$REPO_NAME${' '.repeat(1024 * 1024)}`,
      'binary-$REPO_NAME': Buffer.from([0xff, ...Buffer.from('$REPO_NAME')]),
    })

    assertStatus(await generate(app, ann, full, { name: 'my-app', git_content: true }), 201)

    const files = await readAll(app, 'ann/my-app')
    assert.equal(files['large-$REPO_NAME']?.length, '100644 $REPO_NAME'.length + 1024 * 1024)
    delete files['large-$REPO_NAME']
    assert.deepEqual(files, {
      '$REPO_NAME.lnk': '120000 $REPO_NAME',
      '.gitea/other': '100644 x',
      'binary-$REPO_NAME': '100644 \ufffd$REPO_NAME',
      'kept/a.log': '100644 x',
      'notes.txt': '100644 x',
      'src/MyApp/main.go': '100755 package my_app\n',
    })
  })

  test('is followed only when it is a file, and writes through no link', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const canary = app.ctx.config.data
    const link = (content: string) => ({ content, mode: '120000' as const })
    const linked = await addTemplate(app, ann, 'linked', {
      '.gitea/template': link('../rules'),
      rules: '**',
      a: '$REPO_NAME',
    })
    const folder = await addTemplate(app, ann, 'folder', {
      '.gitea': link('rules'),
      'rules/template': '**',
      a: '$REPO_NAME',
    })
    const hostile = await addTemplate(app, ann, 'hostile', {
      '.gitea/template': '**',
      conf: link(canary),
      self: link('self'),
      chain: link('self'),
      file: link('/etc/passwd'),
      '$REPO_DESCRIPTION/x': 'through a link',
      '$REPO_OWNER-$REPO_DESCRIPTION': 'beside one',
    })
    const before = readdirSync(canary).sort()
    const passwd = readFileSync('/etc/passwd')

    assertStatus(await generate(app, ann, linked, { name: 'a', git_content: true }), 201)
    assertStatus(await generate(app, ann, folder, { name: 'b', git_content: true }), 201)
    for (const [index, description] of ['conf', 'self', 'chain', 'file', 'file/deep'].entries()) {
      assertStatus(
        await generate(app, ann, hostile, { name: `c${index}`, git_content: true, description }),
        201,
      )
      const made = Object.keys(await readAll(app, `ann/c${index}`))
      assert.deepEqual(made.sort(), [`ann-${description}`, 'chain', 'conf', 'file', 'self'].sort())
    }

    assert.equal((await readAll(app, 'ann/a'))['.gitea/template'], '120000 ../rules')
    assert.equal((await readAll(app, 'ann/a'))['a'], '100644 $REPO_NAME')
    assert.equal((await readAll(app, 'ann/b'))['a'], '100644 $REPO_NAME')
    assert.deepEqual(readdirSync(canary).sort(), before)
    assert.deepEqual(readFileSync('/etc/passwd'), passwd)
  })

  test('makes no path twice, none that cannot be, and nothing of git itself', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const full = await addTemplate(app, ann, 'tpl', {
      '.gitea/template': '**',
      'dir/file': 'x',
      plain: 'x',
      $REPO_DESCRIPTION: 'expanded',
    })
    const before = countFolders(app)
    const twice = 'template expansion produced a duplicate path'
    const never = 'template expansion produced an invalid path'
    const refused: Record<string, string> = {
      plain: twice,
      dir: twice,
      'plain/below': twice,
      'dir/file': twice,
      'a/./b': never,
      'a/git~1/hooks/update': never,
      '.g\u200cit/config': never,
      '/abs': never,
    }
    const make = (name: string, description: string) =>
      generate(app, ann, full, { name, description, git_content: true })

    for (const [description, message] of Object.entries(refused))
      assertError(await make('x', description), 422, message)
    assert.equal(countFolders(app), before)
    assertStatus(await make('hooks', '.git/hooks/post-receive'), 201)
    assertStatus(await make('up', '../../config'), 201)

    assert.ok('_git/hooks/post-receive' in (await readAll(app, 'ann/hooks')))
    assert.ok('__/__/config' in (await readAll(app, 'ann/up')))
    await app.post(ann, '/user/repos', { name: 'fresh' })
    const fresh = await folderOf(app, 'ann/fresh')
    for (const name of ['hooks', 'up']) {
      const made = await folderOf(app, `ann/${name}`)
      assert.deepEqual(readdirSync(made).sort(), readdirSync(fresh).sort())
      for (const file of ['config', 'HEAD'])
        assert.equal(
          readFileSync(join(made, file), 'utf8'),
          readFileSync(join(fresh, file), 'utf8'),
        )
    }
  })

  test('does not explode', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const full = await addTemplate(app, ann, 'tpl', {
      '.gitea/template': '**',
      big: '$REPO_DESCRIPTION'.repeat(60_000),
    })
    const many = await addTemplate(app, ann, 'many', {
      '.gitea/template': '**',
      ...Object.fromEntries(
        Array.from({ length: 5 }, (_, n) => [`f${n}`, '$REPO_DESCRIPTION'.repeat(7500)]),
      ),
    })
    const huge = await addTemplate(app, ann, 'huge', {
      '.gitea/template': `${'#'.repeat(1024 * 1024)}\n`,
      a: '',
    })
    const make = (template: string) =>
      generate(app, ann, template, { name: 'x', description: 'y'.repeat(2048), git_content: true })

    assertError(await make(full), 422, 'template expansion is too large')
    assertError(await make(many), 422, 'template expansion is too large')
    assertError(await make(huge), 422, 'template is too large')
  })

  test('expands and copies what many paths lead to once for all of them', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const same = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`plain/${n}`, 'x'.repeat(1000)]),
    )
    const full = await addTemplate(app, ann, 'tpl', {
      ...same,
      '.gitea/template': 'a/*\n',
      'a/$REPO_NAME': '$REPO_NAME',
      'a/two': { content: '$REPO_NAME', mode: '100755' },
      'b/three': '$REPO_NAME',
      'b/four': { content: '$REPO_NAME', mode: '120000' },
    })

    assertStatus(await generate(app, ann, full, { name: 'made', git_content: true }), 201)

    assert.deepEqual(await readAll(app, 'ann/made'), {
      ...Object.fromEntries(Object.entries(same).map(([path, text]) => [path, `100644 ${text}`])),
      'a/made': '100644 made',
      'a/two': '100755 made',
      'b/four': '120000 $REPO_NAME',
      'b/three': '100644 $REPO_NAME',
    })
  })

  test('is not read from a tree that is a bomb', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const full = await addTemplate(app, ann, 'bomb')
    const folder = await folderOf(app, full)
    const git = (parameters: readonly string[], input = '') =>
      app.ctx.git.text(folder, parameters, { input })
    let id = await git(['hash-object', '-w', '--stdin'], 'x')
    for (let level = 0; level < 10; level++) {
      const [mode, type] = level === 0 ? ['100644', 'blob'] : ['040000', 'tree']
      const lines = Array.from({ length: 10 }, (_, n) => `${mode} ${type} ${id}\td${n}\n`)
      id = await git(['mktree'], lines.join(''))
    }
    const commit = await git([
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@b',
      'commit-tree',
      id,
      '-m',
      'x',
    ])
    await git(['update-ref', 'refs/heads/main', commit])

    const answer = await generate(app, ann, full, { name: 'x', git_content: true })

    assertError(answer, 422, 'template is too large')
  })
})

suite('inputs of a template', () => {
  const declared = {
    '.gitea/template': 'README.md\n${TITLE_SNAKE}.txt\n',
    '.gitea/template.yml':
      'inputs:\n  TITLE: {prompt: What is it called?, pattern: "[A-Z][A-Za-z]*"}\n  COUNT: {type: integer, default: 3}\n',
    'README.md': '# $TITLE ($COUNT)\n',
    '$TITLE_SNAKE.txt': 'x',
  }

  test('are listed for those who may read the code', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await addTemplate(app, ann, 'tpl', declared, { private: true })
    await addTemplate(app, ann, 'none')
    await addTemplate(app, ann, 'bad', { '.gitea/template.yml': 'inputs: [' })
    await app.post(ann, '/user/repos', { name: 'plain' })
    const get = (name: string, who: typeof ann | undefined = ann) =>
      app.get(who, `/repos/ann/${name}/template`)

    const answer = await get('tpl')

    assertStatus(answer, 200)
    assert.deepEqual(answer.body.inputs, [
      {
        name: 'TITLE',
        type: 'string',
        prompt: 'What is it called?',
        pattern: '[A-Z][A-Za-z]*',
        options: [],
        default: null,
        required: true,
      },
      {
        name: 'COUNT',
        type: 'integer',
        prompt: '',
        pattern: '',
        options: [],
        default: '3',
        required: false,
      },
    ])
    assert.deepEqual((await get('none')).body, { inputs: [] })
    assertError(await get('bad'), 422, /^\.gitea\/template\.yml: /)
    assertError(await get('plain'), 422, 'this is not a template repo')
    assertError(await app.get(undefined, '/repos/ann/tpl/template'), 404)
  })

  test('are filled in from variables, of which a bad one is named', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const full = await addTemplate(app, ann, 'tpl', declared)
    const make = (variables: unknown, name = 'x') =>
      generate(app, ann, full, { name, git_content: true, variables })

    assertError(await make({}), 422, 'variable TITLE is required')
    assertError(await make({ TITLE: 'lower' }), 422, 'variable TITLE does not match [A-Z][A-Za-z]*')
    assertError(
      await make({ TITLE: 'A', MORE: 1 }),
      422,
      'variable MORE is not declared by the template',
    )
    assertError(await make('TITLE'), 422)
    assertStatus(await make({ TITLE: 'MyThing', COUNT: 7 }, 'made'), 201)

    assert.deepEqual(await readAll(app, 'ann/made'), {
      'README.md': '100644 # MyThing (7)\n',
      'my_thing.txt': '100644 x',
    })
  })

  test('can be tried out: the files are listed, and nothing is made', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const full = await addTemplate(app, ann, 'tpl', declared)
    const before = countFolders(app)
    const options = { name: 'x', git_content: true, variables: { TITLE: 'MyThing' } }

    const answer = await generate(app, ann, full, options, '?dry_run=true')

    assertStatus(answer, 200)
    assert.deepEqual(answer.body, {
      default_branch: 'main',
      files: [
        { path: 'my_thing.txt', mode: '100644', size: 1 },
        { path: 'README.md', mode: '100644', size: '# MyThing (3)\n'.length },
      ],
    })
    assertError(await app.get(ann, '/repos/ann/x'), 404)
    assert.equal(countFolders(app), before)
    const taken = await generate(app, ann, full, { ...options, name: 'tpl' }, '?dry_run=true')
    assertError(taken, 409)
    const empty = await generate(app, ann, full, { name: 'x', labels: true }, '?dry_run=true')
    assert.deepEqual(empty.body, { default_branch: 'main', files: [] })
  })
})
