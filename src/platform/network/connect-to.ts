import { connect, type Socket } from 'node:net'

/**
 * For a library that would open it itself: it is among `sockets` while it is open, and can be
 * ended.
 */
export function connectTo(
  place: { readonly host: string; readonly port: number; readonly timeout: number },
  sockets: Set<Socket>,
  done: (error: Error | null, socket?: Socket) => void,
): void {
  const socket = connect(place)
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  const giveUp = () => socket.destroy(new Error('the connection timed out'))
  socket.once('timeout', giveUp)
  let isConnected = false
  // Stays: what goes wrong between two listeners of the library is nobody's otherwise.
  socket.on('error', (error) => {
    if (!isConnected) done(error)
  })
  socket.once('connect', () => {
    isConnected = true
    socket.off('timeout', giveUp)
    done(null, socket)
  })
}
