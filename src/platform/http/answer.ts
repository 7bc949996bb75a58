/** What a handler gives back; `server.ts` writes it out. */
export interface Answer<Body = unknown> {
  readonly status: number
  readonly body?: Body
  readonly headers?: Readonly<Record<string, string>>
}

export function ok<Body>(body: Body, headers?: Readonly<Record<string, string>>): Answer<Body> {
  return headers ? { status: 200, body, headers } : { status: 200, body }
}

export function created<Body>(body: Body): Answer<Body> {
  return { status: 201, body }
}

/** For the few answers that are a text by themselves and no record. */
export function plainText(body: string): Answer<string> {
  return ok(body, { 'content-type': 'text/plain;charset=utf-8' })
}

export function noContent(): Answer<never> {
  return { status: 204 }
}
