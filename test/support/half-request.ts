import { Agent, request, type ClientRequest } from 'node:http'
import { connect } from 'node:net'

/** A request that waits for its second half. */
export interface Half {
  readonly answer: Promise<number>
  readonly finish: () => Promise<number>
}

/**
 * An administrator's call whose body is still on its way when the server has begun to handle it.
 */
export async function sendHalf(url: string, authorization: string): Promise<Half> {
  const body = JSON.stringify({ username: 'bob', email: 'bob@example.org', password: 'password1' })
  const call = request(`${url}/api/v1/admin/users`, {
    method: 'POST',
    // Its connection stays open until the server closes it.
    agent: new Agent({ keepAlive: true }),
    headers: {
      authorization,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  })
  const answer = answerTo(call)
  const begun = new Promise((resolve) => call.once('continue', resolve))
  call.write(body.slice(0, 10))
  await begun
  const finish = () => {
    call.end(body.slice(10))
    return answer
  }
  return { answer, finish }
}

function answerTo(call: ClientRequest): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  call.on('error', reject)
  call.on('response', (response) => {
    response.resume()
    response.on('end', () => resolve(response.statusCode ?? 0))
  })
  // Whoever expects a failure looks at it later.
  promise.catch(() => undefined)
  return promise
}

/** Until nobody listens there any more. */
export async function untilRefused(url: string): Promise<void> {
  const { hostname, port } = new URL(url)
  for (;;) {
    const refused = await new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), hostname)
      socket.once('connect', () => resolve(false)).once('error', () => resolve(true))
      socket.once('connect', () => socket.destroy())
    })
    if (refused) return
  }
}
