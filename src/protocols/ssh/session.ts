import { isDeployKey } from '../../identity/keys/public-keys.ts'
import type { Connection, ExecInfo, ServerChannel, Session } from 'ssh2'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { findKeyHolder } from '../../identity/keys/sign-in.ts'
import type { Guard } from '../../platform/network/guard.ts'
import type { Principal } from './admit.ts'
import { parseCommand } from './command.ts'
import type { SshLog } from './log.ts'
import { serve, type Places } from './serve.ts'

/** A channel on which one command is run. */
export interface Opened {
  readonly connection: Connection
  readonly session: Session
  readonly principal: Principal
  readonly guard: Guard
  readonly log: SshLog
  readonly track: (work: Promise<void>) => void
}

/**
 * What the library calls to grant a request; of one that no answer is wanted for, there is nothing
 * to refuse it with.
 */
type Accept = () => ServerChannel | undefined
type Reject = (() => void) | undefined

/** Runs the command of one session; no terminal, no shell, no forwarding, no other subsystem. */
export function addCommands(ctx: Context, places: Places, opened: Opened): void {
  const { session, principal, guard, log, track } = opened
  let protocol: string | undefined
  session.on('env', (accept, _reject, { key, val }) => {
    if (key === 'GIT_PROTOCOL' && /^version=[0-2]$/.test(val)) protocol = val
    accept?.()
  })
  const begin = (accept: Accept, reject: Reject, noteEnd: NoteEnd, work: Work) => {
    const channel = accept()
    if (channel) track(finish(ctx, channel, noteEnd, work))
    else refuseSecond(opened, reject)
  }
  const { fingerprint } = principal
  const execute = guard.around((accept: Accept, reject: Reject, { command }: ExecInfo) => {
    const known = parseCommand(command)
    const noteEnd = log.command(fingerprint, command, known)
    begin(accept, reject, noteEnd, async (channel, signal) => {
      if (!known) throw new AppError('bad_request', 'There is no such command.')
      const talk = { input: channel, output: channel, protocol, signal }
      await serve(ctx, places, principal, known, talk)
    })
  })
  const greetThere = guard.around((accept: Accept, reject: Reject) =>
    begin(accept, reject, log.command(fingerprint, 'shell', undefined), async (channel) =>
      greet(ctx, channel, principal),
    ),
  )
  session.on('exec', execute)
  session.on('shell', greetThere)
}

/**
 * A session has one command (RFC 4254, 6.5). The library grants no second one, but does not answer
 * to it either.
 */
function refuseSecond({ connection, session }: Opened, reject: Reject): void {
  if (!reject) return
  const { _protocol: protocol } = connection as unknown as Inside
  const { _chanInfo: channel } = session as unknown as SessionInside
  protocol.channelFailure(channel.outgoing.id)
}

/** What the library keeps to itself. */
interface Inside {
  readonly _protocol: { readonly channelFailure: (channel: number) => void }
}

interface SessionInside {
  readonly _chanInfo: { readonly outgoing: { readonly id: number } }
}

type Work = (channel: ServerChannel, signal: AbortSignal) => Promise<void>
type NoteEnd = (error?: unknown, isGone?: boolean) => void

/** Says how it went, and ends the channel. */
async function finish(
  ctx: Context,
  channel: ServerChannel,
  noteEnd: NoteEnd,
  work: Work,
): Promise<void> {
  const gone = new AbortController()
  channel.once('close', () => gone.abort())
  channel.on('error', () => undefined)
  let code = 0
  try {
    await work(channel, gone.signal)
    noteEnd()
  } catch (error) {
    code = 1
    noteEnd(error, gone.signal.aborted)
    if (!gone.signal.aborted) channel.stderr.write(`codestead: ${told(ctx, error)}\n`)
  }
  if (channel.destroyed) return
  channel.exit(code)
  channel.end()
}

function told(ctx: Context, error: unknown): string {
  if (error instanceof AppError) return error.message
  ctx.log.error({ err: error }, 'command over SSH failed')
  return 'Something went wrong here.'
}

async function greet(
  ctx: Context,
  channel: ServerChannel,
  { fingerprint }: Principal,
): Promise<void> {
  const holder = await findKeyHolder(ctx, fingerprint)
  const who = holder
    ? `, ${holder.account.name}! You have signed in with the key ${holder.key.title}`
    : '! You have signed in with a deploy key'
  if (!holder && !(await isDeployKey(ctx.db, fingerprint))) {
    throw new AppError('unauthenticated', 'The key is gone.')
  }
  channel.write(`Hi there${who}, but there is no shell here.\r\n`)
}

/** Ends connections on which nothing happens. */
export function endWhenIdle(connection: Connection, seconds: number, guard: Guard) {
  let running = 0
  const end = guard.around(() => connection.end())
  let timer = setTimeout(end, seconds * 1000)
  connection.once('close', () => clearTimeout(timer))
  return (work: Promise<void>) => {
    running++
    clearTimeout(timer)
    void work.finally(() => {
      running--
      if (running === 0) timer = setTimeout(end, seconds * 1000)
    })
  }
}
