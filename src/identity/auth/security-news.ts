import { logRightsChange, textForLog } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import type { Account } from '../users/account.ts'
import { findPrimaryAddress } from './mail-codes.ts'

/** What decides who gets into an account, and is told to its owner when it changes. */
export type SecurityChange =
  | 'email_added'
  | 'email_removed'
  | 'email_replaced'
  | 'ssh_key_added'
  | 'ssh_key_removed'
  | 'gpg_key_added'
  | 'gpg_key_removed'
  | 'password_changed'
  | 'token_added'
  | 'token_removed'
  | 'codes_on'
  | 'codes_off'
  | 'second_factor_off'
  | 'security_key_added'
  | 'security_key_removed'
  | 'recovery_codes_renewed'
  | 'identity_linked'
  | 'identity_unlinked'

/** Who changes something, and from where. */
export interface Trace {
  /** Empty where nobody is signed in. */
  readonly actor: string
  /** What they have shown for it, such as `an access token`. */
  readonly by: string
  /** Of the connection; empty where there is none. */
  readonly address: string
  /** What the program calls itself. */
  readonly client: string
}

/** What is changed on the machine itself. */
export const fromCommandLine: Trace = {
  actor: '',
  by: 'the command line of the server',
  address: '',
  client: '',
}

export interface Changed {
  readonly what: SecurityChange
  /** Such as the title of a key. */
  readonly named?: string | undefined
}

interface Line extends Changed {
  readonly account: string
  readonly trace: Trace
}

/** What is written to the log once the transaction has come to pass. */
const waiting = new WeakMap<Executor, Line[]>()

const MAX_NAMED = 100

function writeLine({ log }: Context, { account, what, named, trace }: Line): void {
  const about = named === undefined ? undefined : textForLog(named, MAX_NAMED)
  const by = trace.actor === '' ? undefined : trace.actor
  logRightsChange(log, what.replaceAll('_', ' '), { account, named: about, by, with: trace.by })
}

/** In an hour for one account: whoever has a token must not flood its owner. */
export const MOST_NEWS = 20

/**
 * Tells the owner, in the transaction that changes it, at the primary address as it is then:
 * whoever replaces that one is told of, too. The last mail of an hour says that more may have
 * changed. Nothing is told of what nobody has asked for, such as the tokens of an account that is
 * made just now.
 */
export async function tellOwner(
  ctx: Context,
  tx: Executor,
  { id, name }: Pick<Account, 'id' | 'name'>,
  changed: Changed | readonly Changed[],
  trace: Trace | undefined,
): Promise<void> {
  if (!trace) return
  const lines = waiting.get(tx) ?? []
  waiting.set(tx, lines)
  for (const { what, named } of [changed].flat()) lines.push({ account: name, what, named, trace })
  if (!ctx.mailer.isSetUp) return
  const primary = await findPrimaryAddress(tx, id)
  if (!primary) return
  for (const { what, named = '' } of [changed].flat()) {
    const count = await ctx.signInLimits.countNews(tx, id)
    if (count > MOST_NEWS) return
    await ctx.jobs.enqueue(tx, 'mail_security', {
      to: primary.address,
      account: name,
      what,
      named,
      trace,
      at: ctx.now(),
      isLast: count === MOST_NEWS,
    })
  }
}

/** A transaction in which owners are told; what it mails goes out once it has come to pass. */
export async function tellingTransaction<T>(
  ctx: Context,
  change: (tx: Executor) => Promise<T>,
): Promise<T> {
  let lines: readonly Line[] = []
  const result = await ctx.db.transaction().execute(async (tx) => {
    const changed = await change(tx)
    lines = waiting.get(tx) ?? []
    return changed
  })
  for (const line of lines) writeLine(ctx, line)
  ctx.jobs.wake()
  return result
}
