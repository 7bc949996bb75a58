import type { ServerResponse } from 'node:http'

/** There is nobody to answer any more. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone'
  readonly code = 'ECONNRESET'

  constructor() {
    super('the client is gone')
  }
}

/** Whether nobody waits for the answer any more. */
export function isGone({ destroyed, writableFinished }: ServerResponse): boolean {
  return destroyed && !writableFinished
}

/** Is aborted when nobody waits for the answer any more. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  const end = () => !response.writableFinished && controller.abort(new ClientGone())
  if (isGone(response)) end()
  else response.once('close', end)
  return controller.signal
}
