import type { Executor } from '../../platform/db/database.ts'

/** What was given to others, and to programs, in a repository. */
export interface Given {
  readonly collaborators: readonly { readonly accountId: number; readonly level: string }[]
  readonly deployKeys: readonly GivenKey[]
  readonly webhooks: readonly GivenHook[]
  /** To which hosts it is pushed. */
  readonly pushMirrors: readonly string[]
  /** The names of secrets of workflows. */
  readonly secrets: readonly string[]
}

export interface GivenKey {
  readonly title: string
  readonly fingerprint: string
  readonly writes: boolean
}

/** The rest of its address may be a secret. */
export interface GivenHook {
  readonly id: number
  readonly host: string
  readonly hasSecret: boolean
  readonly isActive: boolean
}

export async function findGiven(
  db: Executor,
  repositoryId: number,
  newOwnerId: number,
): Promise<Given> {
  return {
    collaborators: await findCollaborators(db, repositoryId, newOwnerId),
    deployKeys: await findKeys(db, repositoryId),
    webhooks: await findHooks(db, repositoryId),
    pushMirrors: await findMirrors(db, repositoryId),
    secrets: await findSecrets(db, repositoryId),
  }
}

async function findCollaborators(db: Executor, repositoryId: number, newOwnerId: number) {
  const rows = await db
    .selectFrom('collaboration')
    .select(['account_id', 'access'])
    .where('repository_id', '=', repositoryId)
    .where('account_id', '<>', newOwnerId)
    .orderBy('account_id')
    .execute()
  return rows.map((row) => ({ accountId: row.account_id, level: row.access }))
}

async function findKeys(db: Executor, repositoryId: number): Promise<readonly GivenKey[]> {
  const rows = await db
    .selectFrom('deploy_key')
    .select(['title', 'fingerprint', 'read_only'])
    .where('repository_id', '=', repositoryId)
    .orderBy('id')
    .execute()
  return rows.map(({ title, fingerprint, read_only: readOnly }) => {
    return { title, fingerprint, writes: readOnly === 0 }
  })
}

async function findHooks(db: Executor, repositoryId: number): Promise<readonly GivenHook[]> {
  const rows = await db
    .selectFrom('webhook')
    .select(['id', 'host', 'secret', 'authorization_header', 'is_active'])
    .where('repository_id', '=', repositoryId)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    host: row.host,
    hasSecret: row.secret !== '' || row.authorization_header !== '',
    isActive: row.is_active === 1,
  }))
}

async function findMirrors(db: Executor, repositoryId: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('push_mirror')
    .select('host')
    .where('repository_id', '=', repositoryId)
    .orderBy('id')
    .execute()
  return rows.map(({ host }) => host)
}

async function findSecrets(db: Executor, repositoryId: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('action_value')
    .select('name')
    .where('repository_id', '=', repositoryId)
    .where('kind', '=', 'secret')
    .orderBy('name')
    .execute()
  return rows.map(({ name }) => name)
}
