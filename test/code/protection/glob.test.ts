// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { compileGlob } from '../../../src/platform/parsing/glob.ts'
import { readFilePatterns } from '../../../src/code/protection/file-patterns.ts'
import { compileTagPattern } from '../../../src/code/protection/tag-pattern.ts'

suite('globs', () => {
  const cases: [pattern: string, matching: readonly string[], others: readonly string[]][] = [
    ['main', ['main'], ['mai', 'main2', 'Main', 'x/main']],
    ['*', ['main', ''], ['a/b']],
    ['release/*', ['release/1', 'release/'], ['release', 'release/1/2', 'xrelease/1']],
    ['release/**', ['release/1', 'release/1/2'], ['release', 'releases/1']],
    ['**', ['main', 'a/b/c'], []],
    ['***', ['a/b'], []],
    ['v?', ['v1'], ['v', 'v12', 'v/']],
    ['v[0-9]', ['v1'], ['va', 'v']],
    ['v[!0-9]', ['va', 'v^'], ['v1', 'v/']],
    ['v[^a]', ['v^', 'va'], ['vb']],
    ['v[\\]]', ['v]'], ['v\\', 'v', 'v\\]']],
    ['v[a\\-c]', ['va', 'v-', 'vc'], ['vb', 'v\\']],
    ['v[!\\]\\!]', ['va'], ['v]', 'v!']],
    ['v[\\d\\\\]', ['vd', 'v\\'], ['v1']],
    ['v[[]', ['v['], ['v', 'v]']],
    ['v[\\ä\\😀\\_]', ['vä', 'v😀', 'v_'], ['v\\']],
    ['v[&&a~]', ['v&', 'va', 'v~'], ['v']],
    ['{main,next}', ['main', 'next'], ['main,next', 'other']],
    ['{a,b{c,d}}/*', ['a/1', 'bc/1', 'bd/2'], ['b/1']],
    ['a,b', ['a,b'], ['a', 'b']],
    ['a\\*', ['a*'], ['ab', 'a\\*']],
    ['a.c', ['a.c'], ['abc']],
    ['a+(b)|$^', ['a+(b)|$^'], ['aab']],
    ['ä*', ['äß', 'ä😀'], ['a']],
    ['?', ['😀'], ['ab']],
    ['a*', ['a\nb'], []],
  ]

  for (const [pattern, matching, others] of cases) {
    test(`${JSON.stringify(pattern)} matches what it should and nothing else`, () => {
      const matches = compileGlob(pattern)

      for (const text of matching) assert.equal(matches?.(text), true, text)
      for (const text of others) assert.equal(matches?.(text), false, text)
    })
  }

  for (const pattern of [
    '[',
    '[]',
    '[a',
    'a]',
    '{a',
    'a}',
    '}{',
    '\\',
    '[z-a]',
    '[a/b]',
    '[a\\]',
    '[a\\/]',
  ]) {
    test(`${JSON.stringify(pattern)} is none`, () => {
      assert.equal(compileGlob(pattern), undefined)
    })
  }

  test('come to an end, whatever the pattern', () => {
    const long = `${'a'.repeat(100_000)}!`
    const patterns = ['*a*a*a*a*a*a*a*a*b', '**a**a**a**a**a**a**b', '{a,aa}{a,aa}{a,aa}*b']

    // An engine that goes back would be at it for years.
    for (const pattern of patterns) assert.equal(compileGlob(pattern)?.(long), false)
  })
})

suite('tag patterns', () => {
  test('in slashes are regular expressions, found anywhere', () => {
    const matches = compileTagPattern('/^v\\d+$|rc/')

    assert.deepEqual(
      ['v12', '1rc2', 'v1x', 'v'].map((tag) => matches?.(tag)),
      [true, true, false, false],
    )
  })

  test('that need backtracking are none', () => {
    assert.equal(compileTagPattern('/(a)\\1/'), undefined)
    assert.equal(compileTagPattern('/(?=a)/'), undefined)
    assert.equal(compileTagPattern('/(/'), undefined)
  })

  test('that would keep an engine which goes back for ever come to an end', () => {
    const endless =
      '(a+)+$ (a*)*$ (a|a)*$ (a|aa)+$ (a?){30}a{30}$ ([a-z]+)*! ^(a+)*b ^(\\w+\\s?)*$ (.*a){12}$ (a+a+)+$ (x+x+)+y ' +
      '^(([a-z])+.)+[A-Z]([a-z])+$ (.*)*= ^(a|b|ab)*c (\\d+)*\\. (a{1,9}){1,9}$ ((a*)*)*$ (?:a+)+? ((ab)*)* [^a]*(a*)*b'
    const text = `${'a'.repeat(20_000)}\u0000`

    for (const pattern of endless.split(' '))
      assert.equal(typeof compileTagPattern(`/${pattern}/`)?.(text), 'boolean', pattern)
    assert.equal(compileTagPattern('/((a{100}){100}){100}/'), undefined)
  })

  test('without them are globs', () => {
    assert.equal(compileTagPattern('v*')?.('v1'), true)
    assert.equal(compileTagPattern('/')?.('/'), true)
  })
})

suite('file patterns', () => {
  test('are separated by semicolons, whatever the letter case', () => {
    const matches = readFilePatterns(' docs/** ;*.MD;; ')

    assert.deepEqual(
      ['docs/a/b.txt', 'DOCS/x', 'readme.md', 'src/readme.md', ''].map((path) => matches(path)),
      [true, true, true, false, false],
    )
  })
})
