import { Type } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'

export const repoGetLanguages = {
  operationId: 'repoGetLanguages',
  summary: 'The languages of a repository, with their bytes',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  answers: { 200: Type.Record(Type.String(), Type.Integer()) },
} satisfies Endpoint

export const repoGetLicenses = {
  operationId: 'repoGetLicenses',
  summary: 'The licences of a repository',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  answers: { 200: Type.Array(Type.String()) },
} satisfies Endpoint
