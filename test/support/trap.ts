import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * A listener on every address of this machine, to which nothing that a stranger names may lead the
 * server.
 */
export interface Trap {
  readonly port: number
  /** What was said by those who came. */
  readonly caught: () => readonly string[]
  readonly close: () => void
}

export async function setTrap(): Promise<Trap> {
  const caught: string[] = []
  const server = createServer((stream) => {
    const place = caught.push('nothing') - 1
    stream.on('error', () => undefined)
    stream.once('data', (said) => {
      caught[place] = said.toString('latin1', 0, 200)
      stream.destroy()
    })
  })
  server.listen(0)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, caught: () => caught, close: () => server.close() }
}

/** Ways to write where a trap is. */
export function addressesOf(port: number | string): readonly string[] {
  const hosts = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', '2130706433', ...ownAddresses()]
  return [
    ...hosts.map((host) => `http://${host}:${port}/x.git`),
    `git://127.0.0.1:${port}/x.git`,
    `ssh://git@127.0.0.1:${port}/x.git`,
    `https://127.0.0.1:${port}/`,
  ]
}

function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return all
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
}
