import { parentPort } from 'node:worker_threads'
import {
  judgePath,
  judgeText,
  type Counted,
  type LinguistAttributes,
  type PathVerdict,
} from './rules.ts'

export interface JudgedPath {
  readonly path: string
  readonly attributes: LinguistAttributes | undefined
}

export interface JudgedText extends JudgedPath {
  /** The beginning of the file; empty when it is too large to be looked at. */
  readonly text: string
}

export type Question =
  | { readonly kind: 'paths'; readonly files: readonly JudgedPath[] }
  | { readonly kind: 'texts'; readonly files: readonly JudgedText[] }

/** One answer for each file, in the order of the question. */
export type Reply =
  | { readonly kind: 'paths'; readonly verdicts: readonly PathVerdict[] }
  | { readonly kind: 'texts'; readonly counted: readonly (Counted | undefined)[] }

function answer(question: Question): Reply {
  if (question.kind === 'paths') {
    const verdicts = question.files.map(({ path, attributes }) => judgePath(path, attributes))
    return { kind: 'paths', verdicts }
  }
  const counted = question.files.map((file) => judgeText(file.path, file.text, file.attributes))
  return { kind: 'texts', counted }
}

parentPort?.on('message', (question: Question) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  parentPort?.postMessage(answer(question))
})

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
parentPort?.postMessage('ready')
