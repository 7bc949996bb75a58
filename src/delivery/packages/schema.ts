import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { RepositoryBody } from '../../repositories/repository/schema.ts'
import { UserBody } from '../../identity/users/schema.ts'

export type PackageBody = Static<typeof PackageBody>
export const PackageBody = Type.Object(
  {
    id: Type.Integer(),
    owner: UserBody,
    repository: Type.Union([RepositoryBody, Type.Null()]),
    creator: UserBody,
    type: Type.String({ description: 'generic' }),
    name: Type.String(),
    version: Type.String(),
    html_url: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Package' },
)

export type PackageFileBody = Static<typeof PackageFileBody>
export const PackageFileBody = Type.Object(
  {
    id: Type.Integer(),
    size: Type.Integer(),
    name: Type.String(),
    md5: Type.String(),
    sha1: Type.String(),
    sha256: Type.String(),
    sha512: Type.String(),
  },
  { title: 'PackageFile' },
)

const packages = { scope: ['package'], access: 'visible', publicOnly: 'public' } as const
const filters = { type: 'packages of one kind', q: 'a part of the name' }

export const listPackages = {
  ...packages,
  operationId: 'listPackages',
  summary: 'The packages of an account, each version of them, newest first',
  query: filters,
  paged: true,
  answers: { 200: Type.Array(PackageBody) },
} satisfies Endpoint

export const listPackageVersions = {
  ...packages,
  operationId: 'listPackageVersions',
  summary: 'The versions of a package, newest first',
  paged: true,
  answers: { 200: Type.Array(PackageBody) },
} satisfies Endpoint

export const deletePackage = {
  ...packages,
  operationId: 'deletePackage',
  summary: 'Delete a package with all of its versions',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const getLatestPackageVersion = {
  ...packages,
  operationId: 'getLatestPackageVersion',
  summary: 'The newest version of a package',
  answers: { 200: PackageBody },
} satisfies Endpoint

export const linkPackage = {
  ...packages,
  operationId: 'linkPackage',
  summary: 'Say from which repository of its owner a package comes',
  answers: { 201: 'linked' },
} satisfies Endpoint

export const unlinkPackage = {
  ...packages,
  operationId: 'unlinkPackage',
  summary: 'Say that a package comes from no repository',
  answers: { 201: 'unlinked' },
} satisfies Endpoint

export const getPackage = {
  ...packages,
  operationId: 'getPackage',
  summary: 'A version of a package',
  answers: { 200: PackageBody },
} satisfies Endpoint

export const deletePackageVersion = {
  ...packages,
  operationId: 'deletePackageVersion',
  summary: 'Delete a version of a package',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const listPackageFiles = {
  ...packages,
  operationId: 'listPackageFiles',
  summary: 'The files of a version of a package',
  answers: { 200: Type.Array(PackageFileBody) },
} satisfies Endpoint

export const adminListPackages = {
  scope: ['admin'],
  access: 'site-admin',
  publicOnly: 'public',
  operationId: 'adminListPackages',
  summary: 'The packages of everybody, each version of them, newest first',
  query: filters,
  paged: true,
  answers: { 200: Type.Array(PackageBody) },
} satisfies Endpoint
