import type { Words } from './index.ts'

export const name = '0002-repositories'

export function statements({ id, integer, text }: Words): readonly string[] {
  const flag = (value: 0 | 1) => `${integer} NOT NULL DEFAULT ${value}`
  const number = (value = 0) => `${integer} NOT NULL DEFAULT ${value}`
  const words = (value = '') => `${text} NOT NULL DEFAULT '${value}'`
  const account = `${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE`
  const repository = `${integer} NOT NULL REFERENCES repository (id) ON DELETE CASCADE`
  return [
    `CREATE TABLE repository (
      id ${id},
      owner_id ${integer} NOT NULL REFERENCES account (id),
      name ${text} NOT NULL,
      lower_name ${text} NOT NULL,
      folder ${text} NOT NULL UNIQUE,
      description ${words()},
      lower_description ${words()},
      website ${words()},
      original_url ${words()},
      default_branch ${text} NOT NULL,
      object_format ${words('sha1')},
      trust_model ${words('default')},
      is_private ${flag(0)},
      is_empty ${flag(1)},
      is_template ${flag(0)},
      is_mirror ${flag(0)},
      is_archived ${flag(0)},
      archived_at ${number()},
      fork_of ${integer} REFERENCES repository (id) ON DELETE SET NULL,
      is_fork ${flag(0)},
      git_size ${number()},
      lfs_size ${number()},
      language ${words()},
      licenses ${words('[]')},
      avatar ${words()},
      stars_count ${number()},
      forks_count ${number()},
      watchers_count ${number()},
      branch_count ${number()},
      open_issues_count ${number()},
      open_pulls_count ${number()},
      releases_count ${number()},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      UNIQUE (owner_id, lower_name)
    )`,
    `CREATE INDEX repository_by_fork ON repository (fork_of)`,

    `CREATE TABLE repository_redirect (
      owner_id ${account},
      lower_name ${text} NOT NULL,
      repository_id ${repository},
      PRIMARY KEY (owner_id, lower_name)
    )`,
    `CREATE INDEX repository_redirect_by_repository ON repository_redirect (repository_id)`,

    `CREATE TABLE reserved_name (
      lower_name ${text} NOT NULL PRIMARY KEY,
      account_id ${integer} REFERENCES account (id) ON DELETE SET NULL,
      reserved_until ${integer} NOT NULL
    )`,
    `CREATE INDEX reserved_name_by_account ON reserved_name (account_id)`,

    `CREATE TABLE repository_unit (
      repository_id ${repository},
      unit ${text} NOT NULL,
      settings ${words('{}')},
      PRIMARY KEY (repository_id, unit)
    )`,

    `CREATE TABLE collaboration (
      repository_id ${repository},
      account_id ${account},
      access ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (repository_id, account_id)
    )`,
    `CREATE INDEX collaboration_by_account ON collaboration (account_id)`,

    `CREATE TABLE team_repository (
      team_id ${integer} NOT NULL REFERENCES team (id) ON DELETE CASCADE,
      repository_id ${repository},
      PRIMARY KEY (team_id, repository_id)
    )`,
    `CREATE INDEX team_repository_by_repository ON team_repository (repository_id)`,

    `CREATE TABLE star (
      id ${id},
      repository_id ${repository},
      account_id ${account},
      created_at ${integer} NOT NULL,
      UNIQUE (repository_id, account_id)
    )`,
    `CREATE INDEX star_by_account ON star (account_id)`,

    `CREATE TABLE watch (
      id ${id},
      repository_id ${repository},
      account_id ${account},
      created_at ${integer} NOT NULL,
      UNIQUE (repository_id, account_id)
    )`,
    `CREATE INDEX watch_by_account ON watch (account_id)`,

    `CREATE TABLE topic (
      id ${id},
      name ${text} NOT NULL UNIQUE,
      repo_count ${number()},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )`,
    `CREATE TABLE repository_topic (
      repository_id ${repository},
      topic_id ${integer} NOT NULL REFERENCES topic (id) ON DELETE CASCADE,
      PRIMARY KEY (repository_id, topic_id)
    )`,
    `CREATE INDEX repository_topic_by_topic ON repository_topic (topic_id)`,

    `CREATE TABLE label (
      id ${id},
      repository_id ${integer} REFERENCES repository (id) ON DELETE CASCADE,
      org_id ${integer} REFERENCES account (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      color ${text} NOT NULL,
      description ${words()},
      exclusive ${flag(0)},
      exclusive_order ${number()},
      is_archived ${flag(0)}
    )`,
    `CREATE INDEX label_by_repository ON label (repository_id)`,
    `CREATE INDEX label_by_org ON label (org_id)`,
    // Names may be longer than PostgreSQL takes into an index.
    `CREATE INDEX label_by_name ON label (substr(name, 1, 100))`,

    `CREATE TABLE repository_transfer (
      repository_id ${integer} NOT NULL PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE,
      offered_by_id ${account},
      recipient_id ${account},
      team_ids ${words('[]')},
      granted_read ${flag(0)},
      created_at ${integer} NOT NULL
    )`,

    `CREATE TABLE repository_removal (
      repository_id ${integer} NOT NULL PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE,
      owner_id ${account}
    )`,
    `CREATE INDEX repository_removal_by_owner ON repository_removal (owner_id, repository_id)`,

    `CREATE TABLE deploy_key (
      id ${id},
      repository_id ${repository},
      title ${text} NOT NULL,
      content ${text} NOT NULL,
      fingerprint ${text} NOT NULL,
      read_only ${flag(1)},
      created_at ${integer} NOT NULL,
      last_used_at ${number()},
      UNIQUE (repository_id, fingerprint),
      UNIQUE (repository_id, title)
    )`,
    `CREATE INDEX deploy_key_by_fingerprint ON deploy_key (fingerprint)`,

    `CREATE TABLE activity (
      id ${id},
      repository_id ${repository},
      account_id ${account},
      kind ${text} NOT NULL,
      ref_name ${words()},
      content ${words()},
      is_private ${flag(0)},
      created_at ${integer} NOT NULL
    )`,
    `CREATE INDEX activity_by_repository ON activity (repository_id, id)`,
    `CREATE INDEX activity_by_account ON activity (account_id, id)`,

    `CREATE TABLE job (
      id ${id},
      kind ${text} NOT NULL,
      lane ${words()},
      payload ${words('{}')},
      run_at ${integer} NOT NULL,
      attempts ${number()},
      lease_until ${number()},
      worker ${words()},
      was_left ${number()},
      last_error ${words()},
      created_at ${integer} NOT NULL
    )`,
    `CREATE INDEX job_by_time ON job (lane, run_at, id)`,

    `CREATE TABLE deploy_key_identity (
      id ${id},
      fingerprint ${text} NOT NULL UNIQUE
    )`,

    `CREATE TABLE branch_protection (
      id ${id},
      repository_id ${repository},
      name ${text} NOT NULL,
      priority ${integer} NOT NULL,
      settings ${words('{}')},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      UNIQUE (repository_id, name)
    )`,

    `CREATE TABLE tag_protection (
      id ${id},
      repository_id ${repository},
      pattern ${text} NOT NULL,
      account_ids ${words('[]')},
      team_ids ${words('[]')},
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      UNIQUE (repository_id, pattern)
    )`,

    `CREATE TABLE commit_status (
      id ${id},
      repository_id ${repository},
      commit_id ${text} NOT NULL,
      number ${integer} NOT NULL,
      state ${text} NOT NULL,
      context ${words()},
      target_url ${words()},
      description ${words()},
      creator_id ${integer} REFERENCES account (id) ON DELETE SET NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL,
      UNIQUE (repository_id, commit_id, number)
    )`,
    `CREATE INDEX commit_status_by_creator ON commit_status (creator_id)`,

    `CREATE TABLE repository_language (
      repository_id ${repository},
      language ${text} NOT NULL,
      bytes ${integer} NOT NULL,
      PRIMARY KEY (repository_id, language)
    )`,
  ]
}
