import type { RE2JS } from 're2js'
import { linearEngine } from '../../platform/parsing/expressions.ts'
import { invalid } from '../../platform/errors.ts'
import { parseYaml, textOf, YamlError, type YamlValue } from '../../platform/parsing/yaml.ts'
import { isBuiltIn, transformed, type Variables } from './variables.ts'

type InputType = 'string' | 'integer' | 'boolean' | 'choice'

/** A variable of a template's own, as `.gitea/template.yml` declares it. */
export interface TemplateInput {
  readonly name: string
  readonly type: InputType
  /** What somebody who fills it in is asked. */
  readonly prompt: string
  /** A regular expression for the whole value. */
  readonly pattern: string
  /** Of a choice. */
  readonly options: readonly string[]
  /** Absent when a value has to be given. */
  readonly fallback: string | undefined
}

const MAX_INPUTS = 100
const MAX_PATTERN = 256
const MAX_VALUE = 2048
const types: readonly string[] = ['string', 'integer', 'boolean', 'choice']

/**
 * A file that declares them badly is the fault of whoever wrote the template, told to whoever uses
 * it.
 */
export async function parseInputs(text: string): Promise<readonly TemplateInput[]> {
  const inputs = await readDeclared(text)
  if (inputs.size > MAX_INPUTS) throw badFile('there are too many inputs')
  return [...inputs].map(([name, value]) => {
    if (!/^[A-Za-z_]\w{0,63}$/.test(name)) throw badFile(`${name} is no name of a variable`)
    if (isBuiltIn(name)) throw badFile(`${name} has a meaning already`)
    return readInput(name, value)
  })
}

async function readDeclared(text: string): Promise<ReadonlyMap<string, YamlValue>> {
  const value = await parseYaml(text).catch((error: unknown) => {
    throw error instanceof YamlError ? badFile(error.message) : error
  })
  if (value.kind === 'null') return new Map()
  const inputs = value.kind === 'map' ? (value.entries.get('inputs') ?? { kind: 'null' }) : value
  if (inputs.kind === 'null') return new Map()
  if (inputs.kind !== 'map') throw badFile("'inputs' should be a dictionary")
  return inputs.entries
}

function readInput(name: string, value: YamlValue): TemplateInput {
  if (value.kind !== 'map' && value.kind !== 'null') {
    throw badFile(`${name} should be a dictionary`)
  }
  const entries = value.kind === 'map' ? value.entries : new Map<string, YamlValue>()
  const text = (key: string) => {
    const found = textOf(entries.get(key))
    if (found === undefined) throw badFile(`${name}: '${key}' should be a text`)
    return found
  }
  const type = text('type') || 'string'
  if (!isType(type)) throw badFile(`${name}: there is no type ${type}`)
  const given = entries.get('default') ?? { kind: 'null' }
  const input: TemplateInput = {
    name,
    type,
    prompt: text('prompt'),
    pattern: text('pattern'),
    options: readOptions(name, type, entries.get('options')),
    fallback: given.kind === 'null' ? undefined : text('default'),
  }
  assertPattern(input)
  const problem = input.fallback === undefined ? undefined : problemOf(input, input.fallback)
  if (problem !== undefined) throw badFile(`${name}: its default ${problem}`)
  return input
}

function isType(type: string): type is InputType {
  return types.includes(type)
}

function readOptions(
  name: string,
  type: InputType,
  value: YamlValue | undefined,
): readonly string[] {
  if (type !== 'choice') return []
  const options = value?.kind === 'list' ? value.items.map(textOf) : []
  if (options.length === 0) throw badFile(`${name}: a choice needs options`)
  return options.map((option) => {
    if (option === undefined) throw badFile(`${name}: an option should be a text`)
    return option
  })
}

function assertPattern({ name, pattern }: TemplateInput): void {
  if (pattern.length <= MAX_PATTERN && compile(pattern)) return
  throw badFile(`${name}: its pattern cannot be used`)
}

/** By an engine that takes no longer than the text is. */
function compile(pattern: string): RE2JS | undefined {
  try {
    return linearEngine().compile(pattern, linearEngine().DOTALL)
  } catch {
    return undefined
  }
}

/** The values of all inputs; whoever gives a bad one is told which. */
export function resolveInputs(
  inputs: readonly TemplateInput[],
  given: Readonly<Record<string, unknown>>,
): Variables {
  const names = new Set(inputs.map(({ name }) => name))
  const stranger = Object.keys(given).find((name) => !names.has(name))
  if (stranger !== undefined) throw badVariable(stranger, 'is not declared by the template')
  const values = inputs.map((input): [TemplateInput, string] => [input, valueOf(input, given)])
  const plain = values.map(([{ name }, value]): [string, string] => [name, value])
  const forms = values.flatMap(([{ name, type }, value]) =>
    type === 'string' ? transformed(name, value) : [],
  )
  // A name that another input has is that one's.
  return new Map([...forms, ...plain])
}

function valueOf(input: TemplateInput, given: Readonly<Record<string, unknown>>): string {
  const { name } = input
  const value = Object.hasOwn(given, name) ? given[name] : undefined
  const text = value === undefined || value === null ? input.fallback : asText(value)
  if (text === undefined) {
    throw badVariable(name, value === undefined || value === null ? 'is required' : 'is no text')
  }
  const problem = problemOf(input, text)
  if (problem !== undefined) throw badVariable(name, problem)
  return text
}

function asText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function problemOf({ type, pattern, options }: TemplateInput, value: string): string | undefined {
  if (value.length > MAX_VALUE) return 'is too long'
  if (type === 'integer' && !/^-?\d+$/.test(value)) return 'is no whole number'
  if (type === 'boolean' && value !== 'true' && value !== 'false')
    return 'is neither true nor false'
  if (type === 'choice' && !options.includes(value)) return `is not one of ${options.join(', ')}`
  if (pattern !== '' && !compile(pattern)?.matches(value)) return `does not match ${pattern}`
  return undefined
}

function badFile(reason: string): Error {
  return invalid(`.gitea/template.yml: ${reason}`)
}

function badVariable(name: string, rule: string): Error {
  return invalid(`variable ${name} ${rule}`, {
    reason: 'variable_invalid',
    broken: { field: name, rule },
  })
}
