import type { Words } from './index.ts'

export const name = '0004-releases'

export function statements({ id, integer, text }: Words): readonly string[] {
  const flag = `${integer} NOT NULL DEFAULT 0`
  const number = `${integer} NOT NULL DEFAULT 0`
  const words = `${text} NOT NULL DEFAULT ''`
  const author = `${integer} REFERENCES account (id) ON DELETE SET NULL`
  const account = `${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE`
  const repository = `${integer} NOT NULL REFERENCES repository (id) ON DELETE CASCADE`
  return [
    `CREATE TABLE release (
      id ${id},
      repository_id ${repository},
      author_id ${author},
      tag_name ${text} NOT NULL,
      lower_tag_name ${text} NOT NULL,
      target ${words},
      title ${words},
      note ${words},
      is_draft ${flag},
      is_prerelease ${flag},
      is_tag ${flag},
      created_at ${integer} NOT NULL,
      published_at ${number},
      updated_at ${integer} NOT NULL,
      UNIQUE (repository_id, lower_tag_name)
    )`,
    `CREATE INDEX release_by_creation ON release (repository_id, created_at, id)`,
    `CREATE INDEX release_by_author ON release (author_id)`,

    `CREATE TABLE attachment (
      id ${id},
      uuid ${text} NOT NULL UNIQUE,
      repository_id ${repository},
      issue_id ${integer} REFERENCES issue (id) ON DELETE CASCADE,
      comment_id ${integer} REFERENCES comment (id) ON DELETE CASCADE,
      release_id ${integer} REFERENCES release (id) ON DELETE CASCADE,
      uploader_id ${author},
      name ${text} NOT NULL,
      size ${integer} NOT NULL,
      sha256 ${text} NOT NULL,
      media_type ${text} NOT NULL,
      download_count ${number},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )`,
    `CREATE INDEX attachment_by_repository ON attachment (repository_id)`,
    `CREATE INDEX attachment_by_issue ON attachment (issue_id) WHERE issue_id IS NOT NULL`,
    `CREATE INDEX attachment_by_comment ON attachment (comment_id) WHERE comment_id IS NOT NULL`,
    `CREATE INDEX attachment_by_release ON attachment (release_id, name)
      WHERE release_id IS NOT NULL`,
    `CREATE INDEX attachment_by_uploader ON attachment (uploader_id)`,

    `CREATE TABLE upload (
      uuid ${text} NOT NULL PRIMARY KEY,
      repository_id ${repository},
      release_id ${integer} NOT NULL REFERENCES release (id) ON DELETE CASCADE,
      account_id ${account},
      name ${text} NOT NULL,
      sha256 ${words},
      length ${integer},
      received ${number},
      parts ${text} NOT NULL DEFAULT '[]',
      expires_at ${integer} NOT NULL
    )`,
    `CREATE INDEX upload_by_repository ON upload (repository_id)`,
    `CREATE INDEX upload_by_release ON upload (release_id)`,
    `CREATE INDEX upload_by_account ON upload (account_id)`,
    `CREATE INDEX upload_by_expiry ON upload (expires_at)`,

    `CREATE TABLE idempotency_key (
      account_id ${account},
      key ${text} NOT NULL,
      request ${text} NOT NULL,
      status ${number},
      answer ${words},
      expires_at ${integer} NOT NULL,
      PRIMARY KEY (account_id, key)
    )`,
    `CREATE INDEX idempotency_key_by_expiry ON idempotency_key (expires_at)`,
  ]
}
