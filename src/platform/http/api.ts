import type { Static, TSchema } from 'typebox'
import type { ScopeCategory } from '../../identity/auth/scopes.ts'
import type { Answer } from './answer.ts'
import type { Call } from './call.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Status to the record that is sent with it; a text describes an answer without a record. */
export type Answers = Readonly<Record<number, TSchema | string>>

/**
 * What a token that is limited to what is public may reach at an endpoint:
 * `public` is what its operation shows such a token, `public account` the same for those whose own
 * account is public, and `refused` nothing, since it is private data or makes what may be private.
 */
export type PublicOnlyReach = 'public' | 'public account' | 'refused'

/**
 * One address with one method: what it needs and what it answers. The description of the API is
 * made from it.
 */
export interface Endpoint {
  readonly operationId: string
  readonly summary: string
  /**
   * The token must hold all of these. Each entry is checked and reported by itself; categories in a
   * list within it are reported together.
   */
  readonly scope: readonly (ScopeCategory | readonly ScopeCategory[])[]
  /** Who may call at all; `visible` leaves it to what the handler loads first. */
  readonly access: 'anyone' | 'visible' | 'signed-in' | 'site-admin'
  /** What a public-only token may reach here. */
  readonly publicOnly: PublicOnlyReach
  /**
   * Refuses organizations in words of its own: an administrator may call for one, and hears them.
   */
  readonly refusesOrganizations?: boolean
  /** Parameters of the query, with what they mean; `page` and `limit` are implied by `paged`. */
  readonly query?: Readonly<Record<string, string>>
  /** Beside numbers, some lists take a cursor for their pages. */
  readonly paged?: boolean | 'by number or cursor'
  readonly body?: TSchema
  /** How a body that is no record is sent; a form has it as its part `attachment`. */
  readonly takes?: readonly ('form' | 'bytes' | 'text')[]
  /**
   * Done once for each Idempotency-Key. Its answer is kept for a day, so there must be no secret in
   * it.
   */
  readonly idempotent?: boolean
  readonly answers: Answers
}

type BodyOf<E extends Endpoint> = {
  [Status in keyof E['answers']]: E['answers'][Status] extends TSchema
    ? Static<E['answers'][Status]>
    : never
}[keyof E['answers']]

export type Handler<E extends Endpoint = Endpoint> = (call: Call) => Promise<Answer<BodyOf<E>>>

export interface Route {
  readonly method: Method
  /**
   * Below /api/v1, parameters as `:name`; a last `*name` takes the rest of the path, slashes and
   * all.
   */
  readonly path: string
  readonly endpoint: Endpoint
  readonly handler: Handler
}

/** All addresses of the API, in the order of registration. */
export class Api {
  readonly #routes: Route[] = []

  get routes(): readonly Route[] {
    return this.#routes
  }

  get<E extends Endpoint>(path: string, endpoint: E, handler: Handler<E>): void {
    this.#add('GET', path, endpoint, handler)
  }

  post<E extends Endpoint>(path: string, endpoint: E, handler: Handler<E>): void {
    this.#add('POST', path, endpoint, handler)
  }

  put<E extends Endpoint>(path: string, endpoint: E, handler: Handler<E>): void {
    this.#add('PUT', path, endpoint, handler)
  }

  patch<E extends Endpoint>(path: string, endpoint: E, handler: Handler<E>): void {
    this.#add('PATCH', path, endpoint, handler)
  }

  delete<E extends Endpoint>(path: string, endpoint: E, handler: Handler<E>): void {
    this.#add('DELETE', path, endpoint, handler)
  }

  #add<E extends Endpoint>(method: Method, path: string, endpoint: E, handler: Handler<E>): void {
    this.#routes.push({ method, path, endpoint, handler })
  }
}
