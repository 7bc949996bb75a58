/**
 * How well a path fits what somebody typed, the lower the better; undefined when it does not. Words
 * in the name of the file come first, then words in its path, then letters in their order.
 */
export function rankPath(path: string, words: readonly string[]): number | undefined {
  const lower = path.toLowerCase()
  const name = lower.slice(lower.lastIndexOf('/') + 1)
  if (words.every((word) => name.includes(word))) return 0
  if (words.every((word) => lower.includes(word))) return 1
  const between = words.map((word) => lettersBetween(lower, word))
  if (between.includes(Infinity)) return undefined
  return 2 + between.reduce((sum, count) => sum + count, 0)
}

/**
 * How many letters stand between those of a word: it is the end that fits first, and from there
 * back.
 */
function lettersBetween(path: string, word: string): number {
  let end = -1
  for (const letter of word) {
    end = path.indexOf(letter, end + 1)
    if (end === -1) return Infinity
  }
  let start = end + 1
  for (const letter of [...word].toReversed()) start = path.lastIndexOf(letter, start - 1)
  return end + 1 - start - word.length
}
