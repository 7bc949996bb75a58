import { textOf, toJson, type YamlValue } from '../../platform/parsing/yaml.ts'
import { unreadable } from './error.ts'

export type Attributes = Readonly<Record<string, unknown>>

/** One field of a form, as its file has it. */
export interface FormField {
  readonly type: string
  readonly id: string
  readonly attributes: Attributes | undefined
  readonly validations: Attributes | undefined
  readonly visible: readonly string[]
}

export function readFields(body: YamlValue | undefined): readonly FormField[] {
  if (body === undefined || body.kind === 'null') return []
  if (body.kind !== 'list') throw unreadable("'body' should be a list")
  return body.items.map(readField)
}

function readField(value: YamlValue, position: number): FormField {
  if (value.kind !== 'map') throw unreadable(`body[${position}] should be a dictionary`)
  const text = (key: string) => {
    const found = textOf(value.entries.get(key))
    if (found === undefined) throw unreadable(`body[${position}]: '${key}' should be a string`)
    return found
  }
  const type = text('type')
  return {
    type,
    id: text('id') || String(position),
    attributes: readMap(value.entries.get('attributes'), position),
    validations: readMap(value.entries.get('validations'), position),
    visible: readVisible(value.entries.get('visible'), type, position),
  }
}

function readMap(value: YamlValue | undefined, position: number): Attributes | undefined {
  if (value === undefined || value.kind === 'null') return undefined
  if (value.kind !== 'map') throw unreadable(`body[${position}]: a dictionary is expected`)
  return toJson(value) as Attributes
}

function readVisible(
  value: YamlValue | undefined,
  type: string,
  position: number,
): readonly string[] {
  if (value === undefined || value.kind === 'null') {
    return type === 'markdown' ? ['form'] : ['form', 'content']
  }
  const places = value.kind === 'list' ? value.items.map(textOf) : [undefined]
  return places.map((place) => {
    if (place === undefined) throw unreadable(`body[${position}]: 'visible' should be a list`)
    return place
  })
}
