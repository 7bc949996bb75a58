import { logRightsChange } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import { isDuplicate } from '../../platform/db/database.ts'
import { lock } from '../../platform/db/lock.ts'
import { invalid } from '../../platform/errors.ts'
import { isKeyOfPerson } from '../../identity/keys/public-keys.ts'
import { readSshKey } from '../../identity/keys/ssh-key.ts'
import type { Repository } from '../repository/repository.ts'
import { hasDeployKey, insertDeployKey, type DeployKey } from './queries.ts'

export interface NewDeployKey {
  readonly title: string
  readonly key: string
  readonly isReadOnly: boolean
}

/**
 * One key may serve several repositories, but not a person too: a login by it would not say whose
 * it is.
 */
export async function addDeployKey(
  ctx: Context,
  repo: Repository,
  { title, key, isReadOnly }: NewDeployKey,
): Promise<DeployKey> {
  const { line, fingerprint } = readSshKey(key)
  try {
    const added = await ctx.db.transaction().execute(async (tx) => {
      await lock(ctx.db.dialect, tx, 'ssh_keys')
      if (await isKeyOfPerson(tx, fingerprint)) {
        throw invalid('Key content has been used as non-deploy key', { reason: 'key_of_person' })
      }
      return insertDeployKey(tx, {
        repository_id: repo.id,
        title,
        content: line,
        fingerprint,
        read_only: isReadOnly ? 1 : 0,
        created_at: ctx.now(),
      })
    })
    const details = { repository: repo.id, repositoryName: repo.name, key: fingerprint, isReadOnly }
    logRightsChange(ctx.log, 'deploy key added', details)
    return added
  } catch (cause) {
    if (!isDuplicate(cause)) throw cause
    const isUsed = await hasDeployKey(ctx.db, repo.id, fingerprint)
    throw isUsed
      ? invalid('This key has already been added to this repository', {
          cause,
          reason: 'key_taken',
        })
      : invalid('A key with the same name already exists', { cause, reason: 'title_taken' })
  }
}
