import type { Connection, ServerChannel, Session } from 'ssh2'
import type { Context } from '../context.ts'
import { isDeployKey } from '../deploy-keys/open.ts'
import { AppError } from '../errors.ts'
import type { Slots } from '../git/slots.ts'
import { findKeyHolder } from '../keys/sign-in.ts'
import type { Principal } from './admit.ts'
import { parseCommand } from './command.ts'
import { serve } from './serve.ts'

/** Runs the commands of one session; no terminal, no shell, no forwarding, no other subsystem. */
export function addCommands(
  ctx: Context,
  slots: Slots,
  session: Session,
  principal: Principal,
  track: (work: Promise<void>) => void,
): void {
  let protocol: string | undefined
  session.on('env', (accept, _reject, { key, val }) => {
    if (key === 'GIT_PROTOCOL' && /^version=[0-2]$/.test(val)) protocol = val
    accept?.()
  })
  session.on('exec', (accept, _reject, { command }) => {
    const channel = accept()
    track(
      finish(ctx, channel, async (signal) => {
        const known = parseCommand(command)
        if (!known) throw new AppError('bad_request', 'There is no such command.')
        const talk = { input: channel, output: channel, protocol, signal }
        await serve(ctx, slots, principal, known, talk)
      }),
    )
  })
  session.on('shell', (accept) => {
    const channel = accept()
    track(finish(ctx, channel, async () => greet(ctx, channel, principal)))
  })
}

/** Says how it went, and ends the channel. */
async function finish(
  ctx: Context,
  channel: ServerChannel,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const gone = new AbortController()
  channel.once('close', () => gone.abort())
  channel.on('error', () => undefined)
  let code = 0
  try {
    await work(gone.signal)
  } catch (error) {
    code = 1
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
export function endWhenIdle(connection: Connection, seconds: number) {
  let running = 0
  const end = () => void connection.end()
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
