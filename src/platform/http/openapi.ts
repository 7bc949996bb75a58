import type { TSchema } from 'typebox'
import type { ScopeCategory } from '../../identity/auth/scopes.ts'
import type { Config } from '../config/config.ts'
import { apiUrl } from '../config/urls.ts'
import { apiVersion } from '../version.ts'
import type { Endpoint, Route } from './api.ts'
import { ErrorBody } from './error-schema.ts'
import { Components, type JsonSchema } from './openapi-schema.ts'

/** As much of OpenAPI 3.1 as we use. */
export interface OpenApi {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, Response>>
    readonly securitySchemes: typeof securitySchemes
  }
}

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

export interface Response {
  readonly description: string
  readonly content?: Content
}

export type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

const JSON_TYPE = 'application/json'
const OCTETS = 'application/octet-stream'

const securitySchemes = {
  AuthorizationHeaderToken: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'An access token, after the word "token" and a space.',
  },
  BearerToken: { type: 'http', scheme: 'bearer', description: 'The same, after "Bearer".' },
  BasicAuth: {
    type: 'http',
    scheme: 'basic',
    description: 'Name and password, or an access token in place of the password.',
  },
} as const

const description = [
  "The API of this server, wire-compatible with Gitea's.",
  'Lists are paged: `page` and `limit` ask for a part, `X-Total-Count` and `Link` tell about the rest.',
  'An account with a second factor that calls by password sends its code in `X-Gitea-OTP`; one with a security key calls by token only.',
  'An administrator acts for somebody else with the header `Sudo` or the parameter `sudo`.',
].join(' ')

/** The whole API, made from what its routes say about themselves. */
export function describeApi(config: Config, routes: readonly Route[]): OpenApi {
  const components = new Components()
  const error = json(components.refer(ErrorBody))
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    const path = route.path.replace(/[:*](\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method.toLowerCase()] = describeRoute(route, components)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Codestead', version: apiVersion, description },
    servers: [{ url: apiUrl(config) }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: components.schemas,
      responses: { error: { description: 'Refused', content: error } },
      securitySchemes,
    },
  }
}

function describeRoute(route: Route, components: Components): Operation {
  const { endpoint } = route
  const needs = describeScopes(route)
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    ...(needs === '' ? {} : { description: needs }),
    tags: [tagOf(route)],
    parameters: [...pathParameters(route.path), ...queryParameters(endpoint)],
    ...describeRequest(endpoint, components),
    responses: describeAnswers(endpoint, components),
    security: describeSecurity(endpoint),
  }
}

function tagOf({ path }: Route): string {
  return path.split('/')[1] ?? ''
}

function pathParameters(path: string): readonly Parameter[] {
  return [...path.matchAll(/[:*](\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: name === 'id' || name === 'index' ? 'integer' : 'string' },
  }))
}

function queryParameters({ query = {}, paged }: Endpoint): readonly Parameter[] {
  const named = Object.entries(query).map(([name, about]) => parameter(name, about, 'string'))
  if (!paged) return named
  return [
    ...named,
    parameter('page', 'number of the page, from 1', 'integer'),
    parameter('limit', 'items on a page', 'integer'),
    ...(paged === 'by number or cursor' ? [parameter('cursor', cursorMeaning, 'string')] : []),
  ]
}

const cursorMeaning =
  'empty for the first page; the others are linked, and stay in place while items come and go'

function parameter(name: string, about: string, type: string): Parameter {
  return { name, in: 'query', required: false, description: about, schema: { type } }
}

const uploads: Record<NonNullable<Endpoint['takes']>[number], Content> = {
  form: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { attachment: { type: 'string', contentMediaType: OCTETS } },
        required: ['attachment'],
      },
    },
  },
  bytes: { [OCTETS]: { schema: {} } },
  text: { 'text/plain': { schema: { type: 'string' } } },
}

function describeRequest(
  { body, takes }: Endpoint,
  components: Components,
): Pick<Operation, 'requestBody'> {
  if (body) return { requestBody: { required: true, content: json(components.refer(body)) } }
  if (!takes) return {}
  const contents = takes.map((kind) => uploads[kind])
  return { requestBody: { required: true, content: Object.assign({}, ...contents) as Content } }
}

function describeAnswers(
  { answers }: Endpoint,
  components: Components,
): Record<string, Response | { $ref: string }> {
  const described = Object.entries(answers).map(([status, answer]) => [
    status,
    typeof answer === 'string'
      ? { description: answer }
      : { description: 'Done', content: contentOf(answer, components) },
  ])
  return {
    ...(Object.fromEntries(described) as Record<string, Response>),
    default: { $ref: '#/components/responses/error' },
  }
}

/** Of an answer that comes in several forms, each with its own type. */
function contentOf(answer: TSchema, components: Components): Content {
  const forms = (answer as { readonly anyOf?: readonly TSchema[] }).anyOf ?? []
  const plain = forms.filter((form) => mediaTypeOf(form) !== JSON_TYPE)
  if (plain.length === 0) return { [mediaTypeOf(answer)]: { schema: components.refer(answer) } }
  return Object.fromEntries(
    forms.map((form) => [mediaTypeOf(form), { schema: components.refer(form) }]),
  )
}

function mediaTypeOf(schema: TSchema): string {
  return (schema as JsonSchema).contentMediaType ?? JSON_TYPE
}

function describeSecurity({ access }: Endpoint): Operation['security'] {
  const signedIn = Object.keys(securitySchemes).map((name) => ({ [name]: [] }))
  return access === 'anyone' || access === 'visible' ? [{}, ...signedIn] : signedIn
}

function describeScopes({ method, endpoint }: Route): string {
  const level = method === 'GET' ? 'read' : 'write'
  const scopes = endpoint.scope
    .flatMap((entry): readonly ScopeCategory[] => (typeof entry === 'string' ? [entry] : entry))
    .map((category) => `\`${level}:${category}\``)
  return [
    endpoint.access === 'site-admin' ? 'For site administrators.' : '',
    scopes.length > 0 ? `A token needs the scope ${scopes.join(' and ')}.` : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function json(schema: JsonSchema): Content {
  return { [JSON_TYPE]: { schema } }
}
