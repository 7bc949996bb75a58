import { sql } from 'kysely'
import type { Executor } from '../../platform/db/database.ts'

type Named = { name: string }

export async function findDamage(db: Executor): Promise<readonly string[]> {
  const { rows } = await sql<{ integrity_check: string }>`PRAGMA integrity_check`.execute(db)
  return rows.map((row) => row.integrity_check).filter((line) => line !== 'ok')
}

export async function findBrokenReferences(db: Executor): Promise<readonly string[]> {
  type Violation = { table: string; rowid: number; parent: string }
  const { rows } = await sql<Violation>`PRAGMA foreign_key_check`.execute(db)
  return rows.map(({ table, rowid, parent }) => `row ${rowid} of ${table} names no ${parent}`)
}

const followers = sql<number>`(SELECT count(*) FROM follow WHERE followed_id = account.id)`
const following = sql<number>`(SELECT count(*) FROM follow WHERE follower_id = account.id)`
const miscounted = sql<boolean>`(followers_count <> ${followers} OR following_count <> ${following})`

export async function findFollowDrift(db: Executor): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('account')
    .select(['name', 'followers_count', 'following_count'])
    .select([followers.as('followers'), following.as('following')])
    .where(miscounted)
    .orderBy('id')
    .execute()
  return rows.map(
    (row) =>
      `${row.name} has ${row.followers} followers and follows ${row.following}, ` +
      `counted ${row.followers_count} and ${row.following_count}`,
  )
}

export async function recountFollows(db: Executor): Promise<void> {
  await db
    .updateTable('account')
    .set({ followers_count: followers, following_count: following })
    .where(miscounted)
    .execute()
}

const securityKeys = sql<number>`(SELECT count(*) FROM security_key WHERE account_id = account.id)`

/** Whoever is counted without a key is let in by the password alone. */
export async function findSecurityKeyDrift(db: Executor): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('account')
    .select(['name', 'security_keys', securityKeys.as('real')])
    .where(sql<boolean>`security_keys <> ${securityKeys}`)
    .orderBy('id')
    .execute()
  return rows.map(
    (row) => `${row.name} has ${row.real} security keys, counted ${row.security_keys}`,
  )
}

export async function recountSecurityKeys(db: Executor): Promise<void> {
  await db
    .updateTable('account')
    .set({ security_keys: securityKeys })
    .where(sql<boolean>`security_keys <> ${securityKeys}`)
    .execute()
}

const primaryAddress = sql<string>`
  (SELECT address FROM email_address WHERE account_id = account.id AND is_primary = 1)`
const hasNoPrimary = sql<boolean>`NOT EXISTS (
  SELECT 1 FROM email_address WHERE account_id = account.id AND is_primary = 1)`

export async function findAddressDrift(db: Executor): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('account')
    .select(['name', 'email', primaryAddress.as('primary')])
    .where('kind', '=', 'person')
    .where(sql<boolean>`(${hasNoPrimary} OR email <> ${primaryAddress})`)
    .orderBy('id')
    .execute()
  return rows.map(({ name, email, primary }) =>
    primary === null
      ? `${name} has no primary address`
      : `${name} is known as ${email}, the primary address is ${primary}`,
  )
}

/** The address of the account, where it is among its own. */
export async function promoteMatchingAddresses(db: Executor): Promise<void> {
  await sql`
    UPDATE email_address SET is_primary = 1
    WHERE lower_address = (
      SELECT lower(email) FROM account
      WHERE id = email_address.account_id AND kind = 'person' AND ${hasNoPrimary})`.execute(db)
}

/** The address of the account, where nobody has it. */
export async function insertMissingAddresses(db: Executor): Promise<void> {
  await sql`
    INSERT INTO email_address (account_id, address, lower_address, is_primary, is_activated)
    SELECT id, email, lower(email), 1, 1 FROM account
    WHERE kind = 'person' AND email <> '' AND ${hasNoPrimary}
    ON CONFLICT DO NOTHING`.execute(db)
}

/** Where the address of the account is somebody else's: the oldest of its own. */
export async function promoteOldestAddresses(db: Executor): Promise<void> {
  await sql`
    UPDATE email_address SET is_primary = 1
    WHERE id IN (
      SELECT min(email_address.id) FROM email_address
      INNER JOIN account ON account.id = email_address.account_id
      WHERE account.kind = 'person' AND ${hasNoPrimary}
      GROUP BY account.id)`.execute(db)
}

/** What the account shows follows the list of addresses, by which people sign in. */
export async function adoptPrimaryAddresses(db: Executor): Promise<void> {
  await db
    .updateTable('account')
    .set({ email: primaryAddress })
    .where('kind', '=', 'person')
    .where(sql<boolean>`email <> ${primaryAddress}`)
    .execute()
}

export async function findShadowingRedirects(db: Executor): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('account_redirect')
    .innerJoin('account', 'account.lower_name', 'account_redirect.lower_name')
    .select('account.name')
    .orderBy('account.id')
    .execute()
  return rows.map(({ name }) => `${name} is an account and an old name of another`)
}

export async function deleteShadowingRedirects(db: Executor): Promise<void> {
  await db
    .deleteFrom('account_redirect')
    .where('lower_name', 'in', (eb) => eb.selectFrom('account').select('lower_name'))
    .execute()
}

export async function findOrganizationsWithoutOwner(db: Executor): Promise<readonly string[]> {
  const { rows } = await sql<Named>`
    SELECT name FROM account
    WHERE kind = 'organization' AND NOT EXISTS (
      SELECT 1 FROM team
      INNER JOIN team_member ON team_member.team_id = team.id
      WHERE team.org_id = account.id AND team.access = 'owner')
    ORDER BY id`.execute(db)
  return rows.map(({ name }) => `nobody owns ${name}`)
}

const isInNoTeam = sql<boolean>`NOT EXISTS (
  SELECT 1 FROM team
  INNER JOIN team_member ON team_member.team_id = team.id
  WHERE team.org_id = organization_member.org_id
    AND team_member.account_id = organization_member.account_id)`

export async function findTeamlessMembers(db: Executor): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('organization_member')
    .innerJoin('account as org', 'org.id', 'organization_member.org_id')
    .innerJoin('account as member', 'member.id', 'organization_member.account_id')
    .select(['org.name as org', 'member.name as member'])
    .where(isInNoTeam)
    .orderBy('org.id')
    .orderBy('member.id')
    .execute()
  return rows.map(({ org, member }) => `${member} is in no team of ${org}`)
}

export async function deleteTeamlessMembers(db: Executor): Promise<void> {
  await db.deleteFrom('organization_member').where(isInNoTeam).execute()
}

const unlisted = sql`
  FROM team_member
  INNER JOIN team ON team.id = team_member.team_id
  WHERE NOT EXISTS (
    SELECT 1 FROM organization_member
    WHERE organization_member.org_id = team.org_id
      AND organization_member.account_id = team_member.account_id)`

export async function findUnlistedTeamMembers(db: Executor): Promise<readonly string[]> {
  const { rows } = await sql<{ org: string; member: string }>`
    SELECT org.name AS org, member.name AS member
    FROM (SELECT DISTINCT team.org_id, team_member.account_id ${unlisted}) AS missing
    INNER JOIN account AS org ON org.id = missing.org_id
    INNER JOIN account AS member ON member.id = missing.account_id
    ORDER BY org.id, member.id`.execute(db)
  return rows.map(({ org, member }) => `${member} is in a team of ${org} and no member of it`)
}

export async function insertUnlistedTeamMembers(db: Executor): Promise<void> {
  await sql`
    INSERT INTO organization_member (org_id, account_id, is_public)
    SELECT DISTINCT team.org_id, team_member.account_id, 0 ${unlisted}`.execute(db)
}
