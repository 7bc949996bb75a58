import { html, type Html, type Part } from '../../platform/html.ts'
import type { FormProblem } from './problem.ts'

/** A form as it is shown: what was typed, or what holds now, and what is wrong with it. */
export interface FormState {
  readonly form: URLSearchParams
  readonly problem?: FormProblem | undefined
}

export interface FieldOptions {
  readonly type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'date'
  readonly hint?: string
  /** May stay empty. */
  readonly optional?: boolean
  readonly autocomplete?: string
  /** Never shown again, as no password is. */
  readonly secret?: boolean
  /** Offered while one types. */
  readonly offers?: readonly string[]
  /** What browsers take, and what they say of anything else. */
  readonly pattern?: { readonly source: string; readonly title: string }
}

export interface AreaOptions {
  readonly hint?: string
  readonly rows?: number
  /**
   * What is written in it, unless it is lines for programs: prose, which browsers may correct, or a
   * source, whose lines they do not break.
   */
  readonly holds?: 'prose' | 'source'
}

export interface CheckOptions {
  readonly hint?: string
  readonly isFixed?: boolean
  /** Of a choice of many under one name. */
  readonly value?: string
}

export interface Choice {
  readonly value: string
  readonly label: string
}

const FORGOTTEN = 'Write this again: it is not kept.'
/** What is no use a second time needs no such note. */
const ONCE = 'one-time-code'

/** The fields of a form, each with its label and with what is wrong in place. */
export class FormFields {
  readonly #form: URLSearchParams
  readonly #problem: FormProblem | undefined

  constructor({ form, problem }: FormState) {
    this.#form = form
    this.#problem = problem
  }

  /** What is wrong with no single field. It has the focus, so that it is seen on a long page. */
  get complaint(): Part {
    const problem = this.#problem
    if (!problem || problem.field !== undefined) return undefined
    return html`<p class="problem" role="alert" tabindex="-1" autofocus>${problem.message}</p>`
  }

  isWrong(name: string): boolean {
    return this.#problem?.field === name
  }

  /** Whether a secret was given in a form that was not taken: it is not sent back. */
  isForgotten(name: string): boolean {
    return this.#problem !== undefined && this.value(name) !== ''
  }

  value(name: string): string {
    return this.#form.get(name) ?? ''
  }

  text(name: string, label: string, options: FieldOptions = {}): Html {
    const { type = 'text', autocomplete = 'off', optional, offers, pattern } = options
    const isShown = !options.secret && type !== 'password'
    const isForgotten = optional && !isShown && autocomplete !== ONCE && this.isForgotten(name)
    const hint = isForgotten ? FORGOTTEN : options.hint
    return this.#field(
      name,
      label,
      hint,
      html`
<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false"${(!optional || isForgotten) && html` required`}${isShown && html` value="${this.value(name)}"`}${offers && html` list="${name}-offers"`}${pattern && html` pattern="${pattern.source}" title="${pattern.title}"`}${this.#notes(name, hint)}>
${offers && html`<datalist id="${name}-offers">${offers.map((offer) => html`<option value="${offer}"></option>`)}</datalist>`}`,
    )
  }

  /**
   * Browsers leave out the line break that it begins with. The page itself has `content` for an id.
   */
  area(name: string, label: string, options: AreaOptions = {}): Html {
    const { hint, rows = 4, holds } = options
    const id = `${name}-text`
    return this.#field(
      name,
      label,
      hint,
      html`
<textarea id="${id}" name="${name}" rows="${rows}"${holds !== 'prose' && html` spellcheck="false"`}${holds === 'source' && html` class="source" wrap="off" autocapitalize="none" autocomplete="off"`}${this.#notes(name, hint)}>
${this.value(name)}</textarea>`,
      id,
    )
  }

  select(name: string, label: string, choices: readonly Choice[], hint?: string): Html {
    const chosen = this.value(name)
    return this.#field(
      name,
      label,
      hint,
      html`
<select id="${name}" name="${name}"${this.#notes(name, hint)}>${renderChoices(choices, chosen)}</select>`,
    )
  }

  check(name: string, label: string, options: CheckOptions = {}): Html {
    const { hint, isFixed = false, value = 'true' } = options
    const id = value === 'true' ? name : `${name}-${value}`
    const isOn = this.#form.getAll(name).includes(value)
    return html`
<p class="check">
<input type="checkbox" id="${id}" name="${name}" value="${value}"${hint !== undefined && html` aria-describedby="${id}-hint"`}${isOn && html` checked`}${isFixed && html` disabled`}>
<label for="${id}">${label}</label>
${hint !== undefined && html`<span class="hint" id="${id}-hint">${hint}</span>`}
</p>`
  }

  #field(name: string, label: string, hint: string | undefined, control: Html, id = name): Html {
    const complaint = this.isWrong(name) ? this.#problem?.message : undefined
    return html`
<p class="field">
<label for="${id}">${label}</label>
${control}
${hint !== undefined && html`<span class="${hint === FORGOTTEN ? 'problem' : 'hint'}" id="${name}-hint">${hint}</span>`}
${complaint !== undefined && html`<span class="problem" id="${name}-problem" role="alert">${complaint}</span>`}
</p>`
  }

  /** What is said about a field beside its label. */
  #notes(name: string, hint: string | undefined): Part {
    const isWrong = this.isWrong(name)
    const notes = [
      ...(hint === undefined ? [] : [`${name}-hint`]),
      ...(isWrong ? [`${name}-problem`] : []),
    ]
    return [
      notes.length > 0 && html` aria-describedby="${notes.join(' ')}"`,
      isWrong && html` aria-invalid="true" autofocus`,
    ]
  }
}

export function renderChoices(choices: readonly Choice[], chosen: string): readonly Html[] {
  return choices.map(
    ({ value, label }) =>
      html`<option${value !== label && html` value="${value}"`}${value === chosen && html` selected`}>${label}</option>`,
  )
}

/** Where a text is its own label. */
export function asChoices(values: readonly string[]): readonly Choice[] {
  return values.map((value) => ({ value, label: value }))
}

/** What holds now, as a form says it. */
export function formOfValues(values: Readonly<Record<string, string | boolean>>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(values).map(([name, value]): [string, string] => [name, String(value)]),
  )
}

/** Browsers say nothing of a box that is not ticked: here it says no. */
export function withChecks(form: URLSearchParams, names: readonly string[]): URLSearchParams {
  const whole = new URLSearchParams(form)
  for (const name of names) whole.set(name, String(form.get(name) === 'true'))
  return whole
}

/** What was typed into an area: browsers end lines in their own way. */
export function typedText(form: URLSearchParams, name: string): string {
  return (form.get(name) ?? '').replaceAll('\r\n', '\n')
}

export function linesIn(form: URLSearchParams, name: string): readonly string[] {
  const lines = (form.get(name) ?? '').split(/\r?\n/).map((line) => line.trim())
  return lines.filter((line) => line !== '')
}

/** What blanks or commas part. */
export function wordsIn(form: URLSearchParams, name: string): readonly string[] {
  return (form.get(name) ?? '').split(/[\s,]+/).filter((word) => word !== '')
}
