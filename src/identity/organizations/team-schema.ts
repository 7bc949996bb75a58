import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { UserBody, visibilities } from '../users/schema.ts'
import { OrganizationBody } from './schema.ts'

export type TeamBody = Static<typeof TeamBody>
export const TeamBody = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    description: Type.String(),
    organization: Type.Union([OrganizationBody, Type.Null()]),
    includes_all_repositories: Type.Boolean(),
    permission: Type.String({ description: 'none while the levels are per unit.' }),
    units: Type.Array(Type.String()),
    units_map: Type.Record(Type.String(), Type.String()),
    can_create_org_repo: Type.Boolean(),
    visibility: Type.String(),
  },
  { title: 'Team' },
)

const properties = {
  description: Type.Optional(Type.String({ maxLength: 255 })),
  permission: Type.Optional(
    Type.String({ description: 'read, write or admin for all units, or for each of units.' }),
  ),
  units: Type.Optional(Type.Array(Type.String())),
  units_map: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: Type.String(),
      description: 'A level for each unit; wins over units.',
    }),
  ),
  includes_all_repositories: Type.Optional(Type.Boolean()),
  can_create_org_repo: Type.Optional(Type.Boolean()),
  visibility: Type.Optional(Type.String({ enum: visibilities })),
}

const name = { rule: 'AlphaDashDot', maxLength: 255 } as const

export const CreateTeamOption = Type.Object(
  { name: Type.String({ ...name, notEmpty: true }), ...properties },
  { title: 'CreateTeamOption' },
)

export const EditTeamOption = Type.Object(
  { name: Type.Optional(Type.String(name)), ...properties },
  { title: 'EditTeamOption' },
)

const visible = { scope: ['organization'], access: 'visible', publicOnly: 'public' } as const

export const orgListTeams = {
  ...visible,
  operationId: 'orgListTeams',
  summary: 'The teams of an organization that the caller may see',
  paged: true,
  answers: { 200: Type.Array(TeamBody) },
} satisfies Endpoint

export const teamSearch = {
  ...visible,
  operationId: 'teamSearch',
  summary: 'Teams of an organization by part of their name or description',
  query: { q: 'part of the name or description', include_desc: 'false: look in names only' },
  paged: true,
  answers: { 200: Type.Object({ ok: Type.Boolean(), data: Type.Array(TeamBody) }) },
} satisfies Endpoint

export const orgCreateTeam = {
  ...visible,
  operationId: 'orgCreateTeam',
  summary: 'Create a team',
  body: CreateTeamOption,
  answers: { 201: TeamBody },
} satisfies Endpoint

export const orgGetTeam = {
  ...visible,
  operationId: 'orgGetTeam',
  summary: 'A team',
  answers: { 200: TeamBody },
} satisfies Endpoint

export const orgEditTeam = {
  ...visible,
  operationId: 'orgEditTeam',
  summary: 'Change a team',
  body: EditTeamOption,
  answers: { 200: TeamBody },
} satisfies Endpoint

export const orgDeleteTeam = {
  ...visible,
  operationId: 'orgDeleteTeam',
  summary: 'Delete a team',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const orgListTeamMembers = {
  ...visible,
  operationId: 'orgListTeamMembers',
  summary: 'The members of a team',
  paged: true,
  answers: { 200: Type.Array(UserBody) },
} satisfies Endpoint

export const orgListTeamMember = {
  ...visible,
  operationId: 'orgListTeamMember',
  summary: 'One member of a team',
  answers: { 200: UserBody },
} satisfies Endpoint

export const orgAddTeamMember = {
  ...visible,
  operationId: 'orgAddTeamMember',
  summary: 'Put somebody into a team',
  answers: { 204: 'is in the team' },
} satisfies Endpoint

export const orgRemoveTeamMember = {
  ...visible,
  operationId: 'orgRemoveTeamMember',
  summary: 'Take somebody out of a team',
  answers: { 204: 'is not in the team' },
} satisfies Endpoint

export const userListTeams = {
  operationId: 'userListTeams',
  summary: 'The teams of the caller',
  scope: ['user'],
  access: 'signed-in',
  publicOnly: 'refused',
  paged: true,
  answers: { 200: Type.Array(TeamBody) },
} satisfies Endpoint
