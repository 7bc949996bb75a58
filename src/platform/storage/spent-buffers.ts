const EVERY_BYTES = 8 * 1_048_576
let passed = 0

/**
 * Bytes that come and go leave a buffer behind for each piece. Small to the collector, which counts
 * objects, they would amount to sixty megabytes before it looks at them; a look at the young
 * objects takes less than a millisecond. `npm start` exposes the collector.
 */
export function notePassing(bytes: number): void {
  passed += bytes
  if (passed < EVERY_BYTES) return
  passed = 0
  globalThis.gc?.({ type: 'minor' })
}
