import type { Words } from './index.ts'

export const name = '0012-sessions'

export function statements({ id, integer, text }: Words): readonly string[] {
  return [
    `CREATE TABLE session (
      id ${id},
      account_id ${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      hash ${text} NOT NULL UNIQUE,
      created_at ${integer} NOT NULL,
      expires_at ${integer} NOT NULL
    )`,
    `CREATE INDEX session_by_account ON session (account_id)`,

    `CREATE TABLE recovery_code (
      account_id ${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      hash ${text} NOT NULL,
      PRIMARY KEY (account_id, hash)
    )`,
    `CREATE INDEX session_by_expiry ON session (expires_at)`,
  ]
}
