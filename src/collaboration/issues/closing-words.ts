/** What a text orders about an issue of the repository that it belongs to. */
export interface Order {
  readonly number: number
  readonly isClosed: boolean
}

const order =
  /(?<![\w`/@.&#-])(?:(?<close>clos(?:e[sd]?)|fix(?:e[sd])?|resolve[sd]?)|reopen(?:s|ed)?):?\s+(?:(?<path>[\w-][\w.-]*\/[\w-][\w.-]*))?#(?<number>[1-9]\d{0,9})(?![\w-])/gi

/** More than anybody means. */
const MAX_ORDERS = 100

/**
 * `fixes #1`, `Closes owner/repo#2`, `reopens: #3`; of one issue the last word counts. `path` is
 * that of its repository.
 */
export function ordersIn(text: string, path: string): readonly Order[] {
  const orders = new Map<number, Order>()
  for (const { groups = {} } of withoutCode(text).matchAll(order)) {
    const { close, path: named = path, number } = groups
    if (named.toLowerCase() !== path.toLowerCase()) continue
    orders.set(Number(number), { number: Number(number), isClosed: close !== undefined })
    if (orders.size >= MAX_ORDERS) break
  }
  return [...orders.values()]
}

/** What is quoted as code orders nothing. */
export function withoutCode(text: string): string {
  return text
    .replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^\1|$(?![\s\S]))/gm, '')
    .replace(/`[^`\n]*`/g, '')
}
