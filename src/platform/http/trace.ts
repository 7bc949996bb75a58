import type { FastifyRequest } from 'fastify'
import type { Trace } from '../../identity/auth/security-news.ts'
import type { Caller, Credential } from '../context.ts'

const shown: Readonly<Record<Credential['kind'], string>> = {
  none: 'nothing',
  password: 'the password',
  session: 'a browser that is signed in',
  proxy: 'the reverse proxy',
  'ssh-key': 'an SSH key',
  'deploy-key': 'a deploy key',
  token: 'an access token',
  grant: 'an authorized application',
}

/** Who asks for a change, and from where, for the owner of what is changed. */
export function traceOf({ account, credential }: Caller, request: FastifyRequest): Trace {
  return traceBy(request, { actor: account?.name ?? '', by: shown[credential.kind] })
}

/** For those who are not signed in. */
export function traceBy(request: FastifyRequest, who: Pick<Trace, 'actor' | 'by'>): Trace {
  return { ...who, address: request.ip, client: request.headers['user-agent'] ?? '' }
}
