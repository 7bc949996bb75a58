import { cutToColumns } from '../issues/columns.ts'

const MAX_BYTES = 255

/** A title as it is kept: cut like that of an issue, and it may be empty. */
export function keptTitle(text: string): string {
  const title = text.trim()
  return Buffer.byteLength(title) <= MAX_BYTES ? title : cutToColumns(title, MAX_BYTES)
}
