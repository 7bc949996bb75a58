import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static, TObject } from 'typebox'
import type { Trace } from '../../identity/auth/security-news.ts'
import { baseUrl } from '../config/urls.ts'
import type { Caller, Context, SignedInCaller } from '../context.ts'
import type { Page, PageOf } from '../db/page.ts'
import { AppError } from '../errors.ts'
import { Slots } from '../git/slots.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { takersOf } from './client.ts'
import type { Answer } from './answer.ts'
import { cameLate, readBody, readBytes, readOptionalBody } from './body.ts'
import { clientOfRequest } from './client.ts'
import { answerElsewhere } from './files-host.ts'
import { answerGivesWay } from './give-way-to-others.ts'
import { goneSignal } from './gone.ts'
import { hangUpAfter } from './hang-up.ts'
import type { Begin } from './once.ts'
import { listAnswer, readPage, type ListOptions } from './paging.ts'
import { Query, readInteger } from './query.ts'
import { REST } from './router.ts'
import { traceOf } from './trace.ts'

const longAnswers = new Slots({ atOnce: 16, waiting: 64, patienceMs: 30_000 })

/** The body took its time: whether the caller may still call is to be found out again. */
export class LateBody extends Error {
  override readonly name = 'LateBody'
}

/** One request to the API, as its handler sees it. */
export class Call {
  /** Found again after a body that takes its time. */
  caller: Caller
  readonly query: Query
  readonly #ctx: Context
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #begin: Begin | undefined
  readonly #isAgain: boolean

  constructor(
    ctx: Context,
    request: FastifyRequest,
    reply: FastifyReply,
    caller: Caller,
    {
      begin,
      isAgain = false,
    }: { readonly begin?: Begin | undefined; readonly isAgain?: boolean } = {},
  ) {
    this.#ctx = ctx
    this.#request = request
    this.#reply = reply
    this.#begin = begin
    this.#isAgain = isAgain
    this.caller = caller
    this.query = new Query(request.query)
  }

  /**
   * 401 for anonymous callers. Called when what the path names has been found: its absence is told
   * first.
   */
  signedIn(): SignedInCaller {
    return signedIn(this.caller)
  }

  /** Who asks for a change, and from where, for the owner of what is changed. */
  get trace(): Trace {
    return traceOf(this.caller, this.#request)
  }

  param(name: string): string {
    return (this.#request.params as Record<string, string>)[name] ?? ''
  }

  /** What stands in place of the path's last `*name`, decoded, slashes and all. */
  get rest(): string {
    return this.param(REST)
  }

  /** Whether the headers of the answer are wanted alone. */
  get isHead(): boolean {
    return this.#request.method === 'HEAD'
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  /** A number in the path; what is none is 0, which nothing has for an id. */
  id(name: string): number {
    return readInteger(this.param(name))
  }

  async body<T extends TObject>(
    schema: T,
    maxBytes = this.#ctx.config.api.max_body_size,
  ): Promise<Static<T>> {
    const fields = await readBody(this.#request.raw, schema, maxBytes)
    this.#assertInTime()
    await this.#begin?.(JSON.stringify(fields))
    return fields
  }

  /** For calls that clients want done once: all that this one asks for is known now. */
  async begin(content: string): Promise<void> {
    await this.#begin?.(content)
  }

  async optionalBody<T extends TObject>(schema: T): Promise<Static<T>> {
    const { max_body_size: maxBytes } = this.#ctx.config.api
    const fields = await readOptionalBody(this.#request.raw, schema, maxBytes)
    this.#assertInTime()
    return fields
  }

  /** What was found before the body may not hold any more. */
  #assertInTime(): void {
    if (!this.#isAgain && cameLate(this.#request.raw)) throw new LateBody()
  }

  /** The body as it is, whatever its type. */
  async text(maxBytes: number): Promise<string> {
    return (await readBytes(this.#request.raw, maxBytes)).toString('utf8')
  }

  /** For bodies that are taken as they arrive. */
  get incoming(): IncomingMessage {
    return this.#request.raw
  }

  /** Ends work that takes long when nobody waits for the answer any more. */
  get gone(): AbortSignal {
    return goneSignal(this.#reply.raw)
  }

  /** Who gets a share of what is limited for one client. */
  get client(): string {
    return clientOfRequest(this.#request)
  }

  /** A place for an answer that git makes for as long as the client takes it, until it is sent. */
  async holdPlace(repo: Repository): Promise<void> {
    const { raw } = this.#reply
    // Who waits for one place with another in hand could wait for those who wait for that one.
    this.#request.work?.end()
    const leave = await longAnswers.take(this.gone, takersOf(this.caller, this.#request.ip, repo))
    raw.once('finish', leave)
    raw.once('close', leave)
    answerGivesWay(longAnswers, raw)
    // Nothing is heard any more of who has left before.
    if (raw.destroyed) leave()
  }

  /** The way to the file that is asked for, where files have a host of their own. */
  elsewhere(isPrivate: boolean): Answer | undefined {
    return answerElsewhere(this.#ctx, this.#request, isPrivate)
  }

  get page(): Page {
    return readPage(this.#ctx.config, this.query)
  }

  /** A page of a list, each item as `present` shows it. */
  list<T, U>(
    found: PageOf<T>,
    present: (item: T) => U,
    options: ListOptions = { links: true },
  ): Answer<U[]> {
    const body = found.items.map((item) => present(item))
    return this.listOf(found, body, options)
  }

  /** Like `list`, around a body that is more than the list itself. */
  listOf<Body>(
    found: PageOf<unknown>,
    body: Body,
    options: ListOptions = { links: true },
  ): Answer<Body> {
    const url = baseUrl(this.#ctx.config) + this.#request.url
    return listAnswer(url, this.page, found, body, options)
  }

  /** A body that has been read to its end is no reason to hang up. */
  keepConnection(): void {
    this.#reply.removeHeader('connection')
  }

  /** What has not come of the body is not waited for. */
  hangUp(): void {
    hangUpAfter(this.incoming, this.#reply)
  }

  setHeader(name: string, value: string): void {
    this.#reply.header(name, value)
  }
}

export function signedIn(caller: Caller): SignedInCaller {
  if (!caller.account) throw new AppError('unauthenticated', 'token is required')
  return caller as SignedInCaller
}
