import { on } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import type { Config } from '../../platform/config/config.ts'
import { withDatabase } from '../../platform/db/database.ts'
import { checksBySubject } from './examine.ts'

/** What one check found. */
export interface Found {
  readonly check: string
  readonly found: readonly string[]
}

export type Answer =
  | { readonly subject: string; readonly findings: readonly Found[] }
  | { readonly subject: string; readonly error: unknown }

const config = workerData as Config

async function examine(subject: string): Promise<readonly Found[]> {
  const checks = checksBySubject(config)[subject] ?? []
  return withDatabase(config, async (db) => {
    const findings: Found[] = []
    for (const { name, find } of checks) findings.push({ check: name, found: await find(db) })
    return findings
  })
}

async function answerTo(subject: string): Promise<Answer> {
  try {
    return { subject, findings: await examine(subject) }
  } catch (error) {
    return { subject, error }
  }
}

if (parentPort) {
  for await (const [subject] of on(parentPort, 'message') as AsyncIterable<[string]>) {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort.postMessage(await answerTo(subject))
  }
}
