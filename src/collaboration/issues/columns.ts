const ELLIPSIS = '…'
/** What an ellipsis is reckoned to need. */
const ELLIPSIS_COLUMNS = 3

/** Scripts whose characters stand on two columns, and pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u

/** How much of a comment or a review the feed shows. */
const FEED_COLUMNS = 200

export function cutForFeed(text: string): string {
  return cutToColumns(text, FEED_COLUMNS)
}

/** Text that does not fit ends in an ellipsis. */
export function cutToColumns(text: string, columns: number): string {
  const room = columns - ELLIPSIS_COLUMNS
  let used = 0
  let cut = ''
  for (const character of text) {
    used += wide.test(character) ? 2 : 1
    if (used > columns) return cut + ELLIPSIS
    if (used <= room) cut += character
  }
  return text
}
