// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { configWith } from '../../../src/platform/config/config.ts'
import { expandContent, expandPath, expandText } from '../../../src/code/templates/expand.ts'
import { parseInputs, resolveInputs } from '../../../src/code/templates/inputs.ts'
import { parseRules } from '../../../src/code/templates/rules.ts'
import { transforms } from '../../../src/code/templates/transform.ts'
import { builtInVariables } from '../../../src/code/templates/variables.ts'
import { anyCharacter } from '../../support/arbitraries.ts'

const config = configWith('/nowhere', { server: { url: 'https://code.test/sub' } })
const variablesOf = (name: string, description = 'd') =>
  builtInVariables(
    config,
    Date.UTC(2026, 1, 3, 12) / 1000,
    { owner: 'ann', name, description },
    { owner: 'Ben', name: 'tpl', description: 'a template' },
  )

suite('transformers', () => {
  test('change the form of a name', () => {
    const names = ['SNAKE', 'KEBAB', 'CAMEL', 'PASCAL', 'LOWER', 'UPPER', 'TITLE']
    const table: Record<string, string> = {
      'Abc_Def-XYZ':
        'abc_def_xyz abc-def-xyz abcDefXyz AbcDefXyz abc_def-xyz ABC_DEF-XYZ Abc_def-Xyz',
      HTTPServer: 'http_server http-server httpserver Httpserver httpserver HTTPSERVER Httpserver',
      http2xx: 'http_2xx http-2xx http2xx Http2xx http2xx HTTP2XX Http2xx',
      HTTP2Server:
        'http2_server http2-server http2Server Http2Server http2server HTTP2SERVER Http2server',
      MyRepo: 'my_repo my-repo myRepo MyRepo myrepo MYREPO Myrepo',
      myRepo: 'my_repo my-repo myRepo MyRepo myrepo MYREPO Myrepo',
      'my.repo': 'my.repo my.repo my.repo My.repo my.repo MY.REPO My.repo',
      Bld4Floor3rd:
        'bld4_floor_3rd bld4-floor-3rd bld4Floor3rd Bld4Floor3rd bld4floor3rd BLD4FLOOR3RD Bld4floor3rd',
      HTTP20xOK: 'http_20x_ok http-20x-ok http20xOK Http20xOK http20xok HTTP20XOK Http20xok',
      Duration2m3s:
        'duration_2m3s duration-2m3s duration2m3s Duration2m3s duration2m3s DURATION2M3S Duration2m3s',
      v2: 'v2 v2 v2 V2 v2 V2 V2',
      _x__y_: '_x__y_ -x--y- _x_Y_ _X_Y_ _x__y_ _X__Y_ _X__y_',
    }

    for (const [name, forms] of Object.entries(table)) {
      assert.equal(names.map((each) => transforms.get(each)?.(name)).join(' '), forms, name)
    }
  })
})

suite('variables', () => {
  test('have the values of both repositories and of the day', () => {
    const text =
      '$YEAR-$MONTH-$DAY ${MONTH_ENGLISH} $MONTH_ENGLISH_UPPER|$REPO_NAME $TEMPLATE_NAME|' +
      '$REPO_OWNER ${TEMPLATE_OWNER_LOWER}|$REPO_DESCRIPTION $TEMPLATE_DESCRIPTION|$REPO_LINK|' +
      '$TEMPLATE_HTTPS_URL $REPO_SSH_URL'

    assert.equal(
      expandText(text, variablesOf('One')),
      '2026-02-03 February FEBRUARY|One tpl|ann ben|d a template|/sub/ann/One|' +
        'https://code.test/sub/Ben/tpl.git git@code.test:ann/One.git',
    )
  })

  test('that nobody knows stay as they are written', () => {
    const texts = [
      '${NOPE} $NOPE $ x ${a b} ${} ${repo_name} $REPO_NAMES ${REPO_LINK_UPPER} $5 ${REPO_NAME',
      '${__proto__} ${constructor} $toString ${REPO_NAME_UPPER_UPPER} $HOME $PATH ${YEAR_LOWER}',
    ]

    for (const text of texts) assert.equal(expandText(text, variablesOf('x')), text)
    assert.equal(expandText('${${REPO_NAME}}', variablesOf('x')), '${x}')
  })

  test('are put in once: what they hold is not read again', () => {
    const description = '$REPO_NAME\r\n- ${REPO_OWNER}: $& $1 $$'

    assert.equal(
      expandText('[$REPO_DESCRIPTION]', variablesOf('x', description)),
      `[${description}]`,
    )
  })

  test('leave everything else alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        fc.pre(!/\$\{?[A-Z]/.test(text))
        assert.equal(expandText(text, variablesOf('x')), text)
        assert.equal(expandPath(text, variablesOf('x')), text)
        assert.equal(expandContent(Buffer.from(text), variablesOf('x')), undefined)
      }),
    )
  })

  test('make no file that is too large', () => {
    const text = '${REPO_DESCRIPTION}'.repeat(50_000)
    const before = process.cpuUsage()

    assert.throws(() => expandText(text, variablesOf('x', 'y'.repeat(2048))), /too large/)

    assert.ok(process.cpuUsage(before).user < 2_000_000, 'it stops before it has made all of it')
    assert.equal(expandText(text, variablesOf('x', 'y')).length, 50_000)
    const most = '$REPO_DESCRIPTION'.repeat(8192)
    assert.equal(expandText(most, variablesOf('x', 'y'.repeat(2048))).length, 16 * 1024 * 1024)
    assert.throws(() => expandText(`${most} `, variablesOf('x', 'y'.repeat(2048))), /too large/)
  })
})

suite('paths', () => {
  const path = (value: string, pattern = '$REPO_DESCRIPTION') =>
    expandPath(pattern, variablesOf('x', value))

  test('are cleaned where something was put in', () => {
    const table: Record<string, string> = {
      'a<b>:"\\|?*\tc': 'a_b________c',
      con: '_',
      Lpt1: '_',
      'com0/x': '_/x',
      'con.txt': 'con.txt',
      ' a /b ': 'a/b',
      '../x': '__/x',
      '..x': '__x',
      '.git/hooks/post-checkout': '_git/hooks/post-checkout',
      'a/.Git/config': 'a/_Git/config',
      '.GIT ': '_GIT',
      '.gitignore': '.gitignore',
    }

    for (const [value, cleaned] of Object.entries(table)) assert.equal(path(value), cleaned, value)
    assert.equal(expandPath('a:b/$NOPE', variablesOf('x')), 'a:b/$NOPE')
  })

  test('that cannot be are refused', () => {
    const parts = [
      '',
      '.',
      'git~1',
      '.g\u200cit',
      '.git.',
      '.git...',
      'GIT~1',
      '.gi\ufefft',
      'x'.repeat(256),
    ]
    const all = [1, 2, 3].flatMap((depth) =>
      parts.map((part) => [...Array<string>(depth - 1).fill('d'), part, 'hooks'].join('/')),
    )

    for (const value of [...all, '/etc/passwd', 'a//b', 'a/', `${'abc/'.repeat(1025)}x`]) {
      assert.throws(
        () => path(value),
        { message: 'template expansion produced an invalid path' },
        value,
      )
    }
  })
})

suite('.gitea/template', () => {
  test('has globs in two sections', () => {
    const { expands, excludes } = parseRules(
      '# note\n\n  *.md  \r\n**.go\ntext/*.txt\n**/m/*\n[!a]x\n$\\{N\\}.log\n[bad\nexact\n[exclude]\nnotes\n' +
        '*.{tmp,bak}\n[unknown]\nstill\n[expand]\nlate\n',
    )

    for (const path of [
      'a.md',
      'main.go',
      'x/y.go',
      'text/a.txt',
      'l/m/n',
      'bx',
      '${N}.log',
      'exact',
      'late',
    ])
      assert.ok(expands(path), path)
    for (const path of [
      'd/a.md',
      'text/d/a.txt',
      'm/n',
      'l/m/n/o',
      'ax',
      '[bad',
      '# note',
      'notes',
      '[unknown]',
    ])
      assert.ok(!expands(path), path)
    for (const path of ['notes', 'a.tmp', 'b.bak', 'still']) assert.ok(excludes(path), path)
    for (const path of ['d/a.tmp', 'exact', 'late']) assert.ok(!excludes(path), path)
    assert.ok(parseRules(`$\{REPO_NAME}.log`).expands('$REPO_NAME.log'))
    const deep = 'd/'.repeat(200)
    const long = parseRules(`${deep}a\n${deep}*.txt\n`)
    assert.ok(long.expands(`${deep}a`))
    assert.ok(!long.expands(`${deep}b.txt`), 'a glob has 255 characters at most')
    assert.ok(parseRules(`${'x'.repeat(254)}*`).expands('x'.repeat(260)))
  })
})

suite('.gitea/template.yml', () => {
  test('declares inputs of four types', async () => {
    const inputs = await parseInputs(
      'inputs:\n  TITLE: {prompt: "Which?", pattern: "[A-Z].*", default: A b}\n  COUNT: {type: integer}\n' +
        '  OPEN: {type: boolean, default: true}\n  KIND: {type: choice, options: [lib, 2]}\n  ANY:\n',
    )
    const values = resolveInputs(inputs, { COUNT: 3, KIND: '2', ANY: '' })

    assert.deepEqual(inputs[0], {
      name: 'TITLE',
      type: 'string',
      prompt: 'Which?',
      pattern: '[A-Z].*',
      options: [],
      fallback: 'A b',
    })
    assert.deepEqual(
      ['TITLE', 'TITLE_SNAKE', 'COUNT', 'OPEN', 'KIND', 'ANY'].map((name) => values.get(name)),
      ['A b', 'a_b', '3', 'true', '2', ''],
    )
    assert.deepEqual(await parseInputs(''), [])
    assert.equal((await parseInputs('inputs: {REPO_SIZE: {}, MONTHLY: {}}')).length, 2)
    assert.deepEqual(await parseInputs('other: 1'), [])
  })

  test('is refused when it makes no sense', async () => {
    const files = [
      'a: [',
      '- a',
      'inputs: a',
      'inputs: {A: b}',
      'inputs: {A: {type: video}}',
      'inputs: {A: {type: [string]}}',
      'inputs: {"a b": {}}',
      'inputs: {5: {}}',
      'inputs: {REPO_NAME: {}}',
      'inputs: {YEAR: {}}',
      'inputs: {TEMPLATE_OWNER_UPPER: {}}',
      'inputs: {A: {pattern: "("}}',
      'inputs: {A: {pattern: "(?=a)"}}',
      `inputs: {A: {pattern: "${'a'.repeat(257)}"}}`,
      'inputs: {A: {type: choice}}',
      'inputs: {A: {type: choice, options: [[a]]}}',
      'inputs: {A: {type: integer, default: x}}',
      'inputs: {__proto__: {}}',
      `inputs: {${Array.from({ length: 101 }, (_, n) => `A${n}: {}`).join(', ')}}`,
    ]

    for (const file of files)
      await assert.rejects(
        parseInputs(file),
        { code: 'invalid', message: /^\.gitea\/template\.yml: / },
        file,
      )
  })

  test('names the variable that is bad', async () => {
    const inputs = await parseInputs(
      'inputs: {A: {pattern: "(a+)+"}, N: {type: integer, default: 1}, B: {type: boolean, default: false}, ' +
        'C: {type: choice, options: [x], default: x}}',
    )
    const cases: [Record<string, unknown>, string][] = [
      [{}, 'variable A is required'],
      [{ A: null }, 'variable A is required'],
      [{ A: ['a'] }, 'variable A is no text'],
      [{ A: `${'a'.repeat(2000)}!` }, 'variable A does not match (a+)+'],
      [{ A: 'a'.repeat(2049) }, 'variable A is too long'],
      [{ A: 'a', N: '1.5' }, 'variable N is no whole number'],
      [{ A: 'a', B: 'yes' }, 'variable B is neither true nor false'],
      [{ A: 'a', C: 'y' }, 'variable C is not one of x'],
      [{ A: 'a', D: 'y' }, 'variable D is not declared by the template'],
      [{ A: 'a', constructor: 'y' }, 'variable constructor is not declared by the template'],
    ]

    for (const [given, message] of cases)
      assert.throws(() => resolveInputs(inputs, given), { message })
  })
})
