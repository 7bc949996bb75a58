import { TemplateError } from './error.ts'
import type { Attributes, FormField } from './fields.ts'

/** The first thing that is wrong with the fields of a form is thrown. */
export function validateFields(fields: readonly FormField[]): void {
  if (fields.length === 0) throw new TemplateError("'body' is required")
  const ids = new Set<string>()
  for (const [index, field] of fields.entries()) {
    const at = `body[${index}](${field.type})`
    if (field.type !== 'markdown') {
      validateId(field, ids, at)
      requireText(field.attributes, 'label', at)
    }
    validateType(field, at)
    validateRequired(field, at)
  }
}

function validateId({ id }: FormField, ids: Set<string>, at: string): void {
  if (!/^[A-Za-z0-9_-]+$/.test(id)) {
    throw failure(at, "'id' should contain only alphanumeric, '-' and '_'")
  }
  if (ids.has(id)) throw failure(at, "'id' should be unique")
  ids.add(id)
}

function validateType({ type, attributes, validations }: FormField, at: string): void {
  switch (type) {
    case 'markdown':
      return requireText(attributes, 'value', at)
    case 'textarea':
      return optionalTexts(attributes, ['description', 'placeholder', 'value', 'render'], at)
    case 'input':
      optionalTexts(attributes, ['description', 'placeholder', 'value'], at)
      optionalFlag(validations, 'is_number', at)
      return optionalTexts(validations, ['regex'], at)
    case 'dropdown':
      return validateDropdown(attributes, at)
    case 'checkboxes':
      return validateCheckboxes(attributes, at)
    default:
      throw failure(at, 'unknown type')
  }
}

function validateDropdown(attributes: Attributes | undefined, at: string): void {
  optionalTexts(attributes, ['description'], at)
  optionalFlag(attributes, 'multiple', at)
  optionalFlag(attributes, 'list', at)
  const options = optionsOf(attributes, at)
  for (const [index, option] of options.entries()) {
    if (typeof option !== 'string') throw failure(optionAt(at, index), 'should be a string')
  }
  if (!has(attributes, 'default')) return
  const chosen = attributes['default']
  if (!Number.isInteger(chosen)) throw failure(at, "'default' should be an int")
  if ((chosen as number) < 0 || (chosen as number) >= options.length) {
    throw failure(at, "the value of 'default' is out of range")
  }
}

function validateCheckboxes(attributes: Attributes | undefined, at: string): void {
  optionalTexts(attributes, ['description'], at)
  for (const [index, option] of optionsOf(attributes, at).entries()) {
    validateCheckbox(option, optionAt(at, index))
  }
}

function validateCheckbox(option: unknown, at: string): void {
  if (!isMap(option)) throw failure(at, 'should be a dictionary')
  if (typeof option['label'] !== 'string' || option['label'] === '') {
    throw failure(at, "'label' is required and should be a string")
  }
  const visible = has(option, 'visible') ? placesOf(option['visible'], at) : ['form']
  if (!has(option, 'required')) return
  optionalFlag(option, 'required', at)
  if (!visible.includes('form')) throw failure(at, 'can not require a hidden checkbox')
}

function placesOf(visible: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(visible)) throw failure(at, "'visible' should be list")
  if (visible.every((place) => place === 'form' || place === 'content')) return visible
  throw failure(at, "'visible' list can only contain strings of 'form' and 'content'")
}

function validateRequired({ type, validations, visible }: FormField, at: string): void {
  if (!['textarea', 'input', 'dropdown'].includes(type)) return
  optionalFlag(validations, 'required', at)
  const isOnForm = visible.length === 0 || visible.includes('form')
  if (validations?.['required'] === true && !isOnForm) {
    throw failure(at, 'can not require a hidden field')
  }
}

function optionsOf(attributes: Attributes | undefined, at: string): readonly unknown[] {
  const options = attributes?.['options']
  if (Array.isArray(options) && options.length > 0) return options
  throw failure(at, "'options' is required and should be an array")
}

function requireText(map: Attributes | undefined, key: string, at: string): void {
  if (!has(map, key)) throw failure(at, `'${key}' is required`)
  const value = map[key]
  if (typeof value !== 'string') throw failure(at, `'${key}' should be a string`)
  if (value.trim() === '') throw failure(at, `'${key}' is required`)
}

/** Behind the first key that is absent nothing is looked at: so does the contract. */
function optionalTexts(map: Attributes | undefined, keys: readonly string[], at: string): void {
  for (const key of keys) {
    if (!has(map, key)) return
    if (typeof map[key] !== 'string') throw failure(at, `'${key}' should be a string`)
  }
}

function optionalFlag(map: Attributes | undefined, key: string, at: string): void {
  if (has(map, key) && typeof map[key] !== 'boolean') {
    throw failure(at, `'${key}' should be a bool`)
  }
}

function has(map: Attributes | undefined, key: string): map is Attributes {
  return map !== undefined && Object.hasOwn(map, key)
}

function isMap(value: unknown): value is Attributes {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function optionAt(at: string, index: number): string {
  return `${at}, option[${index}]`
}

function failure(at: string, reason: string): TemplateError {
  return new TemplateError(`${at}: ${reason}`)
}
