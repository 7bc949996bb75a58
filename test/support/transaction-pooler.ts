import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

const READY = 'Z'.charCodeAt(0)
const IDLE = 'I'.charCodeAt(0)
const GOODBYE = 'X'.charCodeAt(0)

/** One connection to PostgreSQL, which serves one client after the other. */
interface Backend {
  readonly socket: Socket
  client: Socket | undefined
}

/**
 * A pooler that gives each transaction the connection that was free last, and knows nothing of
 * named statements.
 */
export async function startTransactionPooler(
  t: TestContext,
  target: NetConnectOpts,
): Promise<number> {
  const free: Backend[] = []
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const backend: Backend = { socket: connect(target), client }
    for (const socket of [client, backend.socket]) sockets.add(socket.on('error', () => undefined))
    // What a client begins with makes a connection, which then is anybody's.
    client.once('data', (start) => {
      backend.socket.write(start)
      client.on('data', (bytes) => pass(bytes, client))
    })
    backend.socket.on('data', (bytes) => answer(bytes, backend))
  })
  let busy = new Map<Socket, Backend>()

  const pass = (bytes: Buffer, client: Socket) => {
    if (bytes[0] === GOODBYE) return void client.end()
    const backend = busy.get(client) ?? free.pop()
    if (!backend) return void client.destroy()
    busy.set(client, backend)
    backend.client = client
    backend.socket.write(bytes)
  }
  const answer = (bytes: Buffer, backend: Backend) => {
    const { client } = backend
    const isOver = bytes.at(-6) === READY && bytes.at(-1) === IDLE
    if (isOver && client) {
      busy.delete(client)
      backend.client = undefined
      free.push(backend)
    }
    client?.write(bytes)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    busy = new Map()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
