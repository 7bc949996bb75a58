import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { UserBody, visibilities } from '../users/schema.ts'

export type OrganizationBody = Static<typeof OrganizationBody>
export const OrganizationBody = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    full_name: Type.String(),
    email: Type.String(),
    avatar_url: Type.String(),
    description: Type.String(),
    website: Type.String(),
    location: Type.String(),
    visibility: Type.String(),
    repo_admin_change_team_access: Type.Boolean(),
    username: Type.String({ description: 'The same as name.' }),
  },
  { title: 'Organization' },
)

export type OrganizationPermissionsBody = Static<typeof OrganizationPermissionsBody>
export const OrganizationPermissionsBody = Type.Object(
  {
    is_owner: Type.Boolean(),
    is_admin: Type.Boolean(),
    can_write: Type.Boolean(),
    can_read: Type.Boolean(),
    can_create_repository: Type.Boolean(),
  },
  { title: 'OrganizationPermissions' },
)

const properties = {
  full_name: Type.Optional(Type.String({ maxLength: 100 })),
  email: Type.Optional(Type.String({ maxLength: 254 })),
  description: Type.Optional(Type.String({ maxLength: 255 })),
  website: Type.Optional(Type.String({ rule: 'Url', maxLength: 255 })),
  location: Type.Optional(Type.String({ maxLength: 50 })),
  visibility: Type.Optional(Type.String({ enum: visibilities })),
  repo_admin_change_team_access: Type.Optional(Type.Boolean()),
}

export const CreateOrgOption = Type.Object(
  {
    username: Type.String({ notEmpty: true, rule: 'Username', maxLength: 40, field: 'UserName' }),
    ...properties,
  },
  { title: 'CreateOrgOption' },
)

export const EditOrgOption = Type.Object(properties, { title: 'EditOrgOption' })

export const RenameOrgOption = Type.Object(
  { new_name: Type.String({ notEmpty: true, rule: 'Username', maxLength: 40 }) },
  { title: 'RenameOrgOption' },
)

const visible = { scope: ['organization'], access: 'visible', publicOnly: 'public' } as const
const own = {
  scope: [['user', 'organization']],
  access: 'signed-in',
  publicOnly: 'public account',
} as const
const ofPerson = {
  scope: [['user', 'organization']],
  access: 'visible',
  publicOnly: 'public',
} as const
const administration = { scope: ['admin'], access: 'site-admin', publicOnly: 'public' } as const

export const orgGetAll = {
  operationId: 'orgGetAll',
  summary: 'Organizations, by name; private ones for administrators only',
  scope: ['organization'],
  access: 'anyone',
  publicOnly: 'public',
  paged: 'by number or cursor',
  answers: { 200: Type.Array(OrganizationBody) },
} satisfies Endpoint

export const orgCreate = {
  operationId: 'orgCreate',
  summary: 'Create an organization that the caller owns',
  scope: ['organization'],
  access: 'signed-in',
  publicOnly: 'public',
  body: CreateOrgOption,
  answers: { 201: OrganizationBody },
} satisfies Endpoint

export const orgGet = {
  ...visible,
  operationId: 'orgGet',
  summary: 'An organization',
  answers: { 200: OrganizationBody },
} satisfies Endpoint

export const orgEdit = {
  ...visible,
  operationId: 'orgEdit',
  summary: 'Change an organization',
  body: EditOrgOption,
  answers: { 200: OrganizationBody },
} satisfies Endpoint

export const orgDelete = {
  ...visible,
  operationId: 'orgDelete',
  summary: 'Delete an organization',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const renameOrg = {
  ...visible,
  operationId: 'renameOrg',
  summary: 'Give an organization another name; the old one leads to it',
  body: RenameOrgOption,
  answers: { 204: 'renamed' },
} satisfies Endpoint

export const orgListMembers = {
  ...visible,
  operationId: 'orgListMembers',
  summary: 'The members; who is none sees those who show it',
  paged: true,
  answers: { 200: Type.Array(UserBody) },
} satisfies Endpoint

export const orgIsMember = {
  ...visible,
  operationId: 'orgIsMember',
  summary: 'Whether somebody is a member; who is none is sent to the public members',
  answers: { 204: 'is a member', 303: 'ask for the public membership instead' },
} satisfies Endpoint

export const orgDeleteMember = {
  ...visible,
  operationId: 'orgDeleteMember',
  summary: 'Take somebody out of the organization and all its teams',
  answers: { 204: 'no member any more' },
} satisfies Endpoint

export const orgListPublicMembers = {
  ...visible,
  operationId: 'orgListPublicMembers',
  summary: 'The members who show it; all of them for administrators',
  paged: true,
  answers: { 200: Type.Array(UserBody) },
} satisfies Endpoint

export const orgIsPublicMember = {
  ...visible,
  operationId: 'orgIsPublicMember',
  summary: 'Whether somebody is a member and shows it',
  answers: { 204: 'is a public member' },
} satisfies Endpoint

export const orgPublicizeMember = {
  ...visible,
  operationId: 'orgPublicizeMember',
  summary: 'Show a membership',
  answers: { 204: 'shown' },
} satisfies Endpoint

export const orgConcealMember = {
  ...visible,
  operationId: 'orgConcealMember',
  summary: 'Conceal a membership',
  answers: { 204: 'concealed' },
} satisfies Endpoint

export const orgListCurrentUserOrgs = {
  ...own,
  operationId: 'orgListCurrentUserOrgs',
  summary: 'The organizations of the caller',
  paged: true,
  answers: { 200: Type.Array(OrganizationBody) },
} satisfies Endpoint

export const orgListUserOrgs = {
  ...ofPerson,
  operationId: 'orgListUserOrgs',
  summary: 'The organizations of a person, as far as they are shown',
  paged: true,
  answers: { 200: Type.Array(OrganizationBody) },
} satisfies Endpoint

export const orgGetUserPermissions = {
  ...ofPerson,
  operationId: 'orgGetUserPermissions',
  summary: 'What a person may do in an organization',
  answers: { 200: OrganizationPermissionsBody },
} satisfies Endpoint

export const adminGetAllOrgs = {
  ...administration,
  operationId: 'adminGetAllOrgs',
  summary: 'All organizations',
  paged: 'by number or cursor',
  answers: { 200: Type.Array(OrganizationBody) },
} satisfies Endpoint

export const adminListUserOrgs = {
  ...administration,
  operationId: 'adminListUserOrgs',
  summary: 'All organizations of a person',
  paged: 'by number or cursor',
  answers: { 200: Type.Array(OrganizationBody) },
} satisfies Endpoint

export const adminCreateOrg = {
  ...administration,
  operationId: 'adminCreateOrg',
  summary: 'Create an organization that somebody else owns',
  body: CreateOrgOption,
  answers: { 201: OrganizationBody },
} satisfies Endpoint
