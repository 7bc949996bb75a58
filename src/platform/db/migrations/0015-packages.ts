import type { Words } from './index.ts'

export const name = '0015-packages'

export function statements({ id, integer, text }: Words): readonly string[] {
  return [
    `CREATE TABLE package (
      id ${id},
      owner_id ${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      repository_id ${integer} REFERENCES repository (id) ON DELETE SET NULL,
      type ${text} NOT NULL,
      name ${text} NOT NULL,
      lower_name ${text} NOT NULL,
      UNIQUE (owner_id, type, lower_name)
    )`,
    `CREATE INDEX package_by_repository ON package (repository_id)`,

    `CREATE TABLE package_version (
      id ${id},
      package_id ${integer} NOT NULL REFERENCES package (id) ON DELETE CASCADE,
      creator_id ${integer} REFERENCES account (id) ON DELETE SET NULL,
      version ${text} NOT NULL,
      lower_version ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (package_id, lower_version)
    )`,
    `CREATE INDEX package_version_by_creator ON package_version (creator_id)`,

    `CREATE TABLE package_file (
      id ${id},
      version_id ${integer} NOT NULL REFERENCES package_version (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      lower_name ${text} NOT NULL,
      uuid ${text} NOT NULL UNIQUE,
      size ${integer} NOT NULL,
      md5 ${text} NOT NULL,
      sha1 ${text} NOT NULL,
      sha256 ${text} NOT NULL,
      sha512 ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (version_id, lower_name)
    )`,
  ]
}
