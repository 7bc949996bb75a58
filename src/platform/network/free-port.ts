import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

export async function findFreePort(host: string): Promise<number> {
  const probe = createServer().listen({ host, port: 0 })
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await once(probe.close(), 'close')
  return port
}
