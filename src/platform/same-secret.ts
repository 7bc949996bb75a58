import { createHash, timingSafeEqual } from 'node:crypto'

/** Compares without telling by its duration how much of `given` was right. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
