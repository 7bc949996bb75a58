import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { trustedProxies } from '../network/trusted-proxies.ts'

const ID = /^[\w.:+/=@-]{1,128}$/
/** As W3C Trace Context has it; version ff and ids of zeros are none. */
const TRACE = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

const traces = new WeakMap<IncomingMessage, string>()

/**
 * The id of a request: that of a trusted proxy, so that its log and ours can be joined, or a new
 * one.
 */
export function requestIds(proxies: readonly string[]): (request: IncomingMessage) => string {
  if (proxies.length === 0) return () => randomUUID()
  const isProxy = trustedProxies(proxies)
  return (request) => {
    if (!isProxy(request.socket.remoteAddress ?? '')) return randomUUID()
    const { 'x-request-id': id, traceparent } = request.headers
    const [, trace] = TRACE.exec(String(traceparent)) ?? []
    if (trace !== undefined) traces.set(request, trace)
    return typeof id === 'string' && ID.test(id) ? id : randomUUID()
  }
}

/** The trace that a trusted proxy names. */
export function traceOfRequest(request: IncomingMessage): string | undefined {
  return traces.get(request)
}
