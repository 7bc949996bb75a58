import type { FastifyRequest } from 'fastify'
import type { Vouched } from '../../identity/auth/proxy-login.ts'
import type { Context } from '../context.ts'
import { trustedProxies } from '../network/trusted-proxies.ts'

/**
 * Who is calling, as the proxy says that is at the other end of the connection itself; nobody
 * else's word is heard.
 */
export function vouchedIn({ config }: Context, request: FastifyRequest): Vouched | undefined {
  const { proxy_login: login, server } = config
  const vouched = {
    name: textOf(request, login.user_header),
    email: login.email ? textOf(request, login.email_header) : '',
    fullName: login.full_name ? textOf(request, login.full_name_header) : '',
  }
  if (vouched.name === '' && vouched.email === '') return undefined
  const isTrusted = trustedProxies(server.trusted_proxies)
  return isTrusted(request.socket.remoteAddress ?? '') ? vouched : undefined
}

/** Headers come as bytes; those of names are UTF-8. PostgreSQL would not hear of a NUL. */
function textOf({ headers }: FastifyRequest, name: string): string {
  const value = String(headers[name.toLowerCase()] ?? '')
  return Buffer.from(value, 'latin1').toString('utf8').replaceAll('\0', '').trim()
}
