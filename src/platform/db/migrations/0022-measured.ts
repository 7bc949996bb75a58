import type { Words } from './index.ts'

export const name = '0022-measured'

/**
 * How often a number that is measured aside was written: who has measured before that does not
 * write.
 */
export function statements({ integer }: Words): readonly string[] {
  return ['branch_version', 'size_version'].map(
    (column) => `ALTER TABLE repository ADD COLUMN ${column} ${integer} NOT NULL DEFAULT 0`,
  )
}
