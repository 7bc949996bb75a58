import type { Words } from './index.ts'

export const name = '0011-feeds'

/**
 * What makes a page of a feed cost the same however much has happened: an index in the order of each feed, which also holds what
 * decides who sees an entry, and one of the few accounts that hide something.
 */
export function statements({ integer }: Words): readonly string[] {
  const rest = 'kind, is_private'
  return [
    `ALTER TABLE activity ADD COLUMN owner_id ${integer} NOT NULL DEFAULT 0`,
    `UPDATE activity SET owner_id = (SELECT owner_id FROM repository WHERE repository.id = activity.repository_id)`,
    `DROP INDEX activity_by_repository`,
    `DROP INDEX activity_by_account`,
    `CREATE INDEX activity_by_repository ON activity (repository_id, created_at, id, account_id, ${rest})`,
    `CREATE INDEX activity_by_account ON activity (account_id, created_at, id, repository_id, ${rest})`,
    `CREATE INDEX activity_by_owner ON activity (owner_id, created_at, id, account_id, repository_id, ${rest})`,
    `CREATE INDEX account_hiding ON account (id, visibility, hide_activity)
      WHERE hide_activity = 1 OR visibility <> 'public'`,
  ]
}
