import type { Words } from './index.ts'

export const name = '0026-archives'

/** Archives of commits that were asked for more than once, with their files in the storage. */
export function statements({ id, integer, text }: Words): readonly string[] {
  return [
    `CREATE TABLE repository_archive (
      id ${id},
      repository_id ${integer} NOT NULL REFERENCES repository (id) ON DELETE CASCADE,
      commit_id ${text} NOT NULL,
      format ${text} NOT NULL,
      prefix ${text} NOT NULL,
      uuid ${text} NOT NULL UNIQUE,
      size ${integer} NOT NULL,
      sha256 ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      used_at ${integer} NOT NULL,
      UNIQUE (repository_id, commit_id, format, prefix)
    )`,
    `CREATE INDEX repository_archive_by_use ON repository_archive (used_at, id)`,
  ]
}
