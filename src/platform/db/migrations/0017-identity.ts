import type { Words } from './index.ts'

export const name = '0017-identity'

/**
 * What the data folder and the bucket name as their database, so that no server takes what belongs
 * to another one for rubbish; and sweeps that found more than they may take by themselves.
 */
export function statements({ integer, text }: Words): readonly string[] {
  return [
    `CREATE TABLE database_identity (
      only_one ${integer} NOT NULL PRIMARY KEY CHECK (only_one = 1),
      id ${text} NOT NULL,
      starts ${integer} NOT NULL DEFAULT 0,
      key_check ${text} NOT NULL DEFAULT '',
      copied_at ${integer} NOT NULL DEFAULT 0,
      sweeps_from ${integer} NOT NULL
    )`,
    `CREATE TABLE held_sweep (
      name ${text} NOT NULL PRIMARY KEY,
      strays ${integer} NOT NULL,
      total ${integer} NOT NULL,
      held_at ${integer} NOT NULL,
      allowed_at ${integer} NOT NULL DEFAULT 0
    )`,
    `ALTER TABLE push_mirror ADD COLUMN remote_refs ${text} NOT NULL DEFAULT ''`,
  ]
}
