import type { Words } from './index.ts'

export const name = '0013-mail'

export function statements({ integer, text }: Words): readonly string[] {
  return [
    `CREATE TABLE mail_code (
      hash ${text} NOT NULL PRIMARY KEY,
      purpose ${text} NOT NULL,
      email_address_id ${integer} NOT NULL REFERENCES email_address (id) ON DELETE CASCADE,
      password_mark ${text} NOT NULL,
      expires_at ${integer} NOT NULL
    )`,
    `CREATE INDEX mail_code_by_address ON mail_code (email_address_id)`,
    `CREATE INDEX mail_code_by_expiry ON mail_code (expires_at)`,
  ]
}
