import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

const LIMIT_MS = 60_000

/** Waits for what comes about by itself, for example in another process. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  { pauseMs = 20 } = {},
): Promise<void> {
  const end = Date.now() + LIMIT_MS
  while (!(await isSo())) {
    if (Date.now() > end) assert.fail(`not so after ${LIMIT_MS / 1000} s: ${isSo.toString()}`)
    await delay(pauseMs)
  }
}
