import type { Words } from './index.ts'

export const name = '0024-repository-news'

/**
 * Notifications about a repository itself: one that is offered to somebody, or a fork that was made
 * private. They go with the offer and with the fork.
 */
export function statements(words: Words): readonly string[] {
  const { integer, dialect } = words
  const offer = `${integer} REFERENCES repository_transfer (repository_id) ON DELETE CASCADE`
  const fork = `${integer} REFERENCES repository (id) ON DELETE CASCADE`
  return [
    ...(dialect === 'sqlite'
      ? withoutNotNull(words)
      : ['ALTER TABLE notification ALTER COLUMN issue_id DROP NOT NULL']),
    `ALTER TABLE notification ADD COLUMN is_repository ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE notification ADD COLUMN offer_id ${offer}`,
    `ALTER TABLE notification ADD COLUMN fork_id ${fork}`,
    'CREATE UNIQUE INDEX notification_by_offer ON notification (offer_id, account_id)',
    'CREATE UNIQUE INDEX notification_by_fork ON notification (fork_id, account_id)',
    'DROP INDEX IF EXISTS notification_by_time',
    `CREATE INDEX notification_by_time ON notification
      (account_id, updated_at, id, status, repository_id, is_pull, is_repository)`,
  ]
}

/** SQLite cannot change a column: the table is made anew, and gives no id twice. */
function withoutNotNull({ id, integer, text }: Words): readonly string[] {
  const columns = 'id, account_id, issue_id, repository_id, is_pull, status, created_at, updated_at'
  return [
    `CREATE TABLE next_notification (
      id ${id},
      account_id ${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      issue_id ${integer} REFERENCES issue (id) ON DELETE CASCADE,
      repository_id ${integer} NOT NULL,
      is_pull ${integer} NOT NULL,
      status ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      UNIQUE (account_id, issue_id)
    )`,
    `INSERT INTO sqlite_sequence (name, seq)
      SELECT 'next_notification', seq FROM sqlite_sequence WHERE name = 'notification'`,
    `INSERT INTO next_notification (${columns}) SELECT ${columns} FROM notification`,
    'DROP TABLE notification',
    'ALTER TABLE next_notification RENAME TO notification',
    'CREATE INDEX notification_by_issue ON notification (issue_id)',
    'CREATE INDEX notification_by_status ON notification (account_id, status)',
  ]
}
