import { Type, type Static } from 'typebox'
import type { ScopeCategory } from '../../identity/auth/scopes.ts'
import type { Endpoint } from '../../platform/http/api.ts'

const time = Type.String({ format: 'date-time' })
const texts = Type.Record(Type.String(), Type.String())

export type HookBody = Static<typeof HookBody>
export const HookBody = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    type: Type.String(),
    branch_filter: Type.String(),
    config: texts,
    events: Type.Array(Type.String()),
    authorization_header: Type.String({ description: 'always empty: what it is stays here' }),
    active: Type.Boolean(),
    updated_at: time,
    created_at: time,
  },
  { title: 'Hook' },
)

const deliveryFields = {
  id: Type.Integer(),
  uuid: Type.String({ description: 'the same for all attempts' }),
  event: Type.String(),
  event_type: Type.String(),
  status: Type.String({ enum: ['waiting', 'delivered', 'failed'] }),
  attempts: Type.Integer(),
  last_error: Type.String(),
  response_status: Type.Integer({ description: '0 without an answer' }),
  created_at: time,
  tried_at: Type.Union([time, Type.Null()]),
  next_attempt_at: Type.Union([time, Type.Null()]),
}

export type DeliveryBody = Static<typeof DeliveryBody>
export const DeliveryBody = Type.Object(deliveryFields, { title: 'HookDelivery' })

export type DeliveryDetailsBody = Static<typeof DeliveryDetailsBody>
export const DeliveryDetailsBody = Type.Object(
  {
    ...deliveryFields,
    payload: Type.Unknown(),
    response_headers: Type.Record(Type.String(), Type.Unknown()),
    response_body: Type.String({ description: 'the first 64 KiB' }),
  },
  { title: 'HookDeliveryDetails' },
)

const fields = {
  name: Type.Optional(Type.String({ maxLength: 255 })),
  events: Type.Optional(Type.Array(Type.String({ maxLength: 50 }))),
  branch_filter: Type.Optional(Type.String({ maxLength: 255 })),
  authorization_header: Type.Optional(Type.String({ maxLength: 2048 })),
  active: Type.Optional(Type.Boolean()),
}

export const CreateHookOption = Type.Object(
  {
    type: Type.String({ notEmpty: true }),
    config: Type.Record(Type.String(), Type.String({ maxLength: 4096 }), { notEmpty: true }),
    ...fields,
  },
  { title: 'CreateHookOption' },
)

export const EditHookOption = Type.Object(
  {
    config: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: 4096 }))),
    ...fields,
  },
  { title: 'EditHookOption' },
)

type Common = Pick<Endpoint, 'access' | 'publicOnly'> & {
  readonly scope: readonly [ScopeCategory]
}

/** One set of addresses, below each home of webhooks. */
function hookEndpoints(prefix: string, whose: string, common: Common) {
  return {
    list: {
      ...common,
      operationId: `${prefix}ListHooks`,
      summary: `The webhooks of ${whose}`,
      ...(prefix === 'admin'
        ? { query: { type: '`system` (the default), `default` or `all`' } }
        : {}),
      paged: true,
      answers: { 200: Type.Array(HookBody) },
    },
    create: {
      ...common,
      operationId: `${prefix}CreateHook`,
      summary: `Add a webhook to ${whose}`,
      body: CreateHookOption,
      answers: { 201: HookBody },
    },
    get: {
      ...common,
      operationId: `${prefix}GetHook`,
      summary: `A webhook of ${whose}`,
      answers: { 200: HookBody },
    },
    edit: {
      ...common,
      operationId: `${prefix}EditHook`,
      summary: `Edit a webhook of ${whose}`,
      body: EditHookOption,
      answers: { 200: HookBody },
    },
    remove: {
      ...common,
      operationId: `${prefix}DeleteHook`,
      summary: `Delete a webhook of ${whose}, with what waits for it`,
      answers: { 204: 'deleted' },
    },
    test: {
      ...common,
      operationId: `${prefix}TestHook`,
      summary: 'Deliver a push of the latest commit, whatever the webhook listens to',
      answers: { 204: 'on its way' },
    },
    deliveries: {
      ...common,
      operationId: `${prefix}ListHookDeliveries`,
      summary: 'What a webhook was sent and is to be sent, newest first',
      paged: true,
      answers: { 200: Type.Array(DeliveryBody) },
    },
    delivery: {
      ...common,
      operationId: `${prefix}GetHookDelivery`,
      summary: 'One delivery with what was sent and what came back',
      answers: { 200: DeliveryDetailsBody },
    },
    redeliver: {
      ...common,
      operationId: `${prefix}RedeliverHook`,
      summary: 'Send the same again, after what waits already',
      answers: { 201: DeliveryBody },
    },
  } as const satisfies Record<string, Endpoint>
}

export type HookEndpoints = ReturnType<typeof hookEndpoints>

export const repositoryHooks = hookEndpoints('repo', 'a repository', {
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
})

export const organizationHooks = hookEndpoints('org', 'an organization', {
  scope: ['organization'],
  access: 'visible',
  publicOnly: 'public',
})

export const userHooks = hookEndpoints('user', 'the caller', {
  scope: ['user'],
  access: 'signed-in',
  publicOnly: 'refused',
})

export const systemHooks = hookEndpoints('admin', 'the system', {
  scope: ['admin'],
  access: 'site-admin',
  publicOnly: 'public',
})

const gitHooks = {
  summary: 'Scripts that git runs on the server: there are none, and nobody may edit them',
  scope: ['repository'],
  access: 'visible',
  publicOnly: 'public',
  answers: {},
} as const

export const repoListGitHooks = { ...gitHooks, operationId: 'repoListGitHooks' } satisfies Endpoint
export const repoGetGitHook = { ...gitHooks, operationId: 'repoGetGitHook' } satisfies Endpoint
export const repoEditGitHook = { ...gitHooks, operationId: 'repoEditGitHook' } satisfies Endpoint
export const repoDeleteGitHook = {
  ...gitHooks,
  operationId: 'repoDeleteGitHook',
} satisfies Endpoint
