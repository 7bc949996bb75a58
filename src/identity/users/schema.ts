import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'

export const visibilities = ['public', 'limited', 'private'] as const

export type UserBody = Static<typeof UserBody>
export const UserBody = Type.Object(
  {
    id: Type.Integer(),
    login: Type.String(),
    login_name: Type.String(),
    source_id: Type.Integer(),
    full_name: Type.String(),
    email: Type.String(),
    avatar_url: Type.String(),
    html_url: Type.String(),
    language: Type.String(),
    is_admin: Type.Boolean(),
    last_login: Type.String({ format: 'date-time' }),
    created: Type.String({ format: 'date-time' }),
    restricted: Type.Boolean(),
    active: Type.Boolean(),
    prohibit_login: Type.Boolean(),
    location: Type.String(),
    website: Type.String(),
    description: Type.String(),
    visibility: Type.String(),
    followers_count: Type.Integer(),
    following_count: Type.Integer(),
    starred_repos_count: Type.Integer(),
    username: Type.String(),
  },
  { title: 'User' },
)

const name = Type.String({ maxLength: 100 })
const website = Type.String({ rule: 'Url', maxLength: 255 })
const description = Type.String({ maxLength: 255 })
const location = Type.String({ maxLength: 50 })
const visibility = Type.String({ enum: visibilities })

export const EmailBody = Type.Object(
  {
    email: Type.String(),
    verified: Type.Boolean(),
    primary: Type.Boolean(),
    user_id: Type.Integer(),
    username: Type.String(),
  },
  { title: 'Email' },
)

export const EmailOption = Type.Object(
  { emails: Type.Optional(Type.Array(Type.String())) },
  { title: 'EmailOption' },
)

export const UserSettingsBody = Type.Object(
  {
    full_name: Type.String(),
    website: Type.String(),
    description: Type.String(),
    location: Type.String(),
    language: Type.String(),
    theme: Type.String(),
    diff_view_style: Type.String(),
    hide_email: Type.Boolean(),
    hide_activity: Type.Boolean(),
  },
  { title: 'UserSettings' },
)

export const UserSettingsOptions = Type.Partial(
  Type.Object({
    full_name: name,
    website,
    description,
    location,
    language: Type.String({ maxLength: 20 }),
    theme: Type.String({ maxLength: 100 }),
    diff_view_style: Type.String({ maxLength: 20 }),
    hide_email: Type.Boolean(),
    hide_activity: Type.Boolean(),
  }),
  { title: 'UserSettingsOptions' },
)

export const CreateUserOption = Type.Object(
  {
    source_id: Type.Optional(Type.Integer()),
    login_name: Type.Optional(Type.String({ maxLength: 255 })),
    username: Type.String({ notEmpty: true, rule: 'Username', maxLength: 40 }),
    full_name: Type.Optional(name),
    email: Type.String({ notEmpty: true, maxLength: 254, rule: 'Email' }),
    password: Type.Optional(Type.String()),
    must_change_password: Type.Optional(Type.Boolean({ description: 'True unless given.' })),
    send_notify: Type.Optional(Type.Boolean()),
    restricted: Type.Optional(Type.Boolean()),
    visibility: Type.Optional(visibility),
    created_at: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { title: 'CreateUserOption' },
)

export const EditUserOption = Type.Partial(
  Type.Object({
    source_id: Type.Integer(),
    login_name: Type.String({ maxLength: 255 }),
    email: Type.String({ maxLength: 254 }),
    full_name: name,
    password: Type.String(),
    must_change_password: Type.Boolean(),
    website,
    location,
    description,
    active: Type.Boolean(),
    admin: Type.Boolean(),
    allow_git_hook: Type.Boolean(),
    allow_import_local: Type.Boolean(),
    max_repo_creation: Type.Integer(),
    prohibit_login: Type.Boolean(),
    allow_create_organization: Type.Boolean(),
    restricted: Type.Boolean(),
    visibility,
  }),
  { title: 'EditUserOption' },
)

export const RenameUserOption = Type.Object(
  {
    new_username: Type.String({
      notEmpty: true,
      rule: 'Username',
      maxLength: 40,
      field: 'NewName',
    }),
  },
  { title: 'RenameUserOption' },
)

const own = { scope: ['user'], access: 'signed-in', publicOnly: 'public account' } as const
const ownPrivate = { ...own, publicOnly: 'refused' } as const
const administration = { scope: ['admin'], access: 'site-admin', publicOnly: 'public' } as const

export const userGetCurrent = {
  ...own,
  operationId: 'userGetCurrent',
  summary: 'The caller',
  answers: { 200: UserBody },
} satisfies Endpoint

export const userGet = {
  operationId: 'userGet',
  summary: 'A person or an organization',
  scope: ['user'],
  access: 'visible',
  publicOnly: 'public',
  answers: { 200: UserBody },
} satisfies Endpoint

export const userSearch = {
  operationId: 'userSearch',
  summary: 'People by part of their name or address',
  scope: ['user'],
  access: 'anyone',
  publicOnly: 'public',
  query: { q: 'part of login, full name or e-mail', uid: 'one id' },
  paged: 'by number or cursor',
  answers: { 200: Type.Object({ ok: Type.Boolean(), data: Type.Array(UserBody) }) },
} satisfies Endpoint

export const userListEmails = {
  ...ownPrivate,
  operationId: 'userListEmails',
  summary: 'The e-mail addresses of the caller',
  answers: { 200: Type.Array(EmailBody) },
} satisfies Endpoint

export const userAddEmail = {
  ...ownPrivate,
  operationId: 'userAddEmail',
  summary: 'Add e-mail addresses, all or none',
  body: EmailOption,
  answers: { 201: Type.Array(EmailBody) },
} satisfies Endpoint

export const userDeleteEmail = {
  ...ownPrivate,
  operationId: 'userDeleteEmail',
  summary: 'Remove e-mail addresses, all or none',
  body: EmailOption,
  answers: { 204: 'removed' },
} satisfies Endpoint

export const getUserSettings = {
  ...ownPrivate,
  operationId: 'getUserSettings',
  summary: 'The settings of the caller',
  answers: { 200: UserSettingsBody },
} satisfies Endpoint

export const updateUserSettings = {
  ...ownPrivate,
  operationId: 'updateUserSettings',
  summary: 'Change settings of the caller',
  body: UserSettingsOptions,
  answers: { 200: UserSettingsBody },
} satisfies Endpoint

export const adminSearchUsers = {
  ...administration,
  operationId: 'adminSearchUsers',
  summary: 'All people',
  query: {
    q: 'part of login, full name or e-mail',
    source_id: 'authentication source',
    login_name: 'name at the source',
    sort: 'name, created, updated or id',
    order: 'asc or desc',
    visibility: 'public, limited or private',
    is_active: 'only the active, or only the others',
    is_admin: 'only administrators, or only the others',
    is_restricted: 'only the restricted, or only the others',
    is_2fa_enabled: 'only those with a second factor, or only the others',
    is_prohibit_login: 'only those who may not sign in, or only the others',
  },
  paged: 'by number or cursor',
  answers: { 200: Type.Array(UserBody) },
} satisfies Endpoint

export const adminCreateUser = {
  ...administration,
  operationId: 'adminCreateUser',
  summary: 'Create an account',
  body: CreateUserOption,
  answers: { 201: UserBody },
} satisfies Endpoint

export const adminEditUser = {
  ...administration,
  operationId: 'adminEditUser',
  summary: 'Change an account',
  body: EditUserOption,
  answers: { 200: UserBody },
} satisfies Endpoint

export const adminDeleteUser = {
  ...administration,
  operationId: 'adminDeleteUser',
  summary: 'Delete an account',
  query: { purge: 'take along what only this account owns' },
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const adminRenameUser = {
  ...administration,
  operationId: 'adminRenameUser',
  summary: 'Give an account another name',
  body: RenameUserOption,
  answers: { 204: 'renamed' },
} satisfies Endpoint

export const adminGetAllEmails = {
  ...administration,
  operationId: 'adminGetAllEmails',
  summary: 'The e-mail addresses of all people',
  paged: true,
  answers: { 200: Type.Array(EmailBody) },
} satisfies Endpoint

export const adminSearchEmails = {
  ...adminGetAllEmails,
  operationId: 'adminSearchEmails',
  summary: 'Those of them that are looked for',
  query: { q: 'part of the address, the login or the full name' },
} satisfies Endpoint
