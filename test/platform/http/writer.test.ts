import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { Type } from 'typebox'
import { writeJson } from '../../../src/platform/http/writer.ts'

const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const orAbsent = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
)

suite('writing JSON', () => {
  test('writes what a schema names as JSON.stringify does', () => {
    const schema = Type.Object({
      text: Type.String(),
      'a "name"\n': Type.Boolean(),
      count: Type.Number(),
      list: Type.Array(Type.Union([Type.String(), Type.Null()])),
      inner: Type.Optional(Type.Object({ text: Type.String() })),
      byName: Type.Record(Type.String(), Type.String()),
    })
    const record = fc.record({
      text: orAbsent(orNull(text)),
      'a "name"\n': orNull(fc.boolean()),
      count: orNull(fc.oneof(fc.integer(), fc.double())),
      list: orNull(fc.array(orNull(text))),
      inner: orAbsent(orNull(fc.record({ text: orAbsent(text) }))),
      byName: fc.dictionary(text, text, { noNullPrototype: true }),
    })

    fc.assert(
      fc.property(record, (value) => {
        assert.equal(writeJson(schema, value), JSON.stringify(value))
      }),
      { numRuns: 1000 },
    )
  })

  test('leaves out what the schema does not name', () => {
    const schema = Type.Object({ known: Type.String(), more: Type.Array(Type.Object({})) })

    const written = writeJson(schema, { secret: 1, known: 'x', more: [{ secret: 2 }, null] })

    assert.equal(written, '{"known":"x","more":[{},null]}')
  })
})
