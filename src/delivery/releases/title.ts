import { cutToColumns } from '../../collaboration/issues/columns.ts'

const MAX_COLUMNS = 255

/** A title as it is kept: cut like that of an issue, and it may be empty. */
export function keptTitle(text: string): string {
  return cutToColumns(text.trim(), MAX_COLUMNS)
}
