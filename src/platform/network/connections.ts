import type { IncomingMessage, Server } from 'node:http'
import { Socket } from 'node:net'
import type { Config } from '../config/config.ts'
import { kindOfAddress, plainAddress } from './ranges.ts'
import { trustedProxies } from './trusted-proxies.ts'

type Limits = Pick<Config['server'], 'connections_per_address' | 'trusted_proxies'>

/**
 * Nobody holds all connections; proxies, which stand for many and are often on the same machine,
 * are not counted.
 */
export function limitConnections(server: Server, limits: Limits): void {
  const { connections_per_address: limit } = limits
  if (limit === 0) return
  const isProxy = trustedProxies(limits.trusted_proxies)
  const open = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '') ?? ''
    if (kindOfAddress(address) === 'loopback' || isProxy(address)) return
    const count = (open.get(address) ?? 0) + 1
    if (count > limit) return void socket.destroy()
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 0) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}

/**
 * Gives what hangs up where nothing was ever asked: browsers open connections ahead, and Node waits
 * for their first request.
 */
export function watchSilent(server: Server): () => void {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}

/** Whoever has sent all of a request waits for as long as the answer takes. */
export function allowSilenceAfter(request: IncomingMessage): void {
  const { socket } = request
  // Whoever calls without a port has none.
  const allow = () => void (socket instanceof Socket && socket.setTimeout(0))
  if (request.readableEnded) allow()
  else request.once('end', allow)
}
