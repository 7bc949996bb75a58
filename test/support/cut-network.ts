import { once } from 'node:events'
import {
  connect,
  createServer,
  type AddressInfo,
  type NetConnectOpts,
  type Server,
  type Socket,
} from 'node:net'

/** What stands between a node and its database, and can be cut. */
export class CutNetwork {
  readonly #target: NetConnectOpts
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #server: Server | undefined
  #port = 0
  #isSilent = false
  #breakAt: { readonly words: string; readonly isHeard: boolean } | undefined

  constructor(target: NetConnectOpts) {
    this.#target = target
  }

  /** Can be opened again after a cut, on the same port. */
  async open(): Promise<void> {
    this.#server = createServer((socket) => this.#join(socket))
    this.#server.unref().listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  get port(): number {
    return this.#port
  }

  /** Everybody is told: connections break, and new ones are refused. */
  async close(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (!server) return
    const closed = once(server, 'close')
    server.close()
    this.#breakAll()
    await closed
  }

  /** Nobody is told: nothing arrives any more, in both directions, also on new connections. */
  silence(isSilent: boolean): void {
    this.#isSilent = isSilent
    if (!isSilent) this.#breakAll()
  }

  /**
   * The connection breaks at the next statement with these words; heard or not, nobody gets its
   * answer.
   */
  breakAt(words: string, { isHeard }: { readonly isHeard: boolean }): void {
    this.#breakAt = { words, isHeard }
  }

  #breakAll(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy()
    this.#pairs.clear()
  }

  #join(near: Socket): void {
    const far = connect(this.#target)
    const pair = [near, far] as const
    this.#pairs.add(pair)
    let isLost = false
    const end = () => pair.forEach((socket) => socket.destroy())
    for (const socket of pair)
      socket
        .unref()
        .on('error', () => undefined)
        .on('close', end)
    near.on('data', (chunk) => {
      if (this.#isSilent) return
      const at = this.#breakAt && chunk.includes(this.#breakAt.words) ? this.#breakAt : undefined
      if (at) this.#breakAt = undefined
      isLost ||= at !== undefined
      if (at?.isHeard === false) end()
      else far.write(chunk)
    })
    far.on('data', (chunk) => {
      if (isLost) return end()
      if (!this.#isSilent) near.write(chunk)
    })
  }
}

/** On the way to this URL; gives the one that leads through it. */
export async function openNetwork(
  url: string,
): Promise<{ readonly network: CutNetwork; readonly url: string }> {
  const through = new URL(url)
  const network = new CutNetwork(socketOf(through))
  await network.open()
  through.searchParams.delete('host')
  through.hostname = '127.0.0.1'
  through.port = String(network.port)
  // Written so, no connections of earlier tests are used, nor kept for later ones.
  return { network, url: through.href.replace('/test_', '/%74est_') }
}

/** The PostgreSQL of the tests listens in a folder. */
export function socketOf({ hostname, port, searchParams }: URL): NetConnectOpts {
  const folder = searchParams.get('host')
  return folder ? { path: `${folder}/.s.PGSQL.${port}` } : { host: hostname, port: Number(port) }
}
