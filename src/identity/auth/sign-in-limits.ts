import type { FastifyBaseLogger as Logger } from 'fastify'
import { logFailedSignIn, logRightsChange, type PresentedKind } from '../../platform/audit.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database, Executor } from '../../platform/db/database.ts'
import { AppError } from '../../platform/errors.ts'
import { networkOf } from '../../platform/network/ranges.ts'
import {
  countFailure,
  deleteFailures,
  deleteOldAddresses,
  deleteOldFailures,
  findFailures,
  isKnownAddress,
  noteKnownAddress,
} from './queries.ts'
import type { Secrets } from './secrets.ts'
import { Tries, type Try } from './tries.ts'

/** Of what accounts may do in an hour; counted in the same table. */
export const BUDGET_SECONDS = 3_600
const KNOWN_FOR_SECONDS = 90 * 86_400
const MAX_NOTED = 10_000

interface AccountName {
  readonly id: number
  readonly name: string
}

/** A try to sign in: from where, and by what name. */
export interface SignIn {
  readonly address: string
  readonly name: string
  /** Absent where nobody is called so. */
  readonly accountId: number | undefined
  /** What is tried. */
  readonly by: PresentedKind
}

/**
 * Counts wrong passwords by address and by account, in the database that all nodes share, and
 * refuses further tries before anything is hashed. Where an account has signed in from before,
 * strangers cannot lock it out.
 */
export class SignInLimits {
  readonly #config: Config
  readonly #db: Database
  readonly #secrets: Secrets
  readonly #log: Logger
  readonly #now: () => number
  readonly #tries: Tries
  /** What this process has noted already, so that each sign-in does not write. */
  readonly #noted = new Set<string>()

  constructor(config: Config, db: Database, secrets: Secrets, log: Logger, now: () => number) {
    this.#config = config
    this.#db = db
    this.#secrets = secrets
    this.#log = log
    this.#now = now
    this.#tries = new Tries(db, now)
  }

  /**
   * Makes a try, counted before it is made: what it finds, or nothing where it was wrong. Only a
   * wrong one stays counted. Throws where there are no more, before anything is looked at. `reason`
   * says in the log what was wrong.
   */
  async trying<T>(
    signIn: SignIn,
    check: () => Promise<T | undefined>,
    reason = () => `wrong ${signIn.by}`,
  ): Promise<T | undefined> {
    const tries = await this.#takeTries(signIn).catch((error: unknown) => {
      const isRefused = error instanceof AppError && error.code === 'too_many_requests'
      if (isRefused) this.#logFailed(signIn, 'too many tries')
      throw error
    })
    let wasRight = true
    try {
      const found = await check()
      wasRight = found !== undefined
      if (!wasRight) this.#logFailed(signIn, reason())
      return found
    } finally {
      for (const taken of tries) await this.#tries.end(taken, { wasRight })
    }
  }

  #logFailed({ address, name, by }: SignIn, reason: string): void {
    logFailedSignIn(this.#log, { address, name, by, reason })
  }

  /** Of the address first, then of the account, so that two never wait for each other. */
  async #takeTries(signIn: SignIn): Promise<readonly Try[]> {
    const { security } = this.#config
    const address = this.#address(signIn)
    const ofAddress = { allowed: security.failures_per_address, window: security.address_window }
    const ofAccount = { allowed: security.failures_per_account, window: security.account_window }
    const first = await this.#tries.take(address, ofAddress)
    if (typeof first === 'number') throw tooMany(first)
    let second: Try | number
    try {
      second = await this.#tries.take(this.#account(signIn), ofAccount)
      if (typeof second !== 'number') return [second, first]
      if (await isKnownAddress(this.#db, signIn.accountId ?? 0, address)) return [first]
    } catch (error) {
      await this.#tries.end(first, { wasRight: true })
      throw error
    }
    await this.#tries.end(first, { wasRight: true })
    throw tooMany(second)
  }

  /**
   * For a mail that anybody may ask for, by the address that it goes to: neither it nor a network
   * is flooded.
   */
  async countAsk({ address, name }: Pick<SignIn, 'address' | 'name'>): Promise<void> {
    const { failures_per_address: allowed, address_window: window } = this.#config.security
    const subject = `address ${networkOf(address)}`
    const wait = await this.#spend(this.#db, subject, { allowed, window })
    if (wait > 0) throw tooMany(wait)
    const waitForMail = await this.#spendMail(this.#db, `to ${name.toLowerCase()}`)
    if (waitForMail > 0) throw tooMany(waitForMail)
  }

  /**
   * Whether a mail that an account causes is sent: not too many from one account, nor to one
   * address.
   */
  async mayMail(tx: Executor, { from, to }: { from: number; to: string }): Promise<boolean> {
    const waits = [
      await this.#spendMail(tx, `from ${from}`),
      await this.#spendMail(tx, `to ${to.toLowerCase()}`),
    ]
    return waits.every((wait) => wait <= 0)
  }

  /**
   * For a mail that goes elsewhere than to the address that was typed: each address has one count.
   */
  async mayMailTo(tx: Executor, address: string): Promise<boolean> {
    return (await this.#spendMail(tx, `to ${address.toLowerCase()}`)) <= 0
  }

  /** How many mails about its security an account has caused in this hour, with this one. */
  async countNews(tx: Executor, accountId: number): Promise<number> {
    const subject = this.#secrets.hash('mail-ask', `security ${accountId}`)
    return (await countFailure(tx, subject, this.#now(), BUDGET_SECONDS)).failures
  }

  async #spendMail(db: Executor, subject: string): Promise<number> {
    const allowed = this.#config.mail.codes_per_hour
    return this.#spend(db, subject, { allowed, window: BUDGET_SECONDS })
  }

  /** How long to wait when that was too much. */
  async #spend(
    db: Executor,
    subject: string,
    { allowed, window }: { allowed: number; window: number },
  ): Promise<number> {
    const hash = this.#secrets.hash('mail-ask', subject)
    const { failures, window_start } = await countFailure(db, hash, this.#now(), window)
    return failures > allowed ? window_start + window - this.#now() : 0
  }

  async noteSuccess(signIn: Pick<SignIn, 'address'>, accountId: number): Promise<void> {
    const address = this.#address(signIn)
    const key = `${accountId} ${address}`
    if (this.#noted.has(key)) return
    await noteKnownAddress(this.#db, accountId, address, this.#now())
    if (this.#noted.size >= MAX_NOTED) this.#noted.clear()
    this.#noted.add(key)
  }

  /** Until when nobody signs in to the account from an address that is new to it. */
  async blockedUntil({ id, name }: AccountName): Promise<number | undefined> {
    const { failures_per_account: allowed, account_window: window } = this.#config.security
    const found = await findFailures(this.#db, this.#account({ accountId: id, name }))
    const until = (found?.window_start ?? 0) + window
    return found && found.failures >= allowed && until > this.#now() ? until : undefined
  }

  /** Forgets the wrong passwords of an account; false where there were none. */
  async unblock({ id, name }: AccountName): Promise<boolean> {
    const wasCounted = await deleteFailures(this.#db, this.#account({ accountId: id, name }))
    logRightsChange(this.#log, 'account unblocked', { account: name })
    return wasCounted
  }

  /** A scheduled task: what no longer counts is deleted. */
  async forgetOld(): Promise<void> {
    const { address_window, account_window } = this.#config.security
    await deleteOldFailures(
      this.#db,
      this.#now() - Math.max(address_window, account_window, BUDGET_SECONDS),
    )
    await deleteOldAddresses(this.#db, this.#now() - KNOWN_FOR_SECONDS)
    this.#noted.clear()
  }

  #address({ address }: Pick<SignIn, 'address'>): string {
    return this.#secrets.hash('sign-in', `address ${networkOf(address)}`)
  }

  /** One count for an account, by whichever of its names and addresses it is called. */
  #account({ name, accountId }: Pick<SignIn, 'name' | 'accountId'>): string {
    const who =
      accountId === undefined ? `account ${name.toLowerCase()}` : `account id ${accountId}`
    return this.#secrets.hash('sign-in', who)
  }
}

export function tooMany(seconds: number): AppError {
  return new AppError('too_many_requests', 'too many requests', { retryAfter: seconds })
}
