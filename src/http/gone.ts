import type { ServerResponse } from 'node:http'

/** Is aborted when nobody waits for the answer any more. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => {
    if (response.writableFinished) return
    const reason = Object.assign(new Error('the client is gone'), { code: 'ECONNRESET' })
    controller.abort(reason)
  })
  return controller.signal
}
