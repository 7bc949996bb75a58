import type { ServerResponse } from 'node:http'
import { giveWayToOthers } from '../git/give-way-to-others.ts'
import type { Slots } from '../git/slots.ts'

/** Ends the connection of an answer that is taken slowly while others wait for its place. */
export function answerGivesWay(places: Slots, response: ServerResponse): void {
  const { socket } = response
  // Whoever calls without a port has none.
  if (!socket?.remoteAddress || socket.bytesWritten === undefined) return
  const stop = giveWayToOthers(places, {
    delivered: () => socket.bytesWritten - socket.writableLength,
    isHeldUp: () => socket.writableLength > 0,
    end: () => socket.destroy(),
  })
  response.once('finish', stop).once('close', stop)
}
