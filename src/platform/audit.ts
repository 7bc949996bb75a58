import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger as Logger } from 'fastify'
import { plainAddress } from './network/ranges.ts'

/** The request that is being worked on: its id, where it comes from and who is calling. */
export interface Origin {
  readonly id: string
  readonly ip: string
  readonly caller: { readonly account: { readonly name: string } | undefined } | undefined
}

const current = new AsyncLocalStorage<Origin>()

/** Lines that `work` writes name this request. */
export function withOrigin(origin: Origin, work: () => void): void {
  current.run(origin, work)
}

/** What was presented. */
export type PresentedKind =
  | 'password'
  | 'second factor'
  | 'passkey'
  | 'token'
  | 'ssh key'
  | 'lfs ticket'
  | 'client secret'
  | 'proxy header'
  | 'openid'

export interface FailedSignIn {
  /** That of the request, unless it is given. */
  readonly address?: string
  /** As it was typed. */
  readonly name?: string | undefined
  readonly by: PresentedKind
  readonly reason: string
}

/**
 * Writes one line for a failed sign-in. deploy/fail2ban reads these lines: `event` and `address`
 * come first, before everything that a stranger has chosen.
 */
export function logFailedSignIn(
  log: Logger,
  { address, name, by, reason }: FailedSignIn,
  details: Readonly<Record<string, unknown>> = {},
): void {
  const origin = current.getStore()
  log.warn(
    {
      event: 'sign_in_failed',
      address: addressForLog(address ?? origin?.ip ?? ''),
      by,
      reason,
      name: name === undefined ? undefined : nameForLog(name),
      ...details,
      reqId: origin?.id,
    },
    'sign-in failed',
  )
}

/** Writes one line for a change of what somebody may do; `what` is a short sentence. */
export function logRightsChange(
  log: Logger,
  what: string,
  details: Readonly<Record<string, unknown>>,
): void {
  const origin = current.getStore()
  log.info(
    {
      event: 'rights_changed',
      what,
      address: origin && addressForLog(origin.ip),
      ...details,
      by: details['by'] ?? origin?.caller?.account?.name,
      reqId: origin?.id,
    },
    'rights changed',
  )
}

/** An IPv4 address is written as such, also where the server listens on IPv6. */
export function addressForLog(address: string): string {
  return address.startsWith('::') ? (plainAddress(address) ?? address) : address
}

const MAX_NAME = 64

/** Without line breaks and the like, and cut. A token that was typed as a name is not repeated. */
export function nameForLog(name: string): string {
  if (/[0-9a-f]{32}|^ey[\w-]+\./i.test(name)) return '***'
  return textForLog(name, MAX_NAME)
}

export function textForLog(text: string, max: number): string {
  const start = text.slice(0, max * 2)
  const clean = start.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD')
  const characters = [...clean]
  const isCut = characters.length > max || text.length > start.length
  return isCut ? `${characters.slice(0, max).join('')}…` : clean
}
