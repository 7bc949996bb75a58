import type { Words } from './index.ts'

export const name = '0001-accounts'

export function statements({ id, integer, text }: Words): readonly string[] {
  const flag = (value: 0 | 1) => `${integer} NOT NULL DEFAULT ${value}`
  const number = (value = 0) => `${integer} NOT NULL DEFAULT ${value}`
  const words = (value = '') => `${text} NOT NULL DEFAULT '${value}'`
  const account = `${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE`
  return [
    `CREATE TABLE account (
      id ${id},
      kind ${text} NOT NULL,
      name ${text} NOT NULL,
      lower_name ${text} NOT NULL UNIQUE,
      full_name ${words()},
      lower_full_name ${words()},
      email ${words()},
      password_hash ${words()},
      visibility ${words('public')},
      is_active ${flag(1)},
      is_admin ${flag(0)},
      is_restricted ${flag(0)},
      prohibit_login ${flag(0)},
      must_change_password ${flag(0)},
      description ${words()},
      website ${words()},
      location ${words()},
      language ${words()},
      theme ${words()},
      diff_view_style ${words()},
      hide_email ${flag(0)},
      hide_activity ${flag(0)},
      mail_news ${words('all')},
      login_name ${words()},
      source_id ${number()},
      max_repo_creation ${number(-1)},
      allow_create_organization ${flag(1)},
      allow_git_hook ${flag(0)},
      allow_import_local ${flag(0)},
      repo_admin_change_team_access ${flag(0)},
      followers_count ${number()},
      following_count ${number()},
      starred_repos_count ${number()},
      totp_secret ${words()},
      totp_last_step ${number()},
      security_keys ${number()},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      last_login_at ${number()}
    )`,
    `CREATE INDEX account_by_kind ON account (kind, lower_name)`,
    `CREATE INDEX account_by_age ON account (kind, created_at, id)`,

    `CREATE TABLE account_redirect (
      lower_name ${text} NOT NULL PRIMARY KEY,
      account_id ${account}
    )`,
    `CREATE INDEX account_redirect_by_account ON account_redirect (account_id)`,

    `CREATE TABLE email_address (
      id ${id},
      account_id ${account},
      address ${text} NOT NULL,
      lower_address ${text} NOT NULL,
      is_primary ${flag(0)},
      is_activated ${flag(1)}
    )`,
    `CREATE UNIQUE INDEX email_address_by_account ON email_address (account_id, lower_address)`,
    `CREATE INDEX email_address_by_address ON email_address (lower_address)`,
    `CREATE UNIQUE INDEX email_address_confirmed ON email_address (lower_address) WHERE is_activated = 1`,
    `CREATE UNIQUE INDEX email_address_primary ON email_address (account_id) WHERE is_primary = 1`,

    `CREATE TABLE follow (
      follower_id ${account},
      followed_id ${account},
      created_at ${integer} NOT NULL,
      PRIMARY KEY (follower_id, followed_id)
    )`,
    `CREATE INDEX follow_by_followed ON follow (followed_id)`,

    `CREATE TABLE block (
      blocker_id ${account},
      blocked_id ${account},
      created_at ${integer} NOT NULL,
      PRIMARY KEY (blocker_id, blocked_id)
    )`,
    `CREATE INDEX block_by_blocked ON block (blocked_id)`,

    `CREATE TABLE access_token (
      id ${id},
      account_id ${account},
      name ${text} NOT NULL,
      hash ${text} NOT NULL UNIQUE,
      last_eight ${text} NOT NULL,
      scopes ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      last_used_at ${number()},
      UNIQUE (account_id, name)
    )`,

    `CREATE TABLE public_key (
      id ${id},
      account_id ${account},
      title ${text} NOT NULL,
      content ${text} NOT NULL,
      fingerprint ${text} NOT NULL UNIQUE,
      read_only ${flag(0)},
      created_at ${integer} NOT NULL,
      last_used_at ${number()},
      UNIQUE (account_id, title)
    )`,

    `CREATE TABLE gpg_key (
      id ${id},
      account_id ${account},
      primary_id ${integer} REFERENCES gpg_key (id) ON DELETE CASCADE,
      key_id ${text} NOT NULL UNIQUE,
      content ${words()},
      emails ${words('[]')},
      can_sign ${flag(0)},
      can_encrypt_comms ${flag(0)},
      can_encrypt_storage ${flag(0)},
      can_certify ${flag(0)},
      is_verified ${flag(0)},
      created_at ${integer} NOT NULL,
      expires_at ${number()}
    )`,
    `CREATE INDEX gpg_key_by_account ON gpg_key (account_id)`,
    `CREATE INDEX gpg_key_by_primary ON gpg_key (primary_id)`,

    `CREATE TABLE oauth2_application (
      id ${id},
      account_id ${integer} REFERENCES account (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      client_id ${text} NOT NULL UNIQUE,
      secret_hash ${words()},
      confidential_client ${flag(0)},
      skip_secondary_authorization ${flag(0)},
      redirect_uris ${words('[]')},
      created_at ${integer} NOT NULL
    )`,
    `CREATE INDEX oauth2_application_by_account ON oauth2_application (account_id)`,

    `CREATE TABLE team (
      id ${id},
      org_id ${account},
      name ${text} NOT NULL,
      lower_name ${text} NOT NULL,
      description ${words()},
      access ${words('none')},
      includes_all_repositories ${flag(0)},
      can_create_org_repo ${flag(0)},
      visibility ${words('private')},
      UNIQUE (org_id, lower_name)
    )`,

    `CREATE TABLE team_unit (
      team_id ${integer} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      unit ${text} NOT NULL,
      access ${text} NOT NULL,
      PRIMARY KEY (team_id, unit)
    )`,

    `CREATE TABLE team_member (
      team_id ${integer} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      account_id ${account},
      PRIMARY KEY (team_id, account_id)
    )`,
    `CREATE INDEX team_member_by_account ON team_member (account_id)`,

    `CREATE TABLE organization_member (
      org_id ${account},
      account_id ${account},
      is_public ${flag(0)},
      PRIMARY KEY (org_id, account_id)
    )`,
    `CREATE INDEX organization_member_by_account ON organization_member (account_id)`,

    `CREATE TABLE sign_in_failure (
      subject ${text} NOT NULL PRIMARY KEY,
      window_start ${integer} NOT NULL,
      failures ${integer} NOT NULL
    )`,

    `CREATE TABLE known_address (
      account_id ${account},
      address ${text} NOT NULL,
      seen_at ${integer} NOT NULL,
      PRIMARY KEY (account_id, address)
    )`,

    `CREATE TABLE scheduled_task (
      name ${text} NOT NULL PRIMARY KEY,
      started_at ${number()},
      runs ${number()}
    )`,

    `CREATE TABLE check_result (
      name ${text} NOT NULL PRIMARY KEY,
      ran_at ${integer} NOT NULL,
      found_count ${number()},
      found ${words('[]')}
    )`,
  ]
}
