import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { TeamBody } from '../../identity/organizations/team-schema.ts'
import { RepositoryBody } from '../repository/schema.ts'

const ofTeam = { scope: ['organization'], access: 'visible', publicOnly: 'public' } as const
const ofRepository = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const

export const orgListTeamRepo = {
  ...ofTeam,
  operationId: 'orgListTeamRepo',
  summary: 'A repository of a team',
  answers: { 200: RepositoryBody },
} satisfies Endpoint

export const orgAddTeamRepository = {
  ...ofTeam,
  operationId: 'orgAddTeamRepository',
  summary: 'Give a repository to a team',
  answers: { 204: 'given' },
} satisfies Endpoint

export const orgRemoveTeamRepository = {
  ...ofTeam,
  operationId: 'orgRemoveTeamRepository',
  summary: 'Take a repository from a team',
  answers: { 204: 'taken' },
} satisfies Endpoint

export const repoListTeams = {
  ...ofRepository,
  operationId: 'repoListTeams',
  summary: 'The teams that have a repository',
  answers: { 200: Type.Array(TeamBody) },
} satisfies Endpoint

export const repoCheckTeam = {
  ...ofRepository,
  operationId: 'repoCheckTeam',
  summary: 'A team that has a repository',
  answers: { 200: TeamBody },
} satisfies Endpoint

export const repoAddTeam = {
  ...ofRepository,
  operationId: 'repoAddTeam',
  summary: 'Give a repository to a team',
  answers: { 204: 'given' },
} satisfies Endpoint

export const repoDeleteTeam = {
  ...ofRepository,
  operationId: 'repoDeleteTeam',
  summary: 'Take a repository from a team',
  answers: { 204: 'taken' },
} satisfies Endpoint
