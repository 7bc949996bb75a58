import type { TSchema } from 'typebox'
import { keptBy } from '../kept-by.ts'

type Write = (value: unknown) => string

interface Shape {
  readonly type?: string
  readonly properties?: Record<string, TSchema>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly additionalProperties?: TSchema
  readonly patternProperties?: Record<string, TSchema>
}

/** The JSON of `value`, with nothing in it that `schema` does not name. */
export function writeJson(schema: TSchema, value: unknown): string {
  return isKept(value) ? keptWriterOf(schema)(value) : writerOf(schema)(value)
}

/** Made at first use and kept: a server of many routes starts without waiting for any of it. */
const writerOf = keptBy((schema: TSchema): Write => orNull(makeWriter(schema)))

/** For records that are shown more than once, and frozen to say so: their text is kept with them. */
const keptWriterOf = keptBy((schema: TSchema) => keptBy<object, string>(writerOf(schema)))

function isKept(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.isFrozen(value)
}

function orNull(write: Write): Write {
  return (value) => (value === null || value === undefined ? 'null' : write(value))
}

function makeWriter(schema: TSchema): Write {
  const { type, properties, items, anyOf, patternProperties } = schema as Shape
  if (anyOf) return unionWriter(anyOf)
  if (type === 'array' && items) return listWriter(items)
  if (properties) return objectWriter(properties)
  if (patternProperties) return recordWriter(Object.values(patternProperties)[0])
  return writeAsIs
}

function listWriter(items: TSchema): Write {
  const write = writerOf(items)
  return (value) => `[${(value as unknown[]).map(write).join(',')}]`
}

function objectWriter(properties: Record<string, TSchema>): Write {
  const fields = Object.entries(properties).map(([key, schema]) => ({
    key,
    name: `${JSON.stringify(key)}:`,
    write: writerOf(schema),
  }))
  return (value) => {
    const given = value as Record<string, unknown>
    let text = ''
    for (const { key, name, write } of fields) {
      const inner = given[key]
      if (inner !== undefined) text += (text === '' ? name : `,${name}`) + write(inner)
    }
    return `{${text}}`
  }
}

function recordWriter(schema: TSchema | undefined): Write {
  const write = schema ? writerOf(schema) : writeAsIs
  return (value) => {
    const entries = Object.entries(value as Record<string, unknown>)
    const known = entries.filter(([, inner]) => inner !== undefined)
    return `{${known.map(([key, inner]) => `${JSON.stringify(key)}:${write(inner)}`).join(',')}}`
  }
}

/** Our unions are "this or null" and "one or a list". */
function unionWriter(variants: readonly TSchema[]): Write {
  const typeOf = (one: TSchema) => (one as Shape).type
  const list = variants.find((one) => typeOf(one) === 'array')
  const single = variants.find((one) => typeOf(one) !== 'null' && one !== list)
  return (value) => {
    const variant = Array.isArray(value) ? (list ?? single) : (single ?? list)
    return variant ? writerOf(variant)(value) : writeAsIs(value)
  }
}

function writeAsIs(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  return JSON.stringify(value)
}
