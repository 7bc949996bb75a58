import type { Words } from './index.ts'

export const name = '0006-mirrors'

export function statements({ id, integer, text }: Words): readonly string[] {
  const flag = (value: 0 | 1) => `${integer} NOT NULL DEFAULT ${value}`
  const number = `${integer} NOT NULL DEFAULT 0`
  const words = `${text} NOT NULL DEFAULT ''`
  const repository = `${integer} NOT NULL REFERENCES repository (id) ON DELETE CASCADE`
  const account = `${integer} NOT NULL REFERENCES account (id) ON DELETE CASCADE`
  const syncing = `
      address ${text} NOT NULL,
      host ${text} NOT NULL,
      credentials ${words},
      interval ${text} NOT NULL,
      interval_seconds ${integer} NOT NULL,
      next_at ${number},
      is_queued ${flag(0)},
      lease_until ${number},
      holder ${words},
      updated_at ${number},
      last_error ${words},
      failures ${number}`
  return [
    `CREATE TABLE mirror (
      repository_id ${integer} NOT NULL PRIMARY KEY REFERENCES repository (id) ON DELETE CASCADE,
      ${syncing},
      synced_at ${number},
      enable_prune ${flag(1)},
      has_wiki ${flag(0)},
      has_lfs ${flag(0)},
      lfs_endpoint ${words},
      lfs_refs ${words},
      recorded_refs ${words}
    )`,
    `CREATE INDEX mirror_by_time ON mirror (next_at)`,
    `CREATE INDEX mirror_by_host ON mirror (host, lease_until)`,

    `CREATE TABLE push_mirror (
      id ${id},
      repository_id ${repository},
      remote_name ${text} NOT NULL,
      ${syncing},
      sync_on_commit ${flag(0)},
      pushed_refs ${words},
      created_at ${integer} NOT NULL,
      UNIQUE (repository_id, remote_name)
    )`,
    `CREATE INDEX push_mirror_by_time ON push_mirror (next_at)`,
    `CREATE INDEX push_mirror_by_host ON push_mirror (host, lease_until)`,

    `CREATE TABLE repository_import (
      id ${id},
      owner_id ${account},
      account_id ${account},
      name ${text} NOT NULL,
      lower_name ${text} NOT NULL,
      address ${text} NOT NULL,
      options ${text} NOT NULL,
      secrets ${words},
      last_error ${words},
      last_reason ${words},
      last_subject ${words},
      created_at ${integer} NOT NULL,
      UNIQUE (owner_id, lower_name)
    )`,
    `CREATE INDEX repository_import_by_account ON repository_import (account_id, id)`,

    `CREATE TABLE action_schedule (
      id ${id},
      repository_id ${repository},
      workflow ${text} NOT NULL,
      title ${text} NOT NULL,
      cron ${text} NOT NULL,
      branch ${text} NOT NULL,
      commit_id ${text} NOT NULL,
      next_at ${integer} NOT NULL,
      last_at ${number},
      created_at ${integer} NOT NULL,
      UNIQUE (repository_id, workflow, cron)
    )`,
    `CREATE INDEX action_schedule_by_time ON action_schedule (next_at)`,

    `CREATE TABLE action_value (
      id ${id},
      kind ${text} NOT NULL,
      repository_id ${integer} REFERENCES repository (id) ON DELETE CASCADE,
      account_id ${integer} REFERENCES account (id) ON DELETE CASCADE,
      name ${text} NOT NULL,
      content ${text} NOT NULL,
      description ${words},
      created_at ${integer} NOT NULL,
      UNIQUE (repository_id, kind, name),
      UNIQUE (account_id, kind, name)
    )`,

    `CREATE TABLE action_run (
      id ${id},
      repository_id ${repository},
      number ${integer} NOT NULL,
      workflow ${text} NOT NULL,
      title ${text} NOT NULL,
      event ${text} NOT NULL,
      cron ${words},
      branch ${text} NOT NULL,
      commit_id ${text} NOT NULL,
      state ${text} NOT NULL,
      created_at ${integer} NOT NULL,
      UNIQUE (repository_id, number)
    )`,
  ]
}
