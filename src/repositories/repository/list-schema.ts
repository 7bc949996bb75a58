import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { RepositoryBody } from './schema.ts'

const list = { paged: true, answers: { 200: Type.Array(RepositoryBody) } } as const

export const userCurrentListRepos = {
  ...list,
  operationId: 'userCurrentListRepos',
  summary: 'What the caller owns, shares or has through organizations',
  scope: ['user', 'repository'],
  access: 'signed-in',
  publicOnly: 'public account',
} satisfies Endpoint

export const userListRepos = {
  ...list,
  operationId: 'userListRepos',
  summary: 'The repositories of an account',
  scope: ['user', 'repository'],
  access: 'visible',
  publicOnly: 'public',
} satisfies Endpoint

export const orgListRepos = {
  ...list,
  operationId: 'orgListRepos',
  summary: 'The repositories of an organization',
  scope: ['organization'],
  access: 'visible',
  publicOnly: 'public',
} satisfies Endpoint

export const orgListTeamRepos = {
  ...list,
  operationId: 'orgListTeamRepos',
  summary: 'The repositories of a team',
  scope: ['organization'],
  access: 'visible',
  publicOnly: 'public',
} satisfies Endpoint
