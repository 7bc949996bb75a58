import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import fc from 'fast-check'
import type { TObject, TSchema } from 'typebox'
import type { Route } from '../../src/platform/http/api.ts'
import { startApp, type Headers, type TestAnswer, type TestApp, type TestCaller } from './app.ts'
import { anyCharacter } from './arbitraries.ts'
import { testDialect } from './databases.ts'
import { routesOf } from './routes.ts'
import { addressesOf } from './trap.ts'

/**
 * Fewer on PostgreSQL: the requests are read by the same code, and each costs several times as
 * much.
 */
const ON_POSTGRES = 10

const hostile = fc.constantFrom(
  '',
  '0',
  '-1',
  '1',
  '2',
  'ann',
  'acme',
  'one',
  'main',
  'README.md',
  'nobody',
  '..',
  '%2e%2e%2f',
  '%00',
  '%zz',
  "' OR 1=1 --",
  '9223372036854775807',
  '99999999999999999999999',
  '1e400',
  'NaN',
  '__proto__',
  'constructor',
  '\u202Egnp.exe',
  'ﬀ',
  '😀'.repeat(50),
  'x'.repeat(3000),
  '<script>alert(1)</script>',
  '$(id)',
  '--upload-pack=id',
  ...addressesOf(process.env['TEST_TRAP_PORT'] ?? '1'),
)
const anyText = fc.oneof(
  hostile,
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ maxLength: 20 }),
)
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  anyText,
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(anyText, { maxLength: 3 }),
  fc.dictionary(anyText, anyText, { maxKeys: 3 }),
  fc.constant('2020-01-02T03:04:05Z'),
  fc.constantFrom('public', 'limited', 'private', 'read', 'write', 'admin', 'repo.code', 'all'),
)

/** A body that is right in some fields and wrong in others. */
function bodyFor(schema: TSchema | undefined): fc.Arbitrary<unknown> {
  const fields = Object.keys((schema as TObject | undefined)?.properties ?? {})
  const record = fc.record(Object.fromEntries(fields.map((field) => [field, anyValue])), {
    requiredKeys: [],
  })
  return fc.oneof({ weight: 6, arbitrary: record }, anyValue)
}

const anyHeaders = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data',
      ';;;',
      '',
    ),
    authorization: fc.constantFrom(
      '',
      'token',
      'token x',
      'Basic !!',
      'Basic YTpi',
      'Bearer a.b.c',
      'Digest x',
    ),
    'x-gitea-otp': fc.constantFrom('', '000000', 'x'.repeat(1000)),
    sudo: fc.constantFrom('', 'ann', 'nobody', 'acme'),
    range: fc.constant('bytes=0-0,1-1'),
    'accept-encoding': fc.constant('gzip'),
  },
  { requiredKeys: [] },
)

interface Mutation {
  readonly path: string
  readonly query: string
  readonly payload: string | undefined
  readonly headers: Record<string, string>
}

function mutationsOf({ path, endpoint }: Route): fc.Arbitrary<Mutation> {
  const names = [...path.matchAll(/:\w+/g)].map(([name]) => name)
  const keys = [...Object.keys(endpoint.query ?? {}), 'page', 'limit', 'sudo', 'token', '__proto__']
  return fc
    .record({
      values: fc.array(anyText, { minLength: names.length, maxLength: names.length }),
      query: fc.array(fc.tuple(fc.constantFrom(...keys), anyText), { maxLength: 3 }),
      body: bodyFor(endpoint.body),
      cut: fc.option(fc.nat({ max: 60 }), { freq: 4 }),
      send: fc.boolean(),
      headers: anyHeaders,
    })
    .map(({ values, query, body, cut, send, headers }) => {
      const text = JSON.stringify(body) ?? ''
      return {
        path: names.reduce(
          (filled, name, index) => filled.replace(name, () => segment(values[index] ?? '')),
          path,
        ),
        query: query
          .map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`)
          .join('&'),
        payload: send ? (cut === null ? text : text.slice(0, cut)) : undefined,
        headers: { 'content-type': 'application/json', ...headers },
      }
    })
}

function segment(value: string): string {
  return value.startsWith('%') ? value : encodeURIComponent(value.toWellFormed())
}

async function assertSurvives(
  app: TestApp,
  who: TestCaller,
  method: string,
  mutation: Mutation,
): Promise<void> {
  const { path, query, payload, headers } = mutation
  const answer = await app.send(
    who,
    method,
    query === '' ? path : `${path}?${query}`,
    payload,
    headers,
  )
  const survived = answer.status < 500 || isBrokenForm(method, headers, answer)
  assert.ok(survived, `${method} ${path}?${query} -> ${answer.status} ${answer.text}`)
}

/** The one 500 that the contract wants for every POST, in these words. */
function isBrokenForm(method: string, headers: Headers, { status, text }: TestAnswer): boolean {
  const isForm = headers['content-type']?.includes('multipart/form-data') ?? false
  const isTold = status === 500 && text === 'failed to parse request multipart form'
  return method === 'POST' && isForm && isTold
}

/** There the contract makes a 500 of nearly everything that is no file. */
function isUpload({ endpoint }: Route): boolean {
  return /(Create|Replace)\w*Attachment$/.test(endpoint.operationId)
}

/** Something to be found by the numbers 1 and 2. */
async function addIssue(app: TestApp, ann: TestCaller): Promise<void> {
  await app.post(ann, '/repos/ann/one/labels', { name: 'ann', color: 'fff' })
  for (const title of ['one', 'two']) await app.post(ann, '/repos/ann/one/issues', { title })
  for (const body of ['@ann', 'x']) {
    await app.post(ann, '/repos/ann/one/issues/1/comments', { body })
  }
}

interface World {
  readonly app: TestApp
  readonly root: TestCaller
  readonly ann: TestCaller
}

async function startWorld(t: TestContext): Promise<World> {
  const app = await startApp(t, {
    security: { failures_per_address: 1_000_000, failures_per_account: 1_000_000 },
  })
  return { app, root: await app.addAdmin(), ann: await app.addCaller('ann') }
}

/** The mutations of another route may have taken away what this one is about. */
async function refill({ app, ann }: World, { path }: Route): Promise<void> {
  await app.post(ann, '/orgs', { username: 'acme' })
  await app.post(ann, '/user/repos', { name: 'one', auto_init: true })
  if (path.includes('/issues')) await addIssue(app, ann)
}

async function isWhole({ app, root, ann }: World): Promise<boolean> {
  const answers = [await app.get(root, '/admin/users/ann/orgs'), await app.get(ann, '/user')]
  return answers.every(({ status }) => status === 200)
}

export interface MutationOptions {
  /** For each route, on SQLite. */
  readonly runs: number
  /** How many routes share a server. */
  readonly together: number
}

/**
 * Sends random mutations of requests to every route that `isWanted`: none may give a 5xx or stop
 * the server.
 */
export function testMutations(
  { runs, together }: MutationOptions,
  isWanted: (route: Route) => boolean,
): void {
  const numRuns = testDialect === 'sqlite' ? runs : ON_POSTGRES
  const routes = routesOf().filter((one) => isWanted(one) && !isUpload(one))
  for (let first = 0; first < routes.length; first += together) {
    const group = routes.slice(first, first + together)
    test(`of ${group.map(({ method, path }) => `${method} ${path}`).join(', ')}`, async (t) => {
      let world = await startWorld(t)
      for (const route of group) {
        if (!(await isWhole(world))) world = await startWorld(t)
        await refill(world, route)
        const { app, root, ann } = world
        const property = fc.asyncProperty(mutationsOf(route), fc.boolean(), (mutation, asRoot) =>
          assertSurvives(app, asRoot ? root : ann, route.method, mutation),
        )
        await fc.assert(property, { numRuns })
        assert.equal((await app.get(undefined, '/version')).status, 200)
      }
    })
  }
}
