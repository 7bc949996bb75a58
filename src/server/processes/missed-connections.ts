import type { EventEmitter } from 'node:events'
import type { FastifyBaseLogger as Logger } from 'fastify'

/** Until then somebody else may take it, or a descriptor may be free. */
const PAUSE_MS = 100

/** What node:cluster says to a worker about a connection that comes with it. */
interface Handed {
  readonly cmd: string
  readonly msg?: { readonly seq: number }
}

/**
 * A connection that is handed to a worker without a descriptor for it does not arrive. node:cluster
 * waits for an answer to it for ever, and hands that worker no other one: so we answer that it was
 * not accepted, and it is handed to the next.
 */
export function giveBackMissedConnections(log: Logger): void {
  let isShort = false
  const messages: EventEmitter = process
  messages.on('internalMessage', ({ cmd, msg }: Handed, handle: unknown) => {
    if (cmd !== 'NODE_HANDLE') return
    if (!handle && !isShort) log.error('no descriptor is left for a connection')
    isShort = !handle
    if (isShort && msg) setTimeout(refuse, PAUSE_MS, msg.seq)
  })
}

function refuse(seq: number): void {
  if (!process.connected) return
  const answer = { cmd: 'NODE_CLUSTER', ack: seq, accepted: false }
  process.send?.(answer, undefined, undefined, () => undefined)
}
