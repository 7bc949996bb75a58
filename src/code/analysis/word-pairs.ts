/** Neighbouring words of a text as sorted numbers, without the lines that name an owner. */
export function pairsOf(text: string): Uint32Array {
  const words = text
    .replace(/^.*copyright (?:\(c\)|©|\d|<|\[).*$/gim, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  const pairs = new Set<number>()
  let before: number | undefined
  for (const word of words ?? []) {
    const own = numberOf(word)
    if (before !== undefined) pairs.add((Math.imul(before, 0x9e3779b1) ^ own) >>> 0)
    before = own
  }
  return Uint32Array.from(pairs).sort()
}

/** FNV-1a. */
function numberOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at++) {
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}

/** How many numbers two sorted lists have in common. */
export function countShared(a: Uint32Array, b: Uint32Array): number {
  let shared = 0
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const difference = (a[i] ?? 0) - (b[j] ?? 0)
    if (difference === 0) shared++
    if (difference <= 0) i++
    if (difference >= 0) j++
  }
  return shared
}
