// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseYaml, toJson, YamlError } from '../../../src/platform/parsing/yaml.ts'

suite('YAML', () => {
  test('that would cost much, or that nobody writes by hand, is refused', async () => {
    const bomb = [
      'a0: &a0 [x,x]',
      ...Array.from({ length: 9 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n},*a${n}]`),
    ]
    const refused: Record<string, string> = {
      'alias bomb': bomb.join('\n'),
      'alias of itself': 'a: &a [*a]',
      'nested flow': '['.repeat(1000),
      'nested blocks': Array.from({ length: 1000 }, (_, n) => `${' '.repeat(n)}a:`).join('\n'),
      'many values': `[${'a,'.repeat(500_000)}a]`,
      'many comments': '#\n'.repeat(500_000),
      'key of every object': '__proto__: {polluted: 1}',
      'the same merged': 'a: {<<: {__proto__: {polluted: 1}}}',
      constructor: '{a: [{constructor: {prototype: 1}}]}',
      'function tag': 'a: !!js/function "() => 1"',
      'same key twice': 'a: 1\na: 2',
      'tab as indentation': 'a:\n\tb: 1',
      NUL: 'a: "\0"',
      infinity: 'a: .inf',
      'map as key': '{{a: b}: c}',
      'unknown alias': 'a: *b',
    }

    for (const [name, text] of Object.entries(refused)) {
      await assert.rejects(parseYaml(text), YamlError, name)
    }
    assert.equal(({} as { polluted?: number }).polluted, undefined)
    const nested = (levels: number) => `${'['.repeat(levels)}a${']'.repeat(levels)}`
    const aliased = (count: number) => `a: &a x\nb: [${'*a,'.repeat(count)}]`
    for (const text of [nested(32), aliased(50)]) await parseYaml(text)
    for (const text of [nested(33), aliased(51)]) await assert.rejects(parseYaml(text), YamlError)
  })

  test('is read piece by piece, and lines and escapes of one text are pieces too', async () => {
    const many = (piece: string) => piece.repeat(Math.ceil((1024 * 1024) / piece.length))
    const endless: readonly string[] = [
      `a:\n${many(' x\n')}`,
      `a: "${many('x\n ')}"`,
      `a: '${many('x\n ')}'`,
      `a: |\n${many(' x\n')}`,
      `a: >\n${many(' x\n\n')}`,
      `[\n${many(' x\n')}]`,
      `a: "${many('\\x41')}"`,
      many('\n'),
    ]
    for (const text of endless) {
      const budget = { lexemes: 60_000 }
      const refused = new YamlError('too many values')
      await assert.rejects(parseYaml(text, budget), refused, text.slice(0, 8))
      assert.ok(budget.lexemes > 40_000, 'the rest of it is not read')
    }
    for (const escape of ['\\q', '\\xg0', '\\uD8', '\\U00110000']) {
      const text = `a: "${many(escape)}"`
      await assert.rejects(
        parseYaml(text),
        new YamlError(`Invalid escape sequence ${escape.slice(0, 2)}`),
      )
    }
    const spent = { lexemes: 100 }
    await parseYaml('"a\\tb\\\\\n c"', spent)
    assert.equal(
      spent.lexemes,
      100 - 5,
      'the sign that begins it, the text, two escapes, a line more',
    )
    const long = `a: "\\\\q" # ${many('\\q')}\nb: |\n  "\\q\nc: ${many('x \\q')}`
    const read = toJson(await parseYaml(long)) as Record<string, string>
    assert.deepEqual([read['a'], read['b'], read['c']?.length], ['\\q', '"\\q\n', 1024 * 1024])
  })

  test('has the values of the core schema', async () => {
    const read = async (text: string) => toJson(await parseYaml(text))

    assert.deepEqual(await read('[1, 1.5, true, null, ~, yes, 2020-01-02, 0x10, "1", a b]'), [
      1,
      1.5,
      true,
      null,
      null,
      'yes',
      '2020-01-02',
      16,
      '1',
      'a b',
    ])
    assert.deepEqual(await read('\ufeffa: {b: [c]}'), { a: { b: ['c'] } })
    assert.deepEqual(await read('a: |\n  x\n  y\nb: >-\n  x\n  y\n'), { a: 'x\ny\n', b: 'x y' })
    assert.equal(await read(''), null)
  })
})
