import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TestContext } from 'node:test'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import pino from 'pino'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { buildApp, type App } from '../../src/server/app.ts'
import { createToken } from '../../src/identity/auth/tokens.ts'
import { configWith, type ConfigChanges } from '../../src/platform/config/config.ts'
import type { Context } from '../../src/platform/context.ts'
import type { Answer } from '../../src/platform/http/answer.ts'
import type { Route } from '../../src/platform/http/api.ts'
import type { Account } from '../../src/identity/users/account.ts'
import { createPerson, type NewPerson } from '../../src/identity/users/create.ts'
import { makeDatabase } from './databases.ts'

export const PASSWORD = 'password1'

/** Somebody who calls: an account with a token of all scopes, unless other headers are given. */
export interface TestCaller {
  readonly account: Account
  readonly name: string
  readonly id: number
  readonly headers: Headers
}

export type Headers = Readonly<Record<string, string>>

export interface TestAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The JSON of the answer, typed loosely: a test compares it anyway. */
  // oxlint-disable-next-line typescript/no-explicit-any -- records of every shape
  readonly body: any
  readonly text: string
}

type Who = TestCaller | undefined

/** A whole server on an empty database of its own, called without a port. */
export class TestApp {
  readonly ctx: Context
  readonly server: FastifyInstance
  readonly findSetupLink: App['findSetupLink']
  readonly listenSsh: App['listenSsh']
  readonly #clock: { offset: number }

  constructor({ ctx, server, findSetupLink, listenSsh }: App, clock: { offset: number }) {
    this.ctx = ctx
    this.server = server
    this.findSetupLink = findSetupLink
    this.listenSsh = listenSsh
    this.#clock = clock
  }

  get(who: Who, path: string, headers?: Headers): Promise<TestAnswer> {
    return this.send(who, 'GET', path, undefined, headers)
  }
  head(who: Who, path: string, headers?: Headers): Promise<TestAnswer> {
    return this.send(who, 'HEAD', path, undefined, headers)
  }
  post(who: Who, path: string, body?: unknown, headers?: Headers): Promise<TestAnswer> {
    return this.send(who, 'POST', path, body, headers)
  }
  put(who: Who, path: string, body?: unknown, headers?: Headers): Promise<TestAnswer> {
    return this.send(who, 'PUT', path, body, headers)
  }
  patch(who: Who, path: string, body?: unknown, headers?: Headers): Promise<TestAnswer> {
    return this.send(who, 'PATCH', path, body, headers)
  }
  delete(who: Who, path: string, body?: unknown, headers?: Headers): Promise<TestAnswer> {
    return this.send(who, 'DELETE', path, body, headers)
  }

  /**
   * `path` is below /api/v1, or below the root when it begins with `^`. Text and bytes are sent as
   * they are.
   */
  async send(
    who: Who,
    method: string,
    path: string,
    body?: unknown,
    headers: Headers = {},
  ): Promise<TestAnswer> {
    const isJson = body !== undefined && typeof body !== 'string' && !Buffer.isBuffer(body)
    // As from a socket: in a turn of the event loop after the one in which it was sent.
    await nextTurn()
    const answer = await this.server.inject({
      method: method as 'GET',
      url: path.startsWith('^') ? path.slice(1) : `/api/v1${path}`,
      headers: {
        ...(isJson ? { 'content-type': 'application/json' } : {}),
        ...who?.headers,
        ...headers,
      },
      ...(body === undefined ? {} : { payload: isJson ? JSON.stringify(body) : body }),
    })
    const plain = answer.headers['content-encoding'] === undefined
    const hasJson = plain && /json/.test(answer.headers['content-type'] ?? '')
    return {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string | undefined>,
      body: hasJson && answer.payload !== '' ? (JSON.parse(answer.payload) as unknown) : undefined,
      text: answer.payload,
    }
  }

  async addPerson(name: string, options: Partial<NewPerson> = {}): Promise<Account> {
    return createPerson(this.ctx, {
      name,
      email: `${name}@example.org`,
      password: PASSWORD,
      ...options,
    })
  }

  /** A new account that calls with a token of the given scopes. */
  async addCaller(
    name: string,
    options: Partial<NewPerson> = {},
    scopes: readonly string[] = ['all'],
  ): Promise<TestCaller> {
    return this.withToken(await this.addPerson(name, options), scopes)
  }

  async addAdmin(name = 'root'): Promise<TestCaller> {
    return this.addCaller(name, { isAdmin: true })
  }

  async withToken(account: Account, scopes: readonly string[]): Promise<TestCaller> {
    const name = `token ${++tokens}`
    const { secret } = await createToken(this.ctx, account, { name, scopes })
    return callerWith(account, { authorization: `token ${secret}` })
  }

  withPassword(account: Account, password = PASSWORD): TestCaller {
    return callerWith(account, { authorization: basic(account.name, password) })
  }

  passTime(seconds: number): void {
    this.#clock.offset += seconds
  }
}

/**
 * One of several processes on one database: of SQLite they share the lock that one of them holds.
 */
export const asWorker = { crew: { gatherFigures: async () => [] } }

let tokens = 0

export function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
}

export function callerWith(account: Account, headers: Headers): TestCaller {
  return { account, name: account.name, id: account.id, headers }
}

export async function startApp(
  t: TestContext,
  changes: ConfigChanges = {},
  log: FastifyBaseLogger = pino({ level: 'silent' }),
): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-test-'))
  const database = await makeDatabase(folder)
  const clock = { offset: 0 }
  const config = configWith(folder, {
    ...changes,
    server: { url: 'http://codestead.test', ...changes.server },
    database: { url: database.url, pool_size: 4, readers: 1, ...changes.database },
    security: { password_memory: '64KiB', ...changes.security },
  })
  const app = await buildApp(config, log, {
    now: () => Math.floor(Date.now() / 1000) + clock.offset,
    onAnswer: assertDescribed,
  })
  t.after(async () => {
    await app.close()
    await database.remove()
    rmSync(folder, { recursive: true, force: true })
  })
  return new TestApp(app, clock)
}

const validators = new Map<TSchema, Validator>()

/** Every record that a test provokes is what the description of the API says it is. */
function assertDescribed({ endpoint }: Route, { status, body }: Answer): void {
  const schema = endpoint.answers[status]
  if (schema === undefined) assert.fail(`${endpoint.operationId} does not declare ${status}`)
  if (typeof schema === 'string') return assert.equal(body, undefined)
  const validator = validators.get(schema) ?? Compile(schema)
  validators.set(schema, validator)
  if (validator.Check(body)) return
  assert.fail(`${endpoint.operationId} ${status}: ${JSON.stringify(validator.Errors(body))}`)
}
