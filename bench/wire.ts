import { once } from 'node:events'
import { connect } from 'node:net'

export interface Wire {
  /** Comes back when the answer has, with its status. */
  readonly send: (method: string, path: string, body: string) => Promise<number>
  readonly close: () => void
}

/**
 * Requests over one connection, written out: a library's client takes as long for one as a fast
 * server.
 */
export async function openWire(url: string, headers: Record<string, string>): Promise<Wire> {
  const { hostname, port, host } = new URL(url)
  const socket = connect(Number(port), hostname).setNoDelay(true)
  await once(socket, 'connect')
  const common = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`)
  const send: Wire['send'] = async (method, path, body) => {
    const length = `content-length: ${Buffer.byteLength(body)}`
    socket.write([`${method} ${path} HTTP/1.1`, ...common, length, '', body].join('\r\n'))
    let answer = ''
    while (!isWhole(answer)) answer += String((await once(socket, 'data'))[0])
    return Number(answer.slice(9, 12))
  }
  return { send, close: () => socket.destroy() }
}

function isWhole(answer: string): boolean {
  const [head = '', body] = answer.split('\r\n\r\n', 2)
  const [, length = '0'] = /^content-length: (\d+)/im.exec(head) ?? []
  return body !== undefined && Buffer.byteLength(body) >= Number(length)
}
