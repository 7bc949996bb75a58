import { baseUrl } from '../../platform/config/urls.ts'
import type { Config } from '../../platform/config/config.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { LINK_SECONDS } from '../../platform/storage/file-storage.ts'
import { formatTime } from '../../platform/time.ts'
import type { Planned } from './batch.ts'
import type { LfsLock } from './lock-queries.ts'

export const LFS_TYPE = 'application/vnd.git-lfs+json'

interface Link {
  readonly href: string
  readonly header: Readonly<Record<string, string>>
  /** In seconds. */
  readonly expires_in?: number
}

const problemCodes = { missing: 404, invalid: 422, no_room: 413 } as const

/**
 * What a client does with one object: the credential of the batch goes with it to our own links.
 * One to the bucket needs none, and clients are told to look for none.
 */
export function presentPlanned(
  base: string,
  authorization: string | undefined,
  planned: Planned,
  bucketLink?: string,
) {
  const { oid, size } = planned.pointer
  if ('problem' in planned) {
    const { problem, message } = planned
    return { oid, size, error: { code: problemCodes[problem], message } }
  }
  if (planned.next === 'nothing') return { oid, size }
  if (bucketLink !== undefined) {
    const download: Link = { href: bucketLink, header: {}, expires_in: LINK_SECONDS }
    return { oid, size, authenticated: true, actions: { download } }
  }
  return { oid, size, actions: actionsFor(base, authorization, planned) }
}

function actionsFor(
  base: string,
  authorization: string | undefined,
  { pointer: { oid, size }, next }: Extract<Planned, { next: unknown }>,
): Readonly<Record<string, Link>> {
  const common = authorization === undefined ? {} : { Authorization: authorization }
  const link = (href: string, header: Readonly<Record<string, string>> = {}) => ({
    href,
    header: { ...common, ...header },
  })
  if (next === 'download') return { download: link(`${base}/objects/${oid}`) }
  return {
    upload: link(`${base}/objects/${oid}/${size}`, { 'Transfer-Encoding': 'chunked' }),
    verify: link(`${base}/verify`, { Accept: LFS_TYPE }),
  }
}

/** What a client finds by itself below the address of the repository. */
export function lfsUrl(config: Config, { owner, repo }: RepositoryView): string {
  const path = `${encodeURIComponent(owner.name)}/${encodeURIComponent(repo.name)}`
  return `${baseUrl(config)}/${path}.git/info/lfs`
}

export function presentLock({ id, path, owner, lockedAt }: LfsLock) {
  return { id: String(id), path, locked_at: formatTime(lockedAt), owner: { name: owner } }
}
