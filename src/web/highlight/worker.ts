import { parentPort } from 'node:worker_threads'
import highlighter from 'highlight.js/lib/common'

/** A text and how its language is called, by the ending of its file. */
export interface Question {
  readonly text: string
  readonly language: string
}

/** Markup with the names of what is what; nothing where the language is not known. */
export interface Reply {
  readonly markup: string | undefined
}

parentPort?.on('message', ({ text, language }: Question) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
  parentPort?.postMessage({ markup: highlight(text, language) } satisfies Reply)
})

function highlight(text: string, language: string): string | undefined {
  if (!highlighter.getLanguage(language)) return undefined
  return highlighter.highlight(text, { language, ignoreIllegals: true }).value
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- to a thread, not to a window
parentPort?.postMessage('ready')
