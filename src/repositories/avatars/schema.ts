import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'

export const AvatarOption = Type.Object(
  { image: Type.String({ notEmpty: true, description: 'PNG, JPEG, GIF or WebP, in base64.' }) },
  { title: 'UpdateRepoAvatarOption' },
)

const set = { body: AvatarOption, answers: { 204: 'changed' } } as const
const removed = { answers: { 204: 'removed, if there was one' } } as const
const repository = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const
const user = { scope: ['user'], access: 'signed-in', publicOnly: 'refused' } as const
const organization = { scope: ['organization'], access: 'visible', publicOnly: 'public' } as const

export const repoUpdateAvatar = {
  ...repository,
  ...set,
  operationId: 'repoUpdateAvatar',
  summary: 'Give a repository a picture',
} satisfies Endpoint

export const repoDeleteAvatar = {
  ...repository,
  ...removed,
  operationId: 'repoDeleteAvatar',
  summary: 'Remove the picture of a repository',
} satisfies Endpoint

export const userUpdateAvatar = {
  ...user,
  ...set,
  operationId: 'userUpdateAvatar',
  summary: 'Give the caller a picture',
} satisfies Endpoint

export const userDeleteAvatar = {
  ...user,
  ...removed,
  operationId: 'userDeleteAvatar',
  summary: 'Remove the picture of the caller',
} satisfies Endpoint

export const orgUpdateAvatar = {
  ...organization,
  ...set,
  operationId: 'orgUpdateAvatar',
  summary: 'Give an organization a picture',
} satisfies Endpoint

export const orgDeleteAvatar = {
  ...organization,
  ...removed,
  operationId: 'orgDeleteAvatar',
  summary: 'Remove the picture of an organization',
} satisfies Endpoint
