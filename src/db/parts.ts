/** A statement takes only so many parameters: here up to thirty for each item. */
const AT_ONCE = 1000

/** Long lists as shorter ones, one after the other. */
export function* partsOf<T>(items: readonly T[], size = AT_ONCE): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
