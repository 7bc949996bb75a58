import type { Words } from './index.ts'

export const name = '0012-grants'

export function statements({ id, integer, text }: Words): readonly string[] {
  const words = `${text} NOT NULL DEFAULT ''`
  const number = `${integer} NOT NULL DEFAULT 0`
  const grant = `${integer} NOT NULL REFERENCES oauth2_grant (id) ON DELETE CASCADE`
  return [
    `CREATE TABLE oauth2_grant (
      id ${id},
      account_id ${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      application_id ${integer} NOT NULL REFERENCES oauth2_application (id) ON DELETE CASCADE,
      scope ${words},
      created_at ${integer} NOT NULL,
      UNIQUE (account_id, application_id)
    )`,
    `CREATE INDEX oauth2_grant_by_application ON oauth2_grant (application_id)`,

    `CREATE TABLE oauth2_code (
      hash ${text} NOT NULL PRIMARY KEY,
      grant_id ${grant},
      redirect_uri ${words},
      challenge ${words},
      nonce ${words},
      expires_at ${integer} NOT NULL,
      used_at ${number}
    )`,
    `CREATE INDEX oauth2_code_by_grant ON oauth2_code (grant_id)`,
    `CREATE INDEX oauth2_code_by_expiry ON oauth2_code (expires_at)`,

    `CREATE TABLE oauth2_refresh_token (
      hash ${text} NOT NULL PRIMARY KEY,
      grant_id ${grant},
      expires_at ${integer} NOT NULL,
      used_at ${number}
    )`,
    `CREATE INDEX oauth2_refresh_token_by_grant ON oauth2_refresh_token (grant_id)`,
    `CREATE INDEX oauth2_refresh_token_by_expiry ON oauth2_refresh_token (expires_at)`,

    `CREATE TABLE identity_key (
      id ${id},
      private_key ${text} NOT NULL,
      created_at ${integer} NOT NULL
    )`,
  ]
}
