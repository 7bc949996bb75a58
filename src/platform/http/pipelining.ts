import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Requests of one connection that are worked on at once; browsers send the next one after the
 * answer.
 */
const AT_ONCE = 4
/** Of all connections: some thousand fit into what is read from one at a time. */
const MAX_WAITING = 10_000

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** One connection with more requests than are worked on. */
class Queue {
  readonly #socket: Socket
  readonly #waiting: (() => void)[] = []
  readonly #total: { waiting: number }
  #atWork = 0

  constructor(socket: Socket, total: { waiting: number }) {
    this.#socket = socket
    this.#total = total
    // Nobody waits for the answers any more.
    socket.once('close', () => (this.#total.waiting -= this.#waiting.splice(0).length))
  }

  add(response: ServerResponse, begin: () => void): void {
    const work = () => {
      this.#atWork++
      response.once('close', () => this.#next())
      begin()
    }
    if (this.#atWork < AT_ONCE) return work()
    if (this.#total.waiting >= MAX_WAITING) return void this.#socket.destroy()
    this.#total.waiting++
    this.#waiting.push(work)
    this.#socket.pause()
  }

  #next(): void {
    this.#atWork--
    const work = this.#waiting.shift()
    if (work) {
      this.#total.waiting--
      work()
    }
    if (this.#waiting.length === 0 && this.#socket.isPaused()) this.#socket.resume()
  }
}

/**
 * Who sends many requests without waiting for answers has few worked on at a time, and is not
 * listened to meanwhile.
 */
export function limitPipelining(server: Server): void {
  const answers = server.listeners('request') as Answer[]
  const queues = new WeakMap<Socket, Queue>()
  const total = { waiting: 0 }
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    const queue = queues.get(socket) ?? new Queue(socket, total)
    queues.set(socket, queue)
    queue.add(response, () => {
      for (const answer of answers) answer.call(server, request, response)
    })
  })
}
