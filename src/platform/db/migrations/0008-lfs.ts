import type { Words } from './index.ts'

export const name = '0008-lfs'

export function statements({ id, integer, text }: Words): readonly string[] {
  const repository = `${integer} NOT NULL REFERENCES repository (id) ON DELETE CASCADE`
  const account = `${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE`
  return [
    `CREATE TABLE lfs_file (
      oid ${text} NOT NULL PRIMARY KEY,
      size ${integer} NOT NULL,
      uuid ${text} NOT NULL UNIQUE,
      created_at ${integer} NOT NULL
    )`,

    `CREATE TABLE lfs_object (
      repository_id ${repository},
      oid ${text} NOT NULL REFERENCES lfs_file (oid),
      size ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (repository_id, oid)
    )`,
    `CREATE INDEX lfs_object_by_file ON lfs_object (oid)`,

    `CREATE TABLE lfs_lock (
      id ${id},
      repository_id ${repository},
      account_id ${account},
      path ${text} NOT NULL,
      locked_at ${integer} NOT NULL,
      UNIQUE (repository_id, path)
    )`,
    `CREATE INDEX lfs_lock_by_account ON lfs_lock (account_id)`,

    `ALTER TABLE account ADD COLUMN avatar ${text} NOT NULL DEFAULT ''`,
    `CREATE INDEX repository_by_avatar ON repository (avatar)`,
    `CREATE INDEX account_by_avatar ON account (avatar)`,
  ]
}
