import { isSameSecret } from '../same-secret.ts'
import type { Context } from '../context.ts'

/** What the signature of an address at the host of files says. */
export interface Signature {
  /** Whom the file was shown to; 0 for everybody. */
  readonly accountId: number
  /** Whether its time is over. */
  readonly isOver: boolean
}

const PURPOSE = 'file-address'

/**
 * Signatures hold for at most five minutes, and change every two and a half: browsers keep what
 * they have by its address, so that this one stays the same for a while.
 */
const STEP = 150

export function signPath(ctx: Context, path: string, accountId: number): string {
  const until = (Math.floor(ctx.now() / STEP) + 2) * STEP
  return `${accountId}-${until}-${macOf(ctx, path, accountId, until)}`
}

/** Undefined for what we have not signed, or for another path. */
export function readSignature(ctx: Context, path: string, text: string): Signature | undefined {
  const [, account, end, mac = ''] = /^(\d{1,15})-(\d{1,15})-([0-9a-f]{64})$/.exec(text) ?? []
  const accountId = Number(account)
  const until = Number(end)
  if (!isSameSecret(mac, macOf(ctx, path, accountId, until))) return undefined
  return { accountId, isOver: until <= ctx.now() }
}

function macOf({ secrets }: Context, path: string, accountId: number, until: number): string {
  return secrets.hash(PURPOSE, JSON.stringify([accountId, until, path]))
}
