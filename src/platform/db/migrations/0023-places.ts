import type { Words } from './index.ts'

export const name = '0023-places'

/** Which line of which file in which commit a comment is about; unknown of older comments. */
export function statements({ integer, text }: Words): readonly string[] {
  return [
    `ALTER TABLE review_comment ADD COLUMN place_commit_id ${text} NOT NULL DEFAULT ''`,
    `ALTER TABLE review_comment ADD COLUMN place_path ${text} NOT NULL DEFAULT ''`,
    `ALTER TABLE review_comment ADD COLUMN place_line ${integer} NOT NULL DEFAULT 0`,
  ]
}
