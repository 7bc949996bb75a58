import { PassThrough, type Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../../platform/context.ts'
import type { ObjectFormat } from '../../platform/db/columns.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import { giveWayToOthers } from '../../platform/git/give-way-to-others.ts'
import { measurePack } from '../../platform/git/large-pack.ts'
import { readPushHead, type PushHead } from '../../platform/git/pkt-line.ts'
import { advertiseRefs, converseWith } from '../../platform/git/serve.ts'
import type { Slots } from '../../platform/git/slots.ts'
import { lfsUrl } from '../../code/lfs/present.ts'
import { TICKET_SECONDS, writeTicket } from '../../code/lfs/ticket.ts'
import { receivePush, type Push } from '../../code/pushes/receive.ts'
import { folderToRead, folderToWrite } from '../../code/pushes/rules.ts'
import { takersOf } from '../../platform/http/client.ts'
import { bytesOf } from '../../platform/storage/bytes.ts'
import { admit, readmitPush, type Admitted, type Principal } from './admit.ts'
import type { Command } from './command.ts'
import { Spoken } from './spoken.ts'

/** What a command talks to. */
export interface Talk {
  readonly input: Readable
  readonly output: Writable
  /** Asked for by the client: `version=2` and the like. */
  readonly protocol: string | undefined
  /** Says that nobody is there any more. */
  readonly signal: AbortSignal
}

/** For those who fetch, and for those who push. */
export interface Places {
  readonly fetching: Slots
  readonly pushing: Slots
}

/** Does what a client asks for, with the rights of its key. */
export async function serve(
  ctx: Context,
  { fetching, pushing }: Places,
  principal: Principal,
  command: Command,
  talk: Talk,
): Promise<void> {
  if (command.kind === 'lfs-authenticate') return authenticateLfs(ctx, principal, command, talk)
  if (command.kind === 'receive-pack') return serveReceive(ctx, pushing, principal, command, talk)
  const { kind, path } = command
  const { caller, view, part } = await admit(ctx, principal, path, 'read')
  const leave = await fetching.take(talk.signal, takersOf(caller, '', view.repo))
  try {
    const folder = await folderToRead(ctx, view.repo, part)
    await givingWay(fetching, talk, (input, signal) =>
      converseWith(ctx.git, folder, kind, input, { protocol: talk.protocol, signal }),
    )
  } finally {
    leave()
  }
}

type Converse = (input: AsyncIterable<Uint8Array>, signal: AbortSignal) => AsyncIterable<Uint8Array>

/** Who takes the answer slowly, or says nothing, loses the place to those who wait for one. */
async function givingWay(places: Slots, talk: Talk, converse: Converse): Promise<void> {
  const spoken = new Spoken(talk.output)
  const signal = AbortSignal.any([talk.signal, spoken.signal])
  const stop = giveWayToOthers(places, spoken)
  try {
    const answer = converse(spoken.heard(bytesOf(talk.input)), signal)
    await writeAll(talk.output, spoken.said(answer), signal)
    spoken.signal.throwIfAborted()
  } catch (error) {
    if (!spoken.signal.aborted) throw error
    throw new AppError('unavailable', 'Others wait, and this is taken too slowly. Try again later.')
  } finally {
    stop()
  }
}

/**
 * A pipeline would wait for a client that does not read, also when it is aborted. There are many
 * pieces, so that they share their listeners.
 */
async function writeAll(
  output: Writable,
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  let goOn = () => {}
  const wake = () => goOn()
  const events = ['drain', 'close', 'error']
  for (const event of events) output.on(event, wake)
  signal.addEventListener('abort', wake)
  try {
    for await (const piece of pieces) {
      const isTaken = output.write(piece)
      if (!isTaken && !signal.aborted && !output.destroyed) {
        await new Promise<void>((resolve) => (goOn = resolve))
      }
      signal.throwIfAborted()
      if (output.destroyed) return
    }
  } finally {
    for (const event of events) output.off(event, wake)
    signal.removeEventListener('abort', wake)
  }
}

/** As over HTTP: the refs first, then the push as one body. What is said in between is the same. */
async function serveReceive(
  ctx: Context,
  pushing: Slots,
  principal: Principal,
  { path }: Command,
  talk: Talk,
): Promise<void> {
  const admitted = await admit(ctx, principal, path, 'write')
  const { caller, view, part } = admitted
  const folder = await folderToWrite(ctx, view.repo, part)
  const { objectFormat } = view.repo
  const telling = { protocol: undefined, signal: talk.signal, objectFormat }
  await say(talk, advertiseRefs(ctx.git, folder, 'git-receive-pack', telling))
  const head = await readPushHead(bytesOf(talk.input))
  if (head.updates.length === 0) return
  const leave = await pushing.take(talk.signal, takersOf(caller, '', view.repo))
  try {
    const output = new PassThrough()
    const push = receivePush(ctx, caller, admitted, {
      ...(await withMeasure(head, view.repo.objectFormat)),
      output,
      signal: talk.signal,
      recheck: () => readmitPush(ctx, principal, admitted),
    })
    await Promise.all([push, pipeline(output, talk.output, { end: false }).catch(() => undefined)])
  } finally {
    leave()
  }
}

/** Where refs are only deleted, there is no pack. */
async function withMeasure(
  head: PushHead,
  format: ObjectFormat,
): Promise<Pick<Push, 'head' | 'isLarge'>> {
  if (head.updates.every(({ after }) => after === undefined)) return { head, isLarge: false }
  const { body, isLarge } = await measurePack(head.body, format)
  return { head: { ...head, body }, isLarge }
}

async function authenticateLfs(
  ctx: Context,
  principal: Principal,
  { path, operation }: Extract<Command, { kind: 'lfs-authenticate' }>,
  { output }: Talk,
): Promise<void> {
  if (!ctx.config.lfs.enabled) throw notFound('Git LFS is not served here')
  const admitted = await admit(ctx, principal, path, operation === 'upload' ? 'write' : 'read')
  const ticket = writeTicket(ctx, ticketFor(ctx, principal, admitted, operation))
  const answer = {
    href: lfsUrl(ctx.config, admitted.view),
    header: { Authorization: `Bearer ${ticket}` },
    expires_in: TICKET_SECONDS,
  }
  output.write(`${JSON.stringify(answer)}\n`)
}

function ticketFor(
  ctx: Context,
  { fingerprint }: Principal,
  { caller, view, deployKeyId }: Admitted,
  operation: 'download' | 'upload',
) {
  return {
    repositoryId: view.repo.id,
    operation,
    accountId: caller.account.id,
    deployKeyId,
    fingerprint,
    until: ctx.now() + TICKET_SECONDS,
  }
}

async function say({ output }: Talk, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(chunks, output, { end: false })
}
