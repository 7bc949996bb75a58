import type { Words } from './index.ts'

export const name = '0011-sessions'

export function statements({ id, integer, text }: Words): readonly string[] {
  return [
    `CREATE TABLE session (
      id ${id},
      account_id ${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      hash ${text} NOT NULL UNIQUE,
      agent ${text} NOT NULL,
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

    `CREATE TABLE half_sign_in (
      id ${id},
      account_id ${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      hash ${text} NOT NULL UNIQUE,
      account_state ${text} NOT NULL,
      expires_at ${integer} NOT NULL
    )`,
    `CREATE INDEX half_sign_in_by_account ON half_sign_in (account_id)`,
    `CREATE INDEX half_sign_in_by_expiry ON half_sign_in (expires_at)`,

    `CREATE TABLE security_key (
      id ${id},
      account_id ${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      credential_id ${text} NOT NULL UNIQUE,
      public_key ${text} NOT NULL,
      sign_count ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      last_used_at ${integer} NOT NULL DEFAULT 0
    )`,
    `CREATE INDEX security_key_by_account ON security_key (account_id)`,

    `CREATE TABLE security_key_challenge (
      id ${id},
      holder ${text} NOT NULL,
      hash ${text} NOT NULL UNIQUE,
      expires_at ${integer} NOT NULL
    )`,
    `CREATE INDEX security_key_challenge_by_holder ON security_key_challenge (holder)`,
    `CREATE INDEX security_key_challenge_by_expiry ON security_key_challenge (expires_at)`,

    `CREATE TABLE openid_identity (
      id ${id},
      account_id ${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      issuer ${text} NOT NULL,
      subject ${text} NOT NULL,
      label ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (issuer, subject)
    )`,
    `CREATE INDEX openid_identity_by_account ON openid_identity (account_id)`,
  ]
}
