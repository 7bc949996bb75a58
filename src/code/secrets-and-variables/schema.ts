import { Type, type Static } from 'typebox'
import type { Endpoint } from '../../platform/http/api.ts'

const MAX_CONTENT = 65_536
const description = Type.Optional(Type.String({ maxLength: 4096 }))

export const CreateOrUpdateSecretOption = Type.Object(
  { data: Type.String({ notEmpty: true, maxLength: MAX_CONTENT }), description },
  { title: 'CreateOrUpdateSecretOption' },
)

export const CreateVariableOption = Type.Object(
  { value: Type.String({ notEmpty: true, maxLength: MAX_CONTENT }), description },
  { title: 'CreateVariableOption' },
)

export const UpdateVariableOption = Type.Object(
  {
    name: Type.Optional(Type.String()),
    value: Type.String({ notEmpty: true, maxLength: MAX_CONTENT }),
    description,
  },
  { title: 'UpdateVariableOption' },
)

export type SecretBody = Static<typeof SecretBody>
/** What a secret says is never sent. */
export const SecretBody = Type.Object(
  {
    name: Type.String(),
    description: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Secret' },
)

export type VariableBody = Static<typeof VariableBody>
export const VariableBody = Type.Object(
  {
    owner_id: Type.Integer(),
    repo_id: Type.Integer(),
    name: Type.String(),
    data: Type.String(),
    description: Type.String(),
  },
  { title: 'ActionVariable' },
)

/** Whose values a set of addresses is about. */
export interface Family {
  readonly title: 'Repo' | 'Org' | 'User'
  readonly scope: readonly ('repository' | 'organization' | 'user')[]
  readonly access: Endpoint['access']
  readonly publicOnly: Endpoint['publicOnly']
}

/** One set of endpoints, for repositories, organizations and the caller alike. */
export function valueEndpoints({ title, ...common }: Family) {
  return {
    listSecrets: {
      ...common,
      operationId: `${title.toLowerCase()}ListActionsSecrets`,
      summary: 'Names of the secrets for workflows',
      paged: true,
      answers: { 200: Type.Array(SecretBody) },
    },
    putSecret: {
      ...common,
      operationId: `update${title}Secret`,
      summary: 'Set a secret for workflows',
      body: CreateOrUpdateSecretOption,
      answers: { 201: 'created', 204: 'changed' },
    },
    deleteSecret: {
      ...common,
      operationId: `delete${title}Secret`,
      summary: 'Delete a secret',
      answers: { 204: 'deleted' },
    },
    listVariables: {
      ...common,
      operationId: `get${title}VariablesList`,
      summary: 'The variables for workflows',
      paged: true,
      answers: { 200: Type.Array(VariableBody) },
    },
    getVariable: {
      ...common,
      operationId: `get${title}Variable`,
      summary: 'A variable for workflows',
      answers: { 200: VariableBody },
    },
    createVariable: {
      ...common,
      operationId: `create${title}Variable`,
      summary: 'Create a variable for workflows',
      body: CreateVariableOption,
      answers: { 201: 'created' },
    },
    updateVariable: {
      ...common,
      operationId: `update${title}Variable`,
      summary: 'Change or rename a variable',
      body: UpdateVariableOption,
      answers: { 204: 'changed' },
    },
    deleteVariable: {
      ...common,
      operationId: `delete${title}Variable`,
      summary: 'Delete a variable',
      answers: { 204: 'deleted' },
    },
  } as const satisfies Record<string, Endpoint>
}
