import { once } from 'node:events'
import { globSync } from 'node:fs'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { ConfigChanges } from '../../../src/platform/config/config.ts'
import { MARK } from '../../../src/platform/storage/mark.ts'
import { filesFolder } from '../../../src/platform/storage/open-storage.ts'
import { startWithRelease, type ReleaseSetup } from '../../delivery/release-attachments/setup.ts'
import type { TestApp } from '../../support/app.ts'

export const OCTETS = { 'content-type': 'application/octet-stream' }

export interface Listening extends ReleaseSetup {
  readonly open: (
    path: string,
    headers: Record<string, string | number>,
    method?: string,
  ) => ClientRequest
}

/** A server with a release and a port, for clients that misbehave. */
export async function listen(t: TestContext, changes: ConfigChanges = {}): Promise<Listening> {
  const setup = await startWithRelease(t, changes)
  await setup.app.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = setup.app.server.server.address() as AddressInfo
  const open = (path: string, headers: Record<string, string | number>, method = 'POST') => {
    const sent = request(`http://127.0.0.1:${port}/api/v1${path}`, { method, headers })
    sent.on('error', () => undefined)
    return sent
  }
  return { ...setup, open }
}

/** Everything that lies in the folder of files but its mark, also what is not finished. */
export function filesOnDisk({ ctx }: TestApp): readonly string[] {
  const entries = globSync('**/*', { cwd: filesFolder(ctx.config), withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  return names.filter((name) => name !== MARK)
}

export interface Sent {
  readonly body: Buffer
  readonly headers: object
  /** The files of the release, unless given. */
  readonly place?: string
}

/** Sends a part of a body and hangs up, once the server has begun to read it. */
export async function cutOff(
  { app, ann, assets, open }: Listening,
  { body, headers, place = assets }: Sent,
  length: number,
): Promise<void> {
  const all = { ...ann.headers, ...headers, 'content-length': body.length }
  const sent = open(`${place}?name=x.txt`, all)
  const seen = once(app.server.server, 'request') as Promise<[IncomingMessage]>
  sent.flushHeaders()
  const [incoming] = await seen
  if (length > 0) await new Promise((resolve) => sent.write(body.subarray(0, length), resolve))
  sent.destroy()
  if (!incoming.destroyed) await new Promise((resolve) => incoming.once('close', resolve))
}

/** Hangs up at each tenth of what is sent. */
export async function cutOffEverywhere(setup: Listening, sent: Sent): Promise<void> {
  for (let tenth = 0; tenth < 10; tenth++)
    await cutOff(setup, sent, Math.floor((sent.body.length / 10) * tenth))
  await cutOff(setup, sent, sent.body.length - 1)
}
