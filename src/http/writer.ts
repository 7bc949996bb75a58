import type { TSchema } from 'typebox'

type Write = (value: unknown) => unknown

interface Shape {
  readonly type?: string
  readonly properties?: Record<string, TSchema>
  readonly items?: TSchema
  readonly anyOf?: readonly TSchema[]
  readonly additionalProperties?: TSchema
  readonly patternProperties?: Record<string, TSchema>
}

const writers = new WeakMap<TSchema, Write>()

/** The JSON of `value`, with nothing in it that `schema` does not name. */
export function writeJson(schema: TSchema, value: unknown): string {
  return JSON.stringify(writerOf(schema)(value))
}

/** Made at first use and kept: a server of many routes starts without waiting for any of it. */
function writerOf(schema: TSchema): Write {
  const kept = writers.get(schema)
  if (kept) return kept
  const made = makeWriter(schema)
  writers.set(schema, made)
  return made
}

function makeWriter(schema: TSchema): Write {
  const { type, properties, items, anyOf, patternProperties } = schema as Shape
  if (anyOf) return unionWriter(anyOf)
  if (type === 'array' && items) {
    const write = writerOf(items)
    return (value) => (value as unknown[]).map(write)
  }
  if (properties) return objectWriter(properties)
  if (patternProperties) return recordWriter(Object.values(patternProperties)[0])
  return (value) => value
}

function objectWriter(properties: Record<string, TSchema>): Write {
  const fields = Object.entries(properties).map(([key, schema]) => [key, writerOf(schema)] as const)
  return (value) => {
    const given = value as Record<string, unknown>
    const written: Record<string, unknown> = {}
    for (const [key, write] of fields) {
      const inner = given[key]
      if (inner !== undefined) written[key] = inner === null ? null : write(inner)
    }
    return written
  }
}

function recordWriter(schema: TSchema | undefined): Write {
  const write = schema ? writerOf(schema) : (value: unknown) => value
  return (value) =>
    Object.fromEntries(
      Object.entries(value as Record<string, unknown>).map(([key, inner]) => [key, write(inner)]),
    )
}

/** Our unions are "this or null" and "one or a list". */
function unionWriter(variants: readonly TSchema[]): Write {
  const typeOf = (one: TSchema) => (one as Shape).type
  const list = variants.find((one) => typeOf(one) === 'array')
  const single = variants.find((one) => typeOf(one) !== 'null' && one !== list)
  return (value) => {
    const variant = Array.isArray(value) ? (list ?? single) : (single ?? list)
    return value === null || !variant ? value : writerOf(variant)(value)
  }
}
