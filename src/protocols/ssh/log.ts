import type { Socket } from 'node:net'
import { addressForLog, logFailedSignIn, nameForLog, textForLog } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import type { Command } from './command.ts'

const MAX_COMMAND = 200

/** Writes the lines of one connection. What is said of its bytes includes the encryption. */
export class SshLog {
  readonly #ctx: Context
  readonly #socket: Socket
  readonly #address: string
  readonly #startedAt = performance.now()
  /** By these names and with these keys somebody tried to sign in, and was refused. */
  readonly #refused: { readonly name: string; readonly reason: string }[] = []
  #isSignedIn = false
  #account: string | undefined

  constructor(ctx: Context, socket: Socket) {
    this.#ctx = ctx
    this.#socket = socket
    this.#address = addressForLog(socket.remoteAddress ?? '')
  }

  opened(): void {
    this.#info({}, 'ssh connection')
    this.#socket.once('close', () => this.#closed())
  }

  /** It was not even listened to. */
  turnedAway(reason: string): void {
    this.#info({ reason }, 'ssh connection refused')
  }

  /**
   * Clients offer one key after the other: that one of them is not known is no failed sign-in yet.
   */
  keyRefused(name: string, reason: string, key?: string): void {
    if (this.#isSignedIn) return
    this.#refused.push({ name, reason })
    this.#info({ key, reason, name: nameForLog(name) }, 'ssh key refused')
  }

  signedIn(key: string, account: string | undefined): void {
    this.#isSignedIn = true
    this.#account = account
    this.#info({ key, account }, 'signed in over ssh')
  }

  /** To be called when a command begins; gives what writes its line when it has ended. */
  command(key: string, text: string, command: Command | undefined) {
    const { bytesRead, bytesWritten } = this.#socket
    const startedAt = performance.now()
    return (error?: unknown, isGone = false): void =>
      this.#info(
        {
          account: this.#account,
          key,
          command: command?.kind ?? textForLog(text, MAX_COMMAND),
          repository: command && nameOf(command),
          outcome: isGone ? 'client gone' : outcomeOf(error),
          ms: millisecondsSince(startedAt),
          bytes: this.#socket.bytesWritten - bytesWritten,
          received: this.#socket.bytesRead - bytesRead,
        },
        'ssh command',
      )
  }

  #closed(): void {
    const last = this.#refused.at(-1)
    if (last && !this.#isSignedIn) {
      const failed = { ...last, address: this.#address, by: 'ssh key' } as const
      logFailedSignIn(this.#ctx.log, failed, { tries: this.#refused.length })
    }
    const { bytesRead: received, bytesWritten: bytes } = this.#socket
    const ms = millisecondsSince(this.#startedAt)
    this.#info({ account: this.#account, ms, bytes, received }, 'ssh connection closed')
  }

  #info(fields: Readonly<Record<string, unknown>>, message: string): void {
    if (!this.#ctx.config.log.requests) return
    this.#ctx.log.info({ address: this.#address, ...fields }, message)
  }
}

function nameOf({ path: { owner, repo, part } }: Command): string {
  return textForLog(`${owner}/${repo}${part === 'wiki' ? '.wiki' : ''}`, MAX_COMMAND)
}

function outcomeOf(error: unknown): string {
  if (error === undefined) return 'done'
  return error instanceof AppError ? error.code : 'failed'
}

function millisecondsSince(start: number): number {
  return Math.round((performance.now() - start) * 10) / 10
}
