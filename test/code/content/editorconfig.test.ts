// One database is enough: what is read is in git.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findDefinition } from '../../../src/code/content/editorconfig.ts'
import { commit, importInto, makePrivate, startWithRepository } from '../commits/setup.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

suite('GET /repos/{owner}/{repo}/editorconfig/{path}', () => {
  test('tells what the file in the root folder says', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, path } = setup
    const config =
      'root = true\n[*]\ncharset = utf-8\nindent_style = space\n[src/**.go]\nindent_style = tab\n'
    await commit(setup, { '.editorconfig': config, 'src/.editorconfig': '[*]\ncharset = latin1\n' })
    const read = (file: string, who = undefined as typeof ann | undefined) =>
      app.get(who, `${path}/editorconfig/${file}`)

    const usual = { charset: 'utf-8', indent_style: 'space' }
    const { status, body } = await read('src/deep/main.go')
    assert.equal(status, 200)
    assert.deepEqual(body, { ...usual, indent_style: 'tab', indent_size: 'tab' })
    for (const file of ['main.go', 'no/such/file', 'src%2Freadme.md', 'a%20b', '/x']) {
      assert.deepEqual((await read(file)).body, usual, file)
    }
    await commit(setup, { '.editorconfig': '[*.md]\ncharset = utf-8\n' }, { new_branch: 'other' })
    assert.deepEqual((await read('main.go?ref=other')).body, {})
  })

  test('needs such a file, and somebody who may read it', async (t) => {
    const setup = await startWithRepository(t)
    const { app, ann, bob, path } = setup
    const file = `${path}/editorconfig/a.ts`

    assertError(await app.get(ann, file), 404)
    await importInto(
      setup,
      'commit refs/heads/odd\ncommitter A <a@b> 1700000000 +0200\ndata 1\nx\nM 120000 inline .editorconfig\ndata 1\nx\n',
    )
    assertError(await app.get(ann, `${file}?ref=odd`), 404)
    await commit(setup, { '.editorconfig': `[*]\n${'#'.repeat(70_000)}` }, { new_branch: 'large' })
    assertError(await app.get(ann, `${file}?ref=large`), 404)
    await commit(setup, { '.editorconfig': '[*]\ncharset = utf-8\n' })
    assertStatus(await app.get(undefined, file), 200)
    assertError(await app.get(ann, `${file}?ref=none`), 404)
    assertError(await app.get(await app.withToken(ann.account, ['read:user']), file), 403, /scope/)
    const narrow = await app.withToken(ann.account, ['read:repository', 'public-only'])
    await makePrivate(setup)
    for (const who of [bob, undefined, narrow]) assertError(await app.get(who, file), 404)
    assertStatus(await app.get(ann, file), 200)
  })
})

suite('a section of .editorconfig', () => {
  const matches = async (head: string, path: string) =>
    'charset' in (await findDefinition(`[${head}]\ncharset = x`, path))
  const cases: readonly [string, readonly string[], readonly string[]][] = [
    ['*', ['a', 'a/b', '.hidden'], []],
    ['*.ts', ['a.ts', 'a/b.ts'], ['a.tsx', 'ats']],
    ['a.ts', ['a.ts', 'b/a.ts'], ['aa.ts', 'a-ts']],
    ['/a.ts', ['a.ts'], ['b/a.ts']],
    ['b/*.ts', ['b/a.ts'], ['a/b/a.ts', 'b/c/a.ts']],
    ['b/**.ts', ['b/a.ts', 'b/c/a.ts'], ['a.ts']],
    ['b/**/a.ts', ['b/a.ts', 'b/c/d/a.ts'], ['ba.ts', 'b/ca.ts']],
    ['?.ts', ['a.ts', 'b/a.ts'], ['aa.ts', '.ts']],
    ['[ab].ts', ['a.ts', 'b.ts'], ['c.ts']],
    ['[!ab].ts', ['c.ts'], ['a.ts', 'b.ts']],
    ['[a-c^].ts', ['b.ts', '^.ts'], ['d.ts']],
    ['*.{js,ts}', ['a.js', 'b/a.ts'], ['a.css', 'a.']],
    ['{a,b{c,d}}.x', ['a.x', 'bc.x', 'bd.x'], ['b.x', 'c.x']],
    ['{a,}.x', ['a.x', '.x'], ['b.x']],
    ['{a}.x', ['{a}.x'], ['a.x']],
    ['{a.x', ['{a.x'], ['a.x']],
    ['a{-1..3}', ['a-1', 'a0', 'a3', 'a+2'], ['a4', 'a', 'ax', 'a-2']],
    ['{x,{1..2}}', ['x', '2'], ['3']],
    ['\\*.x', ['*.x'], ['a.x']],
    ['a+(b)$.x', ['a+(b)$.x'], ['aab.x']],
    ['ä?', ['ä😀'], ['ä']],
    ['x'.repeat(300), [], ['x'.repeat(300)]],
  ]
  for (const [head, matching, others] of cases) {
    test(`[${head.slice(0, 20)}] matches ${matching.join(' ') || 'nothing'}`, async () => {
      for (const path of matching) assert.equal(await matches(head, path), true, path)
      for (const path of others) assert.equal(await matches(head, path), false, path)
    })
  }

  test('is read in any letter case, with comments, and until it is unset', async () => {
    const text = [
      '\uFEFFcharset = before',
      '[*] ; all',
      'Indent_Style : TAB # as ever',
      'tab_width=8',
      'END_OF_LINE = LF',
      '# charset = none',
      'nonsense',
      '[*.md]\r',
      'end_of_line = unset\r',
      'charset =',
    ].join('\n')

    const usual = { indent_style: 'tab', indent_size: '8' }
    assert.deepEqual(await findDefinition(text, 'a.ts'), { ...usual, end_of_line: 'lf' })
    assert.deepEqual(await findDefinition(text, 'a.md'), usual)
    assert.deepEqual(await findDefinition('[*]\nindent_size = 2', 'a'), { indent_size: '2' })
  })

  test('is not read where there are too many, or for a path that is too long', async () => {
    const head = '{a,b*}'.repeat(40)
    const text = `${`[${head}]\ncharset = x\n`.repeat(17)}[*]\ncharset = y\n`

    assert.deepEqual(await findDefinition(text, 'c'), { charset: 'y' })
    assert.deepEqual(await findDefinition(`[${head}]\n${text}`, 'c'), {})
    assert.deepEqual(await findDefinition(text, 'c'.repeat(512)), { charset: 'y' })
    assert.deepEqual(await findDefinition(text, 'c'.repeat(513)), {})
  })
})
