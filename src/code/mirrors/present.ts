import type { Static } from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { formatTime } from '../../platform/time.ts'
import type { Migration } from './migrate.ts'
import type { NewPushMirror } from './push-mirrors.ts'
import type { PushMirror } from './push-queries.ts'
import type { CreatePushMirrorOption, MigrateRepoOptions, PushMirrorBody } from './schema.ts'

export function presentPushMirror(repo: Repository, mirror: PushMirror): PushMirrorBody {
  return {
    repo_name: repo.name,
    remote_name: mirror.remote_name,
    remote_address: mirror.address,
    created: formatTime(mirror.created_at),
    last_update: mirror.updated_at === 0 ? null : formatTime(mirror.updated_at),
    last_error: mirror.last_error,
    interval: mirror.interval,
    sync_on_commit: mirror.sync_on_commit === 1,
  }
}

export function readNewPushMirror(body: Static<typeof CreatePushMirrorOption>): NewPushMirror {
  return {
    address: body.remote_address ?? '',
    credentials: { username: body.remote_username, password: body.remote_password },
    interval: body.interval ?? '',
    syncOnCommit: body.sync_on_commit ?? false,
  }
}

/** Only what git carries is taken over, whatever service it comes from. */
export function readMigration(
  { repositories, lfs }: Config,
  body: Static<typeof MigrateRepoOptions>,
): Migration {
  return {
    address: body.clone_addr,
    credentials: {
      username: body.auth_username,
      password: body.auth_password,
      token: body.auth_token,
    },
    name: body.repo_name,
    description: body.description ?? '',
    isPrivate: repositories.force_private || (body.private ?? false),
    isMirror: body.mirror ?? false,
    interval: body.mirror_interval ?? '',
    hasWiki: body.wiki ?? false,
    hasLfs: lfs.enabled && (body.lfs ?? false),
    lfsEndpoint: body.lfs_endpoint ?? '',
  }
}
