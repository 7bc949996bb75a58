import type { Config } from '../../platform/config/config.ts'
import { baseUrl, encodeSegment } from '../../platform/config/urls.ts'
import type { Caller } from '../../platform/context.ts'
import { presentRepository } from '../../repositories/repository/present.ts'
import { formatTime } from '../../platform/time.ts'
import type { Account } from '../../identity/users/account.ts'
import { presentUser } from '../../identity/users/present.ts'
import type { PackageFile, PackageVersion } from './package.ts'
import type { PackageBody, PackageFileBody } from './schema.ts'
import type { PackageView } from './view.ts'

export function presentPackage(
  config: Config,
  caller: Caller,
  { version, owner, creator, repository }: PackageView,
): PackageBody {
  return presentPackageOf(config, owner, version, {
    owner: presentUser(config, caller, owner),
    repository: repository ? presentRepository(config, repository) : null,
    creator: presentUser(config, caller, creator),
  })
}

/** Like `presentPackage`, with records around it that have been presented already. */
export function presentPackageOf(
  config: Config,
  owner: Account,
  version: PackageVersion,
  around: Pick<PackageBody, 'owner' | 'repository' | 'creator'>,
): PackageBody {
  return {
    id: version.id,
    ...around,
    type: version.type,
    name: version.name,
    version: version.version,
    html_url: `${baseUrl(config)}${pagePath(owner, version)}`,
    created_at: formatTime(version.createdAt),
  }
}

/** Where a version is shown in a browser. */
export function pagePath(owner: Account, { type, name, version }: PackageVersion): string {
  return `/${[owner.name, '-', 'packages', type, name, version].map(encodeSegment).join('/')}`
}

/** Where its files are had. */
export function filePath(
  owner: Account,
  { type, name, version }: PackageVersion,
  file: string,
): string {
  return `/api/packages/${[owner.name, type, name, version, file].map(encodeSegment).join('/')}`
}

export function presentPackageFile(file: PackageFile): PackageFileBody {
  const { id, size, name, md5, sha1, sha256, sha512 } = file
  return { id, size, name, md5, sha1, sha256, sha512 }
}
