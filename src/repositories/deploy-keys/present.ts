import type { Static } from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import { apiUrl } from '../../platform/config/urls.ts'
import { presentRepository } from '../repository/present.ts'
import type { RepositoryView } from '../repository/view.ts'
import { formatTime } from '../../platform/time.ts'
import type { NewDeployKey } from './add.ts'
import type { DeployKey } from './queries.ts'
import type { CreateDeployKeyOption, DeployKeyBody } from './schema.ts'

export function presentDeployKey(
  config: Config,
  { owner, repo }: RepositoryView,
  key: DeployKey,
): DeployKeyBody {
  const path = `${encodeURIComponent(owner.name)}/${encodeURIComponent(repo.name)}`
  return {
    id: key.id,
    key_id: key.keyId,
    key: key.content,
    url: `${apiUrl(config)}/repos/${path}/keys/${key.id}`,
    title: key.title,
    fingerprint: key.fingerprint,
    created_at: formatTime(key.createdAt),
    read_only: key.isReadOnly,
  }
}

/** A key with its repository, as far as the key opens it. */
export function presentWithRepository(
  config: Config,
  view: RepositoryView,
  key: DeployKey,
): DeployKeyBody {
  const access = { level: key.isReadOnly ? 'read' : 'write', units: new Map() } as const
  return {
    ...presentDeployKey(config, view, key),
    repository: presentRepository(config, { ...view, access }),
  }
}

export function readNewDeployKey(body: Static<typeof CreateDeployKeyOption>): NewDeployKey {
  return { title: body.title, key: body.key, isReadOnly: body.read_only ?? false }
}
