import { parentPort } from 'node:worker_threads'
import { limitsBeside, TooMuch } from './limits.ts'
import { renderSafely } from './markdown.ts'
import type { Flags } from './render.ts'
import { Asked, Known, type AskedOf, type KnownOf } from './asked.ts'

/** A text, and what is known of what it refers to. */
export interface Question {
  readonly text: string
  readonly flags: Flags
  readonly known: KnownOf | undefined
}

/** Markup; or what has to be known of the text first; or neither, where it becomes too much. */
export interface Reply {
  readonly markup?: string
  readonly asked?: AskedOf
}

function answer({ text, flags, known }: Question): Reply {
  try {
    const { links, refers, ...options } = flags
    const asked = known ? new Known(known) : new Asked()
    const markup = renderSafely(
      text,
      {
        ...options,
        ...(refers ? { refer: asked.refer } : {}),
        ...(links ? { resolve: asked.resolve } : {}),
      },
      limitsBeside,
    )
    return asked instanceof Asked && !asked.isEmpty ? { asked: asked.all } : { markup }
  } catch (error) {
    if (error instanceof TooMuch) return {}
    throw error
  }
}

parentPort?.on('message', (question: Question) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  parentPort?.postMessage(answer(question))
})

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
parentPort?.postMessage('ready')
