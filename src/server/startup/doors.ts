import { ConfigError, type Config } from '../../platform/config/config.ts'
import { readGreeting, readOverHttp, tryPort } from '../../platform/network/ports.ts'

/** Where a server listens, and the settings that say so. */
interface Door {
  readonly host: string
  readonly port: number
  readonly hostSetting: string
  readonly portSetting: string
}

export function httpDoor({ server: { host, port } }: Config): Door {
  return { host, port, hostSetting: 'server.host', portSetting: 'server.port' }
}

export function sshDoor({ ssh, server }: Config): Door {
  const hasOwnHost = ssh.listen_host !== ''
  const hasOwnPort = ssh.listen_port !== 0
  return {
    host: hasOwnHost ? ssh.listen_host : server.host,
    port: hasOwnPort ? ssh.listen_port : ssh.port,
    hostSetting: hasOwnHost ? 'ssh.listen_host' : 'server.host',
    portSetting: hasOwnPort ? 'ssh.listen_port' : 'ssh.port',
  }
}

/** Opens a door; what is wrong with it is told with the name of the setting. */
export async function openDoor(config: Config, door: Door, open: () => Promise<unknown>) {
  try {
    await open()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    const isPort = code === 'EADDRINUSE' || code === 'EACCES'
    const isHost = code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN'
    if (!isPort && !isHost) throw error
    const name = isPort ? door.portSetting : door.hostSetting
    const source = config.sources.get(name) ?? name
    throw new ConfigError(`${message} (${source})`, { cause: error })
  }
}

/** Doors that cannot be opened; one that is a running server's of ours may stay so. */
export async function findClosedDoors(config: Config): Promise<readonly string[]> {
  const doors = [httpDoor(config), ...(config.ssh.enabled ? [sshDoor(config)] : [])]
  const found = await Promise.all(doors.map((door) => problemsOf(config, door)))
  return found.flat()
}

async function problemsOf(config: Config, door: Door): Promise<readonly string[]> {
  try {
    await openDoor(config, door, () => tryPort(door))
    return []
  } catch (error) {
    const { cause } = error as Error
    const isTaken = (cause as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE'
    if (isTaken && (await isOurs(config, door))) return []
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

/** Whether Codestead answers there. */
async function isOurs(config: Config, { host, port, portSetting }: Door): Promise<boolean> {
  const here = host === '0.0.0.0' || host === '::' ? 'localhost' : host
  if (portSetting === httpDoor(config).portSetting) {
    return (await readOverHttp(here, port, '/api/healthz')).includes('"description":"Codestead"')
  }
  return (await readGreeting(here, port)).startsWith('SSH-2.0-Codestead')
}
