import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Context } from '../context.ts'

type Log = Pick<Context['log'], 'error'>

/** What goes wrong in a handler ends the connection that it works for, and nothing else. */
export class Guard {
  readonly #log: Log
  readonly #end: () => void

  constructor(log: Log, end: () => void) {
    this.#log = log
    this.#end = end
  }

  /** A handler that throws nothing, neither now nor by its promise. */
  around<Values extends unknown[]>(
    handler: (...values: Values) => unknown,
  ): (...values: Values) => void {
    return (...values) => {
      try {
        const work = handler(...values)
        if (work instanceof Promise) work.catch((error: unknown) => this.fail(error))
      } catch (error) {
        this.fail(error)
      }
    }
  }

  fail(error: unknown): void {
    this.#log.error({ err: error }, 'a connection was ended for a fault')
    try {
      this.#end()
    } catch (again) {
      this.#log.error({ err: again }, 'a connection could not be ended')
    }
  }
}

/**
 * Node hands what a listener of the server throws to nobody: the process would end with all
 * connections.
 */
export function guardServer(server: Server, log: Log): void {
  const emit = server.emit.bind(server) as (...values: unknown[]) => boolean
  server.emit = (...values: unknown[]): boolean => {
    const socket = values.map(socketOf).find((found) => found !== undefined)
    if (!socket) return emit(...values)
    let isHeard = true
    new Guard(log, () => socket.destroy()).around(() => (isHeard = emit(...values)))()
    return isHeard
  }
}

/** Events of a server come with a connection, or with a request on one. */
function socketOf(value: unknown): Socket | undefined {
  if (value instanceof Socket) return value
  const { socket } = (value ?? {}) as Partial<IncomingMessage | ServerResponse>
  return socket instanceof Socket ? socket : undefined
}
