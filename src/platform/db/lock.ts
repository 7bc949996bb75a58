import { sql } from 'kysely'
import type { Dialect, Executor } from './database.ts'

/**
 * What must not be decided twice at once. Whoever holds several takes them in one order, or two
 * would wait for each other: administrators, memberships, an organization, packages, follows,
 * topics, issues, a repository; then what is within one, then rows.
 */
export const lockedSubjects = {
  administrators: 1,
  organization: 2,
  follows: 3,
  topics: 4,
  repository: 5,
  branch_protections: 6,
  commit_statuses: 7,
  attachments: 8,
  releases: 9,
  mirror_hosts: 10,
  action_runs: 11,
  webhooks: 12,
  lfs: 13,
  avatars: 14,
  owned_repositories: 15,
  ssh_keys: 16,
  email_addresses: 17,
  issues: 20,
  issue_dependencies: 21,
  stopwatches: 22,
  projects: 23,
  packages: 24,
  memberships: 25,
  identity_key: 26,
}

/**
 * Until the transaction ends, nobody else decides about the same thing. SQLite has one writer, so
 * there it is so already.
 */
export async function lock(
  dialect: Dialect,
  tx: Executor,
  subject: keyof typeof lockedSubjects,
  id = 0,
): Promise<void> {
  if (dialect === 'sqlite') return
  await sql`SELECT pg_advisory_xact_lock(${lockedSubjects[subject]}, ${id})`.execute(tx)
}

/**
 * Like `lock`, at once with others who share it: between them and who does not, nothing is decided
 * twice.
 */
export async function shareLock(
  dialect: Dialect,
  tx: Executor,
  subject: keyof typeof lockedSubjects,
  id = 0,
): Promise<void> {
  if (dialect === 'sqlite') return
  await sql`SELECT pg_advisory_xact_lock_shared(${lockedSubjects[subject]}, ${id})`.execute(tx)
}
