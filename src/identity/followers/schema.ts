import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'
import { UserBody } from '../users/schema.ts'

const own = { scope: ['user'], access: 'signed-in', publicOnly: 'public account' } as const
const ownPrivate = { ...own, publicOnly: 'refused' } as const
const others = { scope: ['user'], access: 'visible', publicOnly: 'public' } as const
const ofOrganization = { scope: ['organization'], access: 'visible', publicOnly: 'public' } as const
const people = { paged: true, answers: { 200: Type.Array(UserBody) } } as const

export const userCurrentListFollowers = {
  ...own,
  ...people,
  operationId: 'userCurrentListFollowers',
  summary: 'Who follows the caller',
} satisfies Endpoint

export const userCurrentListFollowing = {
  ...own,
  ...people,
  operationId: 'userCurrentListFollowing',
  summary: 'Whom the caller follows',
} satisfies Endpoint

export const userListFollowers = {
  ...others,
  ...people,
  operationId: 'userListFollowers',
  summary: 'Who follows an account',
} satisfies Endpoint

export const userListFollowing = {
  ...others,
  ...people,
  operationId: 'userListFollowing',
  summary: 'Whom an account follows',
} satisfies Endpoint

export const userCurrentCheckFollowing = {
  ...own,
  operationId: 'userCurrentCheckFollowing',
  summary: 'Whether the caller follows an account; 404 when not',
  answers: { 204: 'the caller does' },
} satisfies Endpoint

export const userCheckFollowing = {
  ...others,
  operationId: 'userCheckFollowing',
  summary: 'Whether one account follows another; 404 when not',
  answers: { 204: 'it does' },
} satisfies Endpoint

export const userCurrentPutFollow = {
  ...own,
  operationId: 'userCurrentPutFollow',
  summary: 'Follow an account',
  answers: { 204: 'followed' },
} satisfies Endpoint

export const userCurrentDeleteFollow = {
  ...own,
  operationId: 'userCurrentDeleteFollow',
  summary: 'Follow an account no longer',
  answers: { 204: 'not followed' },
} satisfies Endpoint

export const userListBlocks = {
  ...ownPrivate,
  ...people,
  operationId: 'userListBlocks',
  summary: 'Whom the caller blocks',
} satisfies Endpoint

export const userCheckUserBlock = {
  ...ownPrivate,
  operationId: 'userCheckUserBlock',
  summary: 'Whether the caller blocks a person; 404 when not',
  answers: { 204: 'the caller does' },
} satisfies Endpoint

export const userBlockUser = {
  ...ownPrivate,
  operationId: 'userBlockUser',
  summary: 'Block a person, which ends following both ways',
  answers: { 204: 'blocked' },
} satisfies Endpoint

export const userUnblockUser = {
  ...ownPrivate,
  operationId: 'userUnblockUser',
  summary: 'Block a person no longer',
  answers: { 204: 'not blocked' },
} satisfies Endpoint

export const organizationListBlocks = {
  ...ofOrganization,
  ...people,
  operationId: 'organizationListBlocks',
  summary: 'Whom an organization blocks',
} satisfies Endpoint

export const organizationCheckUserBlock = {
  ...ofOrganization,
  operationId: 'organizationCheckUserBlock',
  summary: 'Whether an organization blocks a person; 404 when not',
  answers: { 204: 'it does' },
} satisfies Endpoint

export const organizationBlockUser = {
  ...ofOrganization,
  operationId: 'organizationBlockUser',
  summary: 'Block a person who is no member',
  answers: { 204: 'blocked' },
} satisfies Endpoint

export const organizationUnblockUser = {
  ...ofOrganization,
  operationId: 'organizationUnblockUser',
  summary: 'Block a person no longer',
  answers: { 204: 'not blocked' },
} satisfies Endpoint
