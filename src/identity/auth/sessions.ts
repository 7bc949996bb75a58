import { randomBytes } from 'node:crypto'
import type { Context, SignedInCaller } from '../../platform/context.ts'
import type { Executor } from '../../platform/db/database.ts'
import { notFound } from '../../platform/errors.ts'
import type { Account } from '../users/account.ts'
import {
  claimSignIn,
  deleteExpiredSessions,
  deleteOtherSessions,
  deleteSession,
  deleteSessionById,
  deleteSessionsOf,
  findSession,
  insertSession,
  listSessions,
  updateExpiry,
} from './session-queries.ts'

const DAY = 86_400
/** A session ends when nobody has used it for so long. */
const LIFETIME = 30 * DAY
/** So often it is written that a session is used. */
const RENEW_EVERY = DAY
const MAX_AGENT = 255

/**
 * Gives the secret of a new session of the browser that calls itself `agent`; nothing when the
 * account has changed since its password was checked.
 */
export async function startSession(
  ctx: Context,
  account: Account,
  agent: string,
): Promise<string | undefined> {
  const secret = randomBytes(32).toString('base64url')
  const now = ctx.now()
  const isStarted = await ctx.db.transaction().execute(async (tx) => {
    if (!(await claimSignIn(tx, account, now))) return false
    await insertSession(tx, {
      account_id: account.id,
      hash: hashOf(ctx, secret),
      agent: tidied(agent),
      created_at: now,
      expires_at: now + LIFETIME,
    })
    return true
  })
  return isStarted ? secret : undefined
}

/** Browsers say what they like. */
function tidied(agent: string): string {
  return agent.replaceAll(/\p{Cc}/gu, '').slice(0, MAX_AGENT)
}

/** Whose session it is, while the account may be used without further ado. */
export async function callerOfSession(
  ctx: Context,
  secret: string,
): Promise<SignedInCaller | undefined> {
  if (!/^[\w-]{43}$/.test(secret)) return undefined
  const session = await findSession(ctx.db, hashOf(ctx, secret), ctx.now())
  if (!session || !isUsable(session.account)) return undefined
  const { id, account, expiresAt } = session
  const renewed = ctx.now() + LIFETIME
  if (renewed - expiresAt >= RENEW_EVERY) await updateExpiry(ctx.db, id, renewed)
  return { account, credential: { kind: 'session', id }, publicOnly: false }
}

export async function endSession(ctx: Context, secret: string): Promise<void> {
  await deleteSession(ctx.db, hashOf(ctx, secret))
}

/** One browser in which somebody is signed in. */
export interface OpenSession {
  readonly id: number
  /** What the browser called itself when somebody signed in there. */
  readonly agent: string
  readonly createdAt: number
  /** To the day: it is not written more often. */
  readonly lastUsedAt: number
  /** The one that asks. */
  readonly isOwn: boolean
}

/** Those of the caller, the one that was used last first. */
export async function sessionsOf(
  ctx: Context,
  { account, credential }: SignedInCaller,
): Promise<readonly OpenSession[]> {
  const own = credential.kind === 'session' ? credential.id : 0
  return (await listSessions(ctx.db, account.id, ctx.now())).map((session) => ({
    id: session.id,
    agent: session.agent,
    createdAt: session.created_at,
    lastUsedAt: session.expires_at - LIFETIME,
    isOwn: session.id === own,
  }))
}

export async function endSessionById(ctx: Context, account: Account, id: number): Promise<void> {
  if (!(await deleteSessionById(ctx.db, account.id, id))) throw notFound()
}

/** All but the one that asks. */
export async function endOtherSessions({ db }: Context, caller: SignedInCaller): Promise<void> {
  await endOthersIn(db, caller)
}

export async function endOthersIn(
  tx: Executor,
  { account, credential }: SignedInCaller,
): Promise<void> {
  const own = credential.kind === 'session' ? credential.id : 0
  await deleteOtherSessions(tx, account.id, own)
}

export async function endSessionsOf(tx: Executor, accountId: number): Promise<void> {
  await deleteSessionsOf(tx, accountId)
}

/** A scheduled task. */
export async function forgetExpiredSessions({ db, now }: Context): Promise<void> {
  await deleteExpiredSessions(db, now())
}

/** Without further ado: nothing is left to confirm or to change first. */
export function isUsable({ isActive, prohibitLogin, mustChangePassword }: Account): boolean {
  return isActive && !prohibitLogin && !mustChangePassword
}

function hashOf({ secrets }: Context, secret: string): string {
  return secrets.hash('session', secret)
}
