import type { Context } from '../../platform/context.ts'
import { isSameSecret } from '../../platform/same-secret.ts'
import type { Operation } from './batch.ts'

/** What a client of Git LFS may do for a while, after it has shown its key elsewhere. */
export interface Ticket {
  readonly repositoryId: number
  readonly operation: Operation
  /** Who acts. */
  readonly accountId: number
  /** 0 when the account's own key was shown. */
  readonly deployKeyId: number
  /** Of the key that was shown. */
  readonly fingerprint: string
  /** Whole seconds since 1970. */
  readonly until: number
}

export const TICKET_SECONDS = 1800

const PURPOSE = 'lfs-ticket'

export function writeTicket({ secrets }: Context, ticket: Ticket): string {
  const text = Buffer.from(JSON.stringify(ticket)).toString('base64url')
  return `${text}.${secrets.hash(PURPOSE, text)}`
}

/** Undefined for what we have not signed, and when its time is over. */
export function readTicket({ secrets, now }: Context, text: string): Ticket | undefined {
  const [payload = '', mac = ''] = text.split('.')
  if (!isSameSecret(mac, secrets.hash(PURPOSE, payload))) return undefined
  const ticket = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Ticket
  return ticket.until > now() ? ticket : undefined
}
