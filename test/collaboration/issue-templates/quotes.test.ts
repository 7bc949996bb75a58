// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseYaml, toJson, YamlError } from '../../../src/platform/parsing/yaml.ts'

async function read(text: string): Promise<unknown> {
  return toJson(await parseYaml(text))
}

suite('A quoted text whose lines stand less deep than its key', () => {
  test('is read as if they stood deep enough', async () => {
    const cases: [string, unknown][] = [
      ['a:\n  b: "x\n y\n\nz"\n  c: d\n', { a: { b: 'x y\nz', c: 'd' } }],
      ["a:\n  - b: 'it''s\n  here'\n    c: d\n", { a: [{ b: "it's here", c: 'd' }] }],
      ['a: "x\ny"\nb: "z\n\\"q\\"\\\n end"\n', { a: 'x y', b: 'z "q"end' }],
      ['a:\n    b: "x\r\n  y"\r\n    c: 1\r\n', { a: { b: 'x y', c: 1 } }],
      ['a: |\n  it says "x\n  y: "z\nb: c\n', { a: 'it says "x\ny: "z\n', b: 'c' }],
      ['# "none\na: b # "either\nc: "d"\n', { a: 'b', c: 'd' }],
    ]

    for (const [text, value] of cases) assert.deepEqual(await read(text), value, text)
  })

  test('is refused where it never ends, or a document does', async () => {
    for (const text of ['a:\n  b: "x\n y\n', "a: 'x\ny\n", 'a:\n  b: "x\n--- y"\n']) {
      await assert.rejects(read(text), YamlError, text)
    }
  })

  test('costs no more than a text that others wrote well, however many there are', async () => {
    const many = Array.from({ length: 40 }, (_, n) => `k${n}: "x\ny"\n`)

    assert.deepEqual(Object.values((await read(many.join(''))) as object), Array(40).fill('x y'))

    const wide = `${' '.repeat(100_000)}a: "${'x\n'.repeat(10_000)}"\n`
    await assert.rejects(read(wide), YamlError)
    const long = `${'k: "x\ny"\n'.replace('k', 'a')}${many.join('')}b: ${'z'.repeat(1_000_000)}\n`
    await assert.rejects(read(long), YamlError)
  })
})
