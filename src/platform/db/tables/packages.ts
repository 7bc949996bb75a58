import type { Generated } from 'kysely'

/** What is published of an account by name and version, each version with its files. */
export interface PackageTables {
  package: PackageTable
  package_version: PackageVersionTable
  package_file: PackageFileTable
}

interface PackageTable {
  id: Generated<number>
  owner_id: number
  /** Where it comes from, if somebody has said so. */
  repository_id: number | null
  type: string
  name: string
  lower_name: string
}

interface PackageVersionTable {
  id: Generated<number>
  package_id: number
  /** Gone with the account. */
  creator_id: number | null
  version: string
  lower_version: string
  created_at: number
}

interface PackageFileTable {
  id: Generated<number>
  version_id: number
  name: string
  lower_name: string
  /** Its key in the file storage. */
  uuid: string
  size: number
  md5: string
  sha1: string
  sha256: string
  sha512: string
  created_at: number
}
