import type { Words } from './index.ts'

export const name = '0025-languages'

/** The bytes of each language in one tree, from which those of the next one are counted. */
export function statements({ integer, text }: Words): readonly string[] {
  return [
    `CREATE TABLE repository_language_total (
      repository_id ${integer} NOT NULL PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE,
      tree_id ${text} NOT NULL,
      rules ${text} NOT NULL,
      totals ${text} NOT NULL
    )`,
  ]
}
