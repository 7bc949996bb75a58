import type { ServerResponse } from 'node:http'
import type { Slots } from '../git/slots.ts'

const LOOK_EVERY_MS = 5_000
/** Who takes less than 16 KiB in a second has a place for little. */
const LEAST_BYTES = 16 * 1024 * (LOOK_EVERY_MS / 1000)

/**
 * Ends an answer that has a place and is taken slowly, once somebody has waited for a place all the
 * time between two looks. What git is slow to make is not the client's fault.
 */
export function giveWayToOthers(places: Slots, response: ServerResponse): void {
  const { socket } = response
  // Whoever calls without a port has none.
  if (!socket?.remoteAddress || socket.bytesWritten === undefined) return
  const delivered = () => socket.bytesWritten - socket.writableLength
  let before = delivered()
  let wasSlow = false
  const timer = setInterval(() => {
    const taken = delivered() - before
    before += taken
    const isSlow = places.areWanted && socket.writableLength > 0 && taken < LEAST_BYTES
    if (isSlow && wasSlow) socket.destroy()
    wasSlow = isSlow
  }, LOOK_EVERY_MS).unref()
  const end = () => clearInterval(timer)
  response.once('finish', end).once('close', end)
}
