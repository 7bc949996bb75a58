// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import {
  initialFiles,
  type InitialFilesInput,
} from '../../../src/repositories/repository-defaults/initial-files.ts'
import { labelSet } from '../../../src/repositories/repository-defaults/label-sets.ts'
import { fillLicense } from '../../../src/repositories/repository-defaults/license-placeholders.ts'
import { licenses } from '../../../src/repositories/repository-defaults/licenses.ts'
import {
  assertReadmeKnown,
  fillReadme,
} from '../../../src/repositories/repository-defaults/readmes.ts'
import type { AppError } from '../../../src/platform/errors.ts'

const demo: InitialFilesInput = {
  readme: '',
  gitignores: '',
  license: '',
  name: 'demo',
  description: 'hello',
  ownerName: 'ann',
  ownerEmail: 'ann@example.org',
  cloneUrlSsh: 'git@codestead.test:ann/demo.git',
  cloneUrlHttps: 'http://codestead.test/ann/demo.git',
  year: 2026,
}

const traversals = ['../../conf/app', '..\\..\\x', '/abs/x', 'a/../b', 'Nope', 'C:\\x', '__proto__']

function contentOf(changes: Partial<InitialFilesInput>, path: string): string {
  const file = initialFiles({ ...demo, ...changes }).find((one) => one.path === path)
  assert.ok(file, `no ${path}`)
  return file.content
}

/** As `git` counts what a commit adds. */
function linesOf(content: string): number {
  return content.split('\n').length - (content.endsWith('\n') ? 1 : 0)
}

function refusal(action: () => unknown): Pick<AppError, 'code' | 'message'> {
  try {
    action()
  } catch (error) {
    const { code, message } = error as AppError
    return { code, message }
  }
  return assert.fail('nothing was refused')
}

suite('the first files of a repository', () => {
  test('are a README.md alone unless more is asked for', () => {
    assert.deepEqual(initialFiles(demo), [{ path: 'README.md', content: '# demo\n\nhello' }])
  })

  test('come to 109 lines with C, C++ and MIT', () => {
    const files = initialFiles({ ...demo, gitignores: 'C,C++', license: 'MIT' })

    assert.deepEqual(
      files.map(({ path, content }) => [path, linesOf(content)]),
      [
        ['README.md', 3],
        ['.gitignore', 88],
        ['LICENSE', 18],
      ],
    )
  })

  test('contain no carriage return, wherever one came from', () => {
    const files = initialFiles({
      ...demo,
      description: 'one\r\ntwo\rthree',
      gitignores: 'macOS,NotepadPP',
      license: 'GPL-3.0',
    })

    assert.ok(files.every(({ content }) => !content.includes('\r')))
    assert.equal(files[0]?.content, '# demo\n\none\ntwo\nthree')
  })
})

suite('README.md', () => {
  test('takes its default by name too', () => {
    assert.equal(contentOf({ readme: 'Default', description: '' }, 'README.md'), '# demo\n\n')
  })

  test('does not expand what a description says', () => {
    const description = '{Name} {OwnerName} $& $1 ${Name} {{Name}}'

    assert.equal(contentOf({ description }, 'README.md'), `# demo\n\n${description}`)
  })

  const table: [template: string, filled: string][] = [
    ['{Name}', 'demo'],
    ['{Name}{Name}', 'demodemo'],
    ['{Description}', 'hello'],
    ['{OwnerName}/{Name}', 'ann/demo'],
    ['{CloneURL.SSH}', demo.cloneUrlSsh],
    ['{CloneURL.HTTPS}', demo.cloneUrlHttps],
    ['{name} {NAME} {Names}', '{name} {NAME} {Names}'],
    ['{Name {Name', '{Name {Name'],
    ['{ Name }', '{ Name }'],
    ['{{Name}}', '{demo}'],
    ['{}', '{}'],
    ['{constructor} {__proto__}', '{constructor} {__proto__}'],
    ['{CloneURL} {CloneURL.}', '{CloneURL} {CloneURL.}'],
  ]
  for (const [template, filled] of table) {
    test(`becomes ${filled} from ${template}`, () => {
      assert.equal(fillReadme(template, demo), filled)
    })
  }

  for (const readme of [...traversals, 'default', 'Default ', 'DEFAULT']) {
    test(`cannot be made from ${readme}`, () => {
      const expected = {
        code: 'bad_request',
        message: 'readme template does not exist, available templates: [Default]',
      }

      assert.deepEqual(
        refusal(() => assertReadmeKnown(readme)),
        expected,
      )
      assert.deepEqual(
        refusal(() => initialFiles({ ...demo, readme })),
        expected,
      )
    })
  }

  test('is known by its name and by none', () => {
    assert.doesNotThrow(() => assertReadmeKnown('Default'))
    assert.doesNotThrow(() => assertReadmeKnown(''))
  })
})

suite('.gitignore', () => {
  test('has a block for each name in the order given', () => {
    const content = contentOf({ gitignores: 'Node,Go,Node' }, '.gitignore')

    assert.deepEqual(content.match(/^# ---> .*$/gm), ['# ---> Node', '# ---> Go', '# ---> Node'])
    assert.ok(content.startsWith('# ---> Node\n'))
    assert.ok(content.endsWith('\n\n'))
  })

  test('begins a new line after a template that does not end its last one', () => {
    const content = contentOf({ gitignores: 'CraftCMS,Go' }, '.gitignore')

    assert.match(content, /^# ---> Go$/m)
  })

  for (const names of [...traversals, 'go', 'Go,Nope', 'Go, Node', ' Go', 'Go,', ',Go', ',']) {
    test(`cannot be made from "${names}"`, () => {
      const { code } = refusal(() => initialFiles({ ...demo, gitignores: names }))

      assert.equal(code, 'invalid')
    })
  }
})

suite('LICENSE', () => {
  const lines: [license: string, line: string][] = [
    ['MIT', 'Copyright (c) 2026 ann'],
    ['BSD-2-Clause', 'Copyright (c) 2026 ann'],
    ['Apache-2.0', 'Copyright 2026 ann'],
    ['0BSD', 'Copyright (C) 2026 by ann ann@example.org'],
    ['GPL-3.0', '     demo  Copyright (C) 2026  ann'],
    ['AGPL-3.0', '     Copyright (C) 2026  ann'],
    ['MulanPSL-2.0', 'Copyright (c) 2026 ann'],
  ]
  for (const [license, line] of lines) {
    test(`of ${license} says "${line.trim()}"`, () => {
      const found = contentOf({ license }, 'LICENSE').split('\n')

      assert.ok(
        found.some((one) => one.trim() === line.trim()),
        found.slice(0, 5).join('\n'),
      )
    })
  }

  const values = { owner: 'ann', email: 'ann@example.org', repository: 'demo', year: 2026 }
  const table: [text: string, filled: string][] = [
    ['<name of author> <owner> [NAME]', 'ann ann ann'],
    ['[name of copyright owner] [name of copyright holder]', 'ann ann'],
    ['<COPYRIGHT HOLDERS> <copyright holders> <AUTHOR>', 'ann ann ann'],
    ["<author's name or designee>", 'ann'],
    ['<one or more legally recognised persons or entities offering the Work>', 'ann'],
    ['[EMAIL]', 'ann@example.org'],
    ['<program>', 'demo'],
    ["<one line to give the program's name and a brief idea of what it does.>", 'demo'],
    ['<year> [YEAR] {YEAR} [yyyy] [Year] [year]', '2026 2026 2026 2026 2026 2026'],
    [
      'YEAR AUTHOR EMAIL <Year> [NAMES] <https://fsf.org/>',
      'YEAR AUTHOR EMAIL <Year> [NAMES] <https://fsf.org/>',
    ],
    ['[[year]]', '[2026]'],
  ]
  for (const [text, filled] of table) {
    test(`has "${filled}" for ${text}`, () => {
      assert.equal(fillLicense('Any', text, values), filled)
    })
  }

  test('does not fill again what it has put in', () => {
    const filled = fillLicense('Any', '<owner> <program>', {
      ...values,
      owner: '[year]$&',
      repository: '<owner>',
    })

    assert.equal(filled, '[year]$& <owner>')
  })

  test('of 0BSD is changed in its copyright line only', () => {
    const [, ...rest] = contentOf({ license: '0BSD' }, 'LICENSE').split('\n')
    const [, ...original] = (licenses.find('0BSD') ?? '').split('\n')

    assert.deepEqual(rest, original)
    assert.ok(rest.some((line) => line.includes('THE AUTHOR DISCLAIMS')))
  })

  test('ends each line, the last one too', () => {
    for (const license of licenses.names) {
      assert.match(contentOf({ license }, 'LICENSE'), /\S\n$/, license)
    }
  })

  for (const license of [...traversals, 'mit', 'MIT ', 'MIT.json', 'GPL-3.0-only']) {
    test(`cannot be made from ${license}`, () => {
      const { code } = refusal(() => initialFiles({ ...demo, license }))

      assert.equal(code, 'invalid')
    })
  }
})

suite('a label set', () => {
  test('has an order where labels exclude each other', () => {
    const orders = labelSet('Advanced')
      .filter(({ exclusive }) => exclusive)
      .map(({ name, exclusiveOrder }) => `${name} ${exclusiveOrder}`)

    assert.deepEqual(orders, [
      'Reviewed/Confirmed 1',
      'Reviewed/Duplicate 2',
      'Reviewed/Invalid 3',
      "Reviewed/Won't Fix 3",
      'Status/Blocked 1',
      'Status/Need More Info 2',
      'Status/Abandoned 3',
      'Priority/Critical 1',
      'Priority/High 2',
      'Priority/Medium 3',
      'Priority/Low 4',
    ])
    assert.ok(labelSet('Default').every(({ exclusiveOrder }) => exclusiveOrder === 0))
  })

  for (const name of [...traversals, '', 'default', 'Default ', 'Default.yaml']) {
    test(`is not found as "${name}"`, () => {
      assert.deepEqual(
        refusal(() => labelSet(name)),
        {
          code: 'invalid',
          message: `failed to load label template file "${name}": label template "${name}" not found`,
        },
      )
    })
  }
})
