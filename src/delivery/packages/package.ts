import type { Row } from '../../platform/db/schema.ts'
import { AppError } from '../../platform/errors.ts'

export const GENERIC = 'generic'

/** One version of a package. */
export interface PackageVersion {
  readonly id: number
  readonly packageId: number
  readonly ownerId: number
  readonly repositoryId: number | undefined
  readonly type: string
  readonly name: string
  readonly version: string
  /** Absent when the account is gone. */
  readonly creatorId: number | undefined
  readonly createdAt: number
}

export interface PackageFile {
  readonly id: number
  readonly name: string
  readonly uuid: string
  readonly size: number
  readonly md5: string
  readonly sha1: string
  readonly sha256: string
  readonly sha512: string
  readonly createdAt: number
}

export function toFile(row: Row<'package_file'>): PackageFile {
  const { id, name, uuid, size, md5, sha1, sha256, sha512 } = row
  return { id, name, uuid, size, md5, sha1, sha256, sha512, createdAt: row.created_at }
}

/** Where a package is: whose, of which kind, by which name. */
export interface PackagePath {
  readonly ownerId: number
  readonly type: string
  readonly name: string
}

/** What the storage knows the files of packages by. */
export const PACKAGE_FILES = 'packages'

export function packageKey(uuid: string): string {
  return `${PACKAGE_FILES}/${uuid.slice(0, 2)}/${uuid}`
}

const MAX_LENGTH = 255

/** Letters, digits, and what stands between them in names of programs. */
export function assertPackageName(name: string): void {
  const isName = /^[-_+.\w]+$/.test(name) && name !== '..' && /^(?:.{2,}|[A-Za-z0-9])$/.test(name)
  if (!isName || name.length > MAX_LENGTH) throw unusable('package name')
}

export function assertVersion(version: string): void {
  const isVersion = version !== '' && version.trim() === version && !/[\p{Cc}/]/u.test(version)
  if (!isVersion || version.length > MAX_LENGTH) throw unusable('package version')
}

export function assertFileName(name: string): void {
  const isName = /^[-_+=:;.()[\]{}~!@#$%^& \w]+$/.test(name) && name.trim() === name
  if (!isName || /^\.\.?$/.test(name) || name.length > MAX_LENGTH) throw unusable('file name')
}

function unusable(what: string): AppError {
  return new AppError('bad_request', `invalid ${what}`)
}
