import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'

export const ApplicationBody = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    client_id: Type.String(),
    client_secret: Type.String({
      description: 'The secret itself, in the answers that make one; else empty.',
    }),
    confidential_client: Type.Boolean(),
    skip_secondary_authorization: Type.Boolean(),
    redirect_uris: Type.Array(Type.String()),
    created: Type.String({ format: 'date-time' }),
  },
  { title: 'OAuth2Application' },
)

export const CreateApplicationOptions = Type.Object(
  {
    name: Type.String({ notEmpty: true, maxLength: 255 }),
    confidential_client: Type.Optional(Type.Boolean()),
    skip_secondary_authorization: Type.Optional(Type.Boolean()),
    redirect_uris: Type.Array(Type.String(), { notEmpty: true, field: 'RedirectURIs' }),
  },
  { title: 'CreateOAuth2ApplicationOptions' },
)

const own = { scope: ['user'], access: 'signed-in', publicOnly: 'refused' } as const

export const userGetOAuth2Applications = {
  ...own,
  operationId: 'userGetOauth2Application',
  summary: 'The OAuth2 applications of the caller',
  paged: true,
  answers: { 200: Type.Array(ApplicationBody) },
} satisfies Endpoint

export const userCreateOAuth2Application = {
  ...own,
  operationId: 'userCreateOAuth2Application',
  summary: 'Register an OAuth2 application',
  body: CreateApplicationOptions,
  answers: { 201: ApplicationBody },
} satisfies Endpoint

export const userGetOAuth2Application = {
  ...own,
  operationId: 'userGetOAuth2Application',
  summary: 'An OAuth2 application of the caller',
  answers: { 200: ApplicationBody },
} satisfies Endpoint

export const userUpdateOAuth2Application = {
  ...own,
  operationId: 'userUpdateOAuth2Application',
  summary: 'Replace the settings and the secret of an OAuth2 application',
  body: CreateApplicationOptions,
  answers: { 200: ApplicationBody },
} satisfies Endpoint

export const userDeleteOAuth2Application = {
  ...own,
  operationId: 'userDeleteOAuth2Application',
  summary: 'Delete an OAuth2 application',
  answers: { 204: 'deleted' },
} satisfies Endpoint
