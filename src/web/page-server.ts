import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../platform/config/config.ts'
import { isFromHereOrNoBrowser, isSameOrigin } from '../platform/http/origin.ts'

type Answer = (request: FastifyRequest, reply: FastifyReply) => unknown

/**
 * Where a request has to come from: a page of ours, such a page or a program, or wherever it likes.
 */
type Origin = 'here' | 'here or a program' | 'anywhere'

export interface PageRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly from: Origin
  readonly answer: Answer
}

/** Takes in the addresses of pages and forms. A form is taken from pages of ours only. */
export class PageServer {
  readonly #routes: PageRoute[] = []

  get routes(): readonly PageRoute[] {
    return this.#routes
  }

  get(path: string, answer: Answer): void {
    this.#routes.push({ method: 'GET', path, from: 'anywhere', answer })
  }

  /** Of what begins something though it is no form. */
  getFromHere(path: string, answer: Answer): void {
    this.#routes.push({ method: 'GET', path, from: 'here', answer })
  }

  post(path: string, answer: Answer): void {
    this.#routes.push({ method: 'POST', path, from: 'here', answer })
  }

  /** Of a form that goes by no session: programs send it, and name no origin. */
  postAlsoByPrograms(path: string, answer: Answer): void {
    this.#routes.push({ method: 'POST', path, from: 'here or a program', answer })
  }
}

export function mayComeFrom(
  config: Config,
  { from }: PageRoute,
  headers: FastifyRequest['headers'],
): boolean {
  if (from === 'here') return isSameOrigin(config, headers)
  return from === 'anywhere' || isFromHereOrNoBrowser(config, headers)
}
