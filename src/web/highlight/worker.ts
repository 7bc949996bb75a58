import { parentPort } from 'node:worker_threads'
import highlighter from 'highlight.js/lib/common'
import { findByAlias } from '../../code/analysis/linguist/known.ts'
import { nameLanguage } from '../../code/analysis/linguist/rules.ts'

/** A text, and either how its language is called or a name from which it is told. */
export interface Question {
  readonly text: string
  /** As people call it. */
  readonly language?: string | undefined
  /** Of the file that this is, or is a part of. */
  readonly name?: string | undefined
  /** Only its language is asked for. */
  readonly isLong?: boolean
}

export interface Reply {
  /** As linguist calls the language of a file. */
  readonly language?: string | undefined
  /** Markup with the names of what is what; nothing where the language is not known. */
  readonly markup: string | undefined
}

/** So much of a file tells its language. */
const LOOKED_CHARACTERS = 16 * 1024

parentPort?.on('message', (question: Question) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  parentPort?.postMessage(answer(question))
})

function answer({ text, name, language, isLong = false }: Question): Reply {
  if (name === undefined) return { language, markup: highlight(text, language) }
  const found = nameLanguage(name, text.slice(0, LOOKED_CHARACTERS), language)
  return { language: found, markup: isLong ? undefined : highlight(text, grammarOf(found)) }
}

function highlight(text: string, language: string | undefined): string | undefined {
  if (language === undefined || !highlighter.getLanguage(language)) return undefined
  return highlighter.highlight(text, { language, ignoreIllegals: true }).value
}

/** Where the highlighter means something else by a name of linguist. */
const otherNames: Readonly<Record<string, string>> = {
  Shell: 'bash',
  'JSON with Comments': 'json',
  'Jupyter Notebook': 'json',
}

/** What the highlighter calls a language, or the group that it belongs to. */
function grammarOf(name: string | undefined): string | undefined {
  const language = name === undefined ? undefined : findByAlias(name)
  if (!language) return undefined
  const names = [otherNames[language.name] ?? language.name.toLowerCase(), ...language.aliases]
  const known = names.find((one) => highlighter.getLanguage(one))
  if (known !== undefined || language.group === undefined) return known
  return language.group === language.name ? undefined : grammarOf(language.group)
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
parentPort?.postMessage('ready')
