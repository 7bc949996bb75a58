import type { TSchema } from 'typebox'
import type { FieldOptions, Rule } from './binding.ts'

/** A JSON Schema of OpenAPI 3.1. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly format?: string
  /** Of what is sent as it is, and not as JSON. */
  readonly contentMediaType?: string
  readonly enum?: readonly string[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
}

type OurSchema = JsonSchema & FieldOptions

const formats: Partial<Record<Rule, string>> = { Url: 'uri', Email: 'email' }
const rules: Partial<Record<Rule, string>> = {
  Username: 'Letters and digits, with single dashes, dots or underscores between them.',
  AlphaDashDot: 'Letters, digits, dashes, dots and underscores.',
  GitRefName: 'A name that git takes for a branch.',
}

/** Collects the schemas that have a title, each of which is described once. */
export class Components {
  readonly #schemas = new Map<string, { described: JsonSchema; text: string }>()

  get schemas(): Readonly<Record<string, JsonSchema>> {
    const sorted = [...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(sorted.map(([title, { described }]) => [title, described]))
  }

  /** A reference where the schema has a title, the schema itself where it has none. */
  refer(schema: TSchema): JsonSchema {
    const { title } = schema as OurSchema
    if (title === undefined) return this.#describe(schema)
    const text = JSON.stringify(schema)
    const known = this.#schemas.get(title)
    if (known && known.text !== text) throw new Error(`two schemas are called ${title}`)
    if (!known) this.#schemas.set(title, { described: this.#describe(schema), text })
    return { $ref: `#/components/schemas/${title}` }
  }

  #describe(schema: OurSchema): JsonSchema {
    const { notEmpty, rule, field: _field, contentMediaType: _type, ...plain } = schema
    const { properties, items, anyOf, additionalProperties, patternProperties } = plain
    return {
      ...plain,
      ...(notEmpty && plain.type === 'string' ? { minLength: plain.minLength ?? 1 } : {}),
      ...(rule ? describeRule(rule, plain.description) : {}),
      ...(properties ? { properties: this.#describeEach(properties) } : {}),
      ...(patternProperties ? { patternProperties: this.#describeEach(patternProperties) } : {}),
      ...(items ? { items: this.refer(items) } : {}),
      ...(anyOf ? { anyOf: anyOf.map((variant) => this.refer(variant)) } : {}),
      ...(typeof additionalProperties === 'object'
        ? { additionalProperties: this.refer(additionalProperties) }
        : {}),
    }
  }

  #describeEach(schemas: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
    return Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [name, this.refer(schema)]),
    )
  }
}

function describeRule(rule: Rule, description: string | undefined): JsonSchema {
  const format = formats[rule]
  if (format !== undefined) return { format }
  const words = [description, rules[rule]].filter((text) => text !== undefined)
  return { description: words.join(' ') }
}
