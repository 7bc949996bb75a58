import type { Static, TObject, TSchema } from 'typebox'
import { invalid, invalidField } from '../errors.ts'
import { isNewBranchName, isRefName } from '../git/ref-name.ts'
import { keptBy } from '../caches/kept-by.ts'
import { parseTime } from '../time.ts'
import { isAccountName, isEmailAddress } from '../account-names.ts'

/** A rule on a text beyond its length, by the name under which a failure is reported. */
export type Rule = 'AlphaDashDot' | 'Username' | 'Url' | 'Email' | 'GitRefName' | 'NewBranchName'

/**
 * What a field of a body says beside its type, next to JSON Schema's own `maxLength`, `minLength`,
 * `enum`: `rule` for texts, `notEmpty` when the field must have a value, `field` where the logical
 * name cannot be made from the wire name.
 */
export interface FieldOptions {
  readonly rule?: Rule
  readonly notEmpty?: boolean
  readonly field?: string
}

type Field = TSchema &
  FieldOptions & {
    readonly type?: string
    readonly format?: string
    readonly maxLength?: number
    readonly minLength?: number
    readonly enum?: readonly string[]
    readonly items?: Field
    readonly properties?: Record<string, Field>
    readonly additionalProperties?: Field | boolean
    readonly patternProperties?: Record<string, Field>
  }

/**
 * A body as its schema describes it. First every field is read, and a value of the wrong type is
 * reported without a field; then the rules run in the order of declaration, of fields and within a
 * field, and the first that fails is reported.
 */
export function bind<T extends TObject>(schema: T, value: unknown): Static<T> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`[]: cannot read ${kindOf(value)} as an object`)
  }
  const given = value as Record<string, unknown>
  const fields = fieldsInPlay(schema, given)
  const body: Record<string, unknown> = {}
  for (const { name, logical, field } of fields) {
    const read = decode(field, pick(given, name, logical), `/${name}`)
    if (read !== undefined) body[name] = read
  }
  for (const { name, logical, field } of fields) assertRules(logical, field, body[name])
  return body as Static<T>
}

/** Like `bind`, from a form or a query, where every value is text. */
export function bindForm<T extends TObject>(schema: T, form: URLSearchParams): Static<T> {
  const value: Record<string, unknown> = {}
  for (const { name, field } of fieldsOf(schema)) {
    const named = field.field ? form.getAll(formName(field.field)) : []
    const texts = named.length > 0 ? named : form.getAll(name)
    if (texts.length > 0) value[name] = fromTexts(field, texts)
  }
  return bind(schema, value)
}

/** `full_name` is FullName in messages, and is accepted under that name too. */
function logicalName(wireName: string): string {
  return wireName.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Forms know a field by its logical name: FullName is full_name there. */
function formName(logical: string): string {
  return logical.replace(/(?<=[a-z])[A-Z]/g, '_$&').toLowerCase()
}

interface NamedField {
  readonly name: string
  /** What the field is called in messages. */
  readonly logical: string
  readonly field: Field
}

/** Schemas are there from the start, and their fields are looked at in every request. */
const fieldsOf = keptBy((schema: Pick<Field, 'properties'>): readonly NamedField[] =>
  Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    logical: field.field ?? logicalName(name),
    field,
  })),
)

interface Fields {
  readonly byName: ReadonlyMap<string, number>
  readonly required: readonly number[]
}

const placesOf = keptBy((schema: Pick<Field, 'properties'>): Fields => {
  const fields = fieldsOf(schema)
  return {
    byName: new Map(
      fields.flatMap(({ name, logical }, place) => [
        [logical, place],
        [name, place],
      ]),
    ),
    required: fields.flatMap(({ field }, place) => (field.notEmpty ? [place] : [])),
  }
})

/** In the order of declaration, those that are sent or have to be: mostly a few of many. */
function fieldsInPlay(schema: TObject, given: Record<string, unknown>): readonly NamedField[] {
  const fields = fieldsOf(schema)
  const { byName, required } = placesOf(schema)
  const places = new Set(required)
  for (const name of Object.keys(given)) {
    const place = byName.get(name)
    if (place !== undefined) places.add(place)
  }
  return [...places].toSorted((a, b) => a - b).flatMap((place) => fields[place] ?? [])
}

function pick(given: Record<string, unknown>, name: string, logical: string): unknown {
  if (Object.hasOwn(given, name)) return given[name]
  return Object.hasOwn(given, logical) ? given[logical] : undefined
}

/** `null` equals absence. */
function decode(field: Field, value: unknown, at: string): unknown {
  if (value === undefined || value === null) return undefined
  switch (field.type) {
    case 'string':
      if (typeof value !== 'string') throw mismatch(value, 'a string', at)
      if (field.format === 'date-time') return decodeTime(value, at)
      return value
    case 'boolean':
      if (typeof value !== 'boolean') throw mismatch(value, 'a boolean', at)
      return value
    case 'integer':
      return decodeInteger(value, at)
    case 'array':
      if (!Array.isArray(value)) throw mismatch(value, 'an array', at)
      return value.map((item, index) => decodeItem(field.items ?? {}, item, `${at}/${index}`))
    case 'object':
      return decodeObject(field, value, at)
    default:
      return value
  }
}

function decodeObject(field: Field, value: unknown, at: string): unknown {
  if (typeof value !== 'object' || Array.isArray(value) || value === null) {
    throw mismatch(value, 'an object', at)
  }
  const entries = Object.entries(value as Record<string, unknown>)
  if (field.properties) {
    const read = fieldsOf(field).map(({ name, logical, field: inner }) => [
      name,
      decode(inner, pick(value as Record<string, unknown>, name, logical), `${at}/${name}`),
    ])
    return Object.fromEntries(read.filter(([, inner]) => inner !== undefined))
  }
  const inner = valuesOf(field)
  const read = entries.map(
    ([name, item]) => [name, decodeItem(inner, item, `${at}/${name}`)] as const,
  )
  return Object.assign(Object.create(null), Object.fromEntries(read)) as unknown
}

/** What the values of a map are, whatever their names: a schema says so in one of two ways. */
function valuesOf({ additionalProperties, patternProperties = {} }: Field): Field {
  if (typeof additionalProperties === 'object') return additionalProperties
  const [values = {}] = Object.values(patternProperties)
  return values
}

/**
 * Numbers of 64 bits; beyond what we count to exactly there is nothing, so the last of those will
 * do.
 */
function decodeInteger(value: unknown, at: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || Math.abs(value) > 2 ** 63) {
    throw mismatch(value, 'an integer', at)
  }
  const largest = Number.MAX_SAFE_INTEGER
  return Math.min(Math.max(value, -largest), largest)
}

/** There is no absence in a list or a map: `null` is the empty value there. */
function decodeItem(field: Field, value: unknown, at: string): unknown {
  return decode(field, value ?? emptyValues.get(field.type), at)
}

const emptyValues: ReadonlyMap<string | undefined, unknown> = new Map<string, unknown>([
  ['string', ''],
  ['boolean', false],
  ['integer', 0],
  ['array', []],
  ['object', {}],
])

/** Go clients send the year 1 for a time that was not given. */
function decodeTime(text: string, at: string): string | undefined {
  if (parseTime(text) === undefined) throw mismatch(text, 'a date-time', at)
  return text.startsWith('0001-01-01T00:00:00') ? undefined : text
}

function assertRules(logical: string, field: Field, value: unknown): void {
  const fail = (rule: string) => invalidField(logical, rule)
  if (isEmpty(value)) {
    if (field.notEmpty) throw fail('Required')
    return
  }
  if (field.type === 'object' && !field.properties) {
    for (const item of Object.values(value as object)) assertRules(logical, valuesOf(field), item)
  }
  if (typeof value !== 'string') return
  const [broken] = Object.keys(field).flatMap((option) => brokenOption(field, option, value) ?? [])
  if (broken) throw fail(broken)
}

/**
 * What a text breaks of one option of its field; a schema names the options in the order of the
 * checks.
 */
function brokenOption(field: Field, option: string, value: string): string | undefined {
  const { rule, enum: known, minLength = 0, maxLength = Infinity } = field
  switch (option) {
    case 'enum':
      return known?.includes(value) ? undefined : 'In'
    case 'rule':
      return rule && brokenRule(rule, value)
    case 'minLength':
      return lengthOf(value) < minLength ? 'MinSize' : undefined
    case 'maxLength':
      return lengthOf(value) > maxLength ? 'MaxSize' : undefined
    default:
      return undefined
  }
}

function brokenRule(rule: Rule, value: string): string | undefined {
  switch (rule) {
    case 'AlphaDashDot':
      return /^[A-Za-z0-9._-]+$/.test(value) ? undefined : rule
    case 'Username':
      return isAccountName(value) ? undefined : 'invalid username'
    case 'Url':
      return isWebAddress(value) ? undefined : rule
    case 'Email':
      return isEmailAddress(value) ? undefined : rule
    case 'GitRefName':
      return isRefName(value) ? undefined : rule
    case 'NewBranchName':
      return isNewBranchName(value) ? undefined : 'GitRefName'
  }
}

/**
 * http or https, with something behind it. Clients send `http:\\host` and expect it back unchanged,
 * so the text itself is looked at, not what a parser makes of it.
 */
function isWebAddress(text: string): boolean {
  return /^https?:[/\\]{2}[^\s/\\]+\S*$/i.test(text) && text.length <= 2048
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
}

function lengthOf(text: string): number {
  return [...text].length
}

function fromTexts(field: Field, texts: readonly string[]): unknown {
  const { type, format, items = {} } = field
  if (type === 'array') return texts.map((text) => fromTexts(items, [text]))
  const [text = ''] = texts
  if (type === 'boolean') return /^(1|t|true|on)$/i.test(text)
  // A form sends what was left out as an empty text.
  if (text === '' && (type === 'integer' || format === 'date-time')) return undefined
  if (type === 'integer') return /^-?\d+$/.test(text) ? Number(text) : text
  return text
}

function mismatch(value: unknown, expected: string, at: string): Error {
  return invalid(`[]: cannot read ${kindOf(value)} as ${expected} within "${at}"`, {
    reason: 'wrong_type',
    subject: at,
  })
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
