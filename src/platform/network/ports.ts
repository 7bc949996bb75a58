import { once } from 'node:events'
import { connect, createServer } from 'node:net'

const PATIENCE_MS = 3_000

/** Listens for a moment; throws why that cannot be done. */
export async function tryPort({ host, port }: { host: string; port: number }): Promise<void> {
  const probe = createServer().listen({ host, port })
  await once(probe, 'listening')
  await once(probe.close(), 'close')
}

/** What a server of this machine answers; empty where none does. */
export async function readOverHttp(host: string, port: number, path: string): Promise<string> {
  const name = host.includes(':') ? `[${host}]` : host
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), PATIENCE_MS)
  try {
    return await (await fetch(`http://${name}:${port}${path}`, { signal: late.signal })).text()
  } catch {
    return ''
  } finally {
    clearTimeout(timer)
  }
}

/** What it says to whoever connects; empty where it says nothing. */
export async function readGreeting(host: string, port: number): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect({ host, port, timeout: PATIENCE_MS })
  socket.once('data', (chunk) => resolve(chunk.toString('latin1')))
  for (const end of ['timeout', 'error', 'close']) socket.once(end, () => resolve(''))
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}
