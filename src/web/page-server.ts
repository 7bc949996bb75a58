import type { FastifyReply, FastifyRequest } from 'fastify'

type Answer = (request: FastifyRequest, reply: FastifyReply) => unknown

export interface PageRoute {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly answer: Answer
}

/** Takes in the addresses of pages and forms. */
export class PageServer {
  readonly #routes: PageRoute[] = []

  get routes(): readonly PageRoute[] {
    return this.#routes
  }

  get(path: string, answer: Answer): void {
    this.#routes.push({ method: 'GET', path, answer })
  }

  post(path: string, answer: Answer): void {
    this.#routes.push({ method: 'POST', path, answer })
  }
}
