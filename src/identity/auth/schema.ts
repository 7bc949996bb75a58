import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'

export const AccessTokenBody = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    sha1: Type.String({ description: 'The token itself, in the answer to its creation only.' }),
    token_last_eight: Type.String(),
    scopes: Type.Array(Type.String()),
    created_at: Type.String({ format: 'date-time' }),
    last_used_at: Type.String({ format: 'date-time' }),
  },
  { title: 'AccessToken' },
)

export const CreateAccessTokenOption = Type.Object(
  {
    name: Type.String({ notEmpty: true, maxLength: 255 }),
    scopes: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'CreateAccessTokenOption' },
)

const CurrentTokenBody = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    created_at: Type.String({ format: 'date-time' }),
    last_used_at: Type.String({ format: 'date-time' }),
    user: Type.Object({ id: Type.Integer(), login: Type.String() }),
  },
  { title: 'CurrentAccessToken' },
)

const managed = { scope: ['user'], access: 'visible', publicOnly: 'public' } as const

export const userGetTokens = {
  ...managed,
  operationId: 'userGetTokens',
  summary: 'The access tokens of an account; needs Basic authentication',
  paged: true,
  answers: { 200: Type.Array(AccessTokenBody) },
} satisfies Endpoint

export const userCreateToken = {
  ...managed,
  operationId: 'userCreateToken',
  summary: 'Make an access token; needs Basic authentication',
  body: CreateAccessTokenOption,
  answers: { 201: AccessTokenBody },
} satisfies Endpoint

export const userDeleteAccessToken = {
  ...managed,
  operationId: 'userDeleteAccessToken',
  summary: 'Delete an access token by its id or name; needs Basic authentication',
  answers: { 204: 'deleted' },
} satisfies Endpoint

export const getCurrentToken = {
  operationId: 'getCurrentToken',
  summary: 'The token of this request',
  scope: [],
  access: 'signed-in',
  publicOnly: 'public',
  answers: { 200: CurrentTokenBody },
} satisfies Endpoint

export const deleteCurrentToken = {
  operationId: 'deleteCurrentToken',
  summary: 'Revoke the token of this request',
  scope: [],
  access: 'signed-in',
  publicOnly: 'public',
  answers: { 204: 'revoked' },
} satisfies Endpoint
