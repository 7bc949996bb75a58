/**
 * A pattern of LIKE from what a caller wrote: `*` stands for anything, at either end it anchors the
 * other.
 */
export function tagPattern(filter: string): string | undefined {
  if (filter === '') return undefined
  const literal = filter.toLowerCase().replace(/[\\%_]/g, '\\$&')
  const pattern = literal.replaceAll('*', '%')
  return filter.startsWith('*') || filter.endsWith('*') ? pattern : `%${pattern}%`
}
