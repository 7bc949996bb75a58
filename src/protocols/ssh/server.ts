import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import ssh2, {
  type AuthContext,
  type CipherAlgorithm,
  type CompressionAlgorithm,
  type Connection,
  type KexAlgorithm,
  type PublicKeyAuthContext,
  type Session,
} from 'ssh2'
import { addressForLog } from '../../platform/audit.ts'
import type { Context } from '../../platform/context.ts'
import { Slots } from '../../platform/git/slots.ts'
import { fingerprintOf } from '../../identity/keys/ssh-key.ts'
import { findKeyHolder } from '../../identity/keys/sign-in.ts'
import { isDeviceKey, isSignedByDevice } from '../../identity/keys/ssh-verify.ts'
import { Guard } from '../../platform/network/guard.ts'
import { networkOf } from '../../platform/network/ranges.ts'
import { isKnownKey, type Principal } from './admit.ts'
import { loadHostKey } from './host-key.ts'
import { SshLog } from './log.ts'
import { addCommands, endWhenIdle } from './session.ts'

const limits = { atOnce: 16, waiting: 64, patienceMs: 30_000 }
const MAX_ATTEMPTS = 10
const MAX_SESSIONS = 10

/** ChaCha20, which clients would take first, is computed here without help of the processor's. */
const ciphers: CipherAlgorithm[] = [
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'aes128-ctr',
  'aes192-ctr',
  'aes256-ctr',
]

/**
 * Larger groups of numbers take milliseconds of this process for each exchange, before anybody has
 * signed in.
 */
const exchanges: KexAlgorithm[] = [
  'curve25519-sha256',
  'curve25519-sha256@libssh.org',
  'ecdh-sha2-nistp256',
  'ecdh-sha2-nistp384',
  'ecdh-sha2-nistp521',
]

/** A little that is sent may be a lot when it is unpacked, which would be done here, too. */
const compress: CompressionAlgorithm[] = ['none']

/** Those of one address that exchange keys, or have not signed in yet; its others wait for them. */
const EXCHANGES_PER_ADDRESS = 16

/** A connection of which it is not known yet, or is known, who is there. */
interface Guest {
  readonly socket: Socket
  readonly patience: NodeJS.Timeout
  readonly guard: Guard
  readonly log: SshLog
  /** For those that have signed in. */
  readonly leave: () => void
}

/** The other door: keys to callers, commands to git. */
export class SshServer {
  readonly #ctx: Context
  readonly #server: Server
  readonly #places = { fetching: new Slots(limits), pushing: new Slots(limits) }
  readonly #exchanging: Slots
  /** By address and port of the client. */
  readonly #guests = new Map<string, Guest>()
  readonly #work = new Set<Promise<void>>()

  constructor(ctx: Context) {
    this.#ctx = ctx
    const { max_connections: all, sign_in_timeout } = ctx.config.ssh
    this.#exchanging = new Slots({
      atOnce: all,
      waiting: all,
      patienceMs: sign_in_timeout * 1000,
      share: EXCHANGES_PER_ADDRESS,
    })
    const options = {
      hostKeys: [loadHostKey(ctx.config)],
      ident: 'Codestead',
      algorithms: { kex: exchanges, cipher: ciphers, compress },
    }
    const protocol = new ssh2.Server(options, (connection, { ip, port }) =>
      this.#greet(connection, `${ip} ${port}`),
    )
    // Both sides send small messages in turn: kept back until the last one is acknowledged, each
    // would take 40 ms.
    this.#server = createServer({ noDelay: true }, (socket) => {
      const guard = new Guard(ctx.log, () => socket.destroy())
      guard.around(async () => {
        if (await this.#admits(socket, guard)) protocol.injectSocket(socket)
        else socket.destroy()
      })()
    })
    this.#server.maxConnections = all
    this.#server.on('drop', (dropped) => {
      const address = addressForLog(dropped?.remoteAddress ?? '')
      ctx.log.warn({ address }, 'ssh connection refused: ssh.max_connections are open')
    })
  }

  /** Where it listens then. */
  async listen(): Promise<number> {
    const { listen_host, listen_port, port } = this.#ctx.config.ssh
    const host = listen_host || this.#ctx.config.server.host
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#server.once('error', reject)
    this.#server.listen(listen_port || port, host, resolve)
    await promise
    this.#server.off('error', reject)
    return (this.#server.address() as AddressInfo).port
  }

  /** Commands that have begun are finished. */
  async close(): Promise<void> {
    const closed = Promise.withResolvers<void>()
    this.#server.close(() => closed.resolve())
    await Promise.all(this.#work)
    for (const { socket } of this.#guests.values()) socket.destroySoon()
    await closed.promise
  }

  /**
   * Whoever says nothing is not waited for: the protocol itself begins only with their first words.
   */
  async #admits(socket: Socket, guard: Guard): Promise<boolean> {
    const { per_address, sign_in_timeout } = this.#ctx.config.ssh
    const { remoteAddress: address = '', remotePort: port = 0 } = socket
    const fromHere = [...this.#guests.keys()].filter((name) => name.startsWith(`${address} `))
    const log = new SshLog(this.#ctx, socket)
    if (fromHere.length >= per_address) {
      log.turnedAway('ssh.per_address connections are open')
      return false
    }
    log.opened()
    const name = `${address} ${port}`
    const giveUp = guard.around(() => socket.destroy())
    const patience = setTimeout(giveUp, sign_in_timeout * 1000)
    const gone = new AbortController()
    const place = this.#exchanging.take(gone.signal, [`network ${networkOf(address)}`])
    const leave = () => void place.then((leaveIt) => leaveIt()).catch(() => undefined)
    this.#guests.set(name, { socket, patience, guard, log, leave })
    socket.once('close', () => {
      clearTimeout(patience)
      this.#guests.delete(name)
      gone.abort()
      leave()
    })
    // Whom nobody listens to yet may hang up in anger.
    socket.once('error', () => undefined)
    const hasPlace = await place.then(
      () => true,
      () => false,
    )
    return hasPlace && !socket.destroyed
  }

  /** The library hands over what is thrown in some handlers, and leaves the rest to nobody. */
  #greet(connection: Connection, name: string): void {
    connection.on('error', () => undefined)
    const guest = this.#guests.get(name)
    if (!guest) return void connection.end()
    guest.guard.around(() => this.#listen(connection, guest))()
  }

  #listen(connection: Connection, { patience, guard, log, leave }: Guest): void {
    let principal: Principal | undefined
    let attempts = 0
    const authenticate = guard.around((attempt: AuthContext) => {
      if (++attempts > MAX_ATTEMPTS) return connection.end()
      return this.#authenticate(attempt, log, (who) => (principal = who))
    })
    connection.on('authentication', authenticate)
    // Nobody has a reason to exchange keys twice who has not even signed in.
    const again = guard.around(() => connection.end())
    connection.on('rekey', again)
    const open = guard.around(() => {
      clearTimeout(patience)
      leave()
      connection.off('rekey', again)
      if (principal) this.#open(connection, principal, guard, log)
      else connection.end()
    })
    connection.once('ready', open)
  }

  /** Says who has shown a key that we know, with a signature by it. */
  async #authenticate(
    attempt: AuthContext,
    log: SshLog,
    signedIn: (who: Principal) => void,
  ): Promise<void> {
    try {
      const fingerprint = await this.#recognize(attempt, log)
      if (fingerprint === undefined) return attempt.reject(['publickey'])
      if ((attempt as PublicKeyAuthContext).signature) {
        const holder = await findKeyHolder(this.#ctx, fingerprint)
        log.signedIn(fingerprint, holder?.account.name)
        signedIn({ fingerprint })
      }
      attempt.accept()
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'sign-in over SSH failed')
      attempt.reject(['publickey'])
    }
  }

  async #recognize(attempt: AuthContext, log: SshLog): Promise<string | undefined> {
    const { username, method } = attempt
    // With this one clients only ask which others there are.
    if (method === 'none') return undefined
    const refuse = (reason: string, key?: string) => {
      log.keyRefused(username, reason, key)
      return undefined
    }
    if (method !== 'publickey') return refuse(`${method} is not offered`)
    const fingerprint = fingerprintOf(attempt.key.data)
    if (username !== this.#ctx.config.ssh.user) return refuse('unknown name', fingerprint)
    if (!(await isKnownKey(this.#ctx, fingerprint))) return refuse('unknown key', fingerprint)
    return (await isSigned(attempt)) ? fingerprint : refuse('wrong signature', fingerprint)
  }

  #open(connection: Connection, principal: Principal, guard: Guard, log: SshLog): void {
    const note = endWhenIdle(connection, this.#ctx.config.ssh.idle_timeout, guard)
    let sessions = 0
    const track = (command: Promise<void>) => {
      const work = command.catch((error: unknown) => guard.fail(error))
      note(work)
      this.#work.add(work)
      void work.finally(() => this.#work.delete(work))
    }
    const begin = (accept: () => Session, reject: () => void) => {
      if (sessions >= MAX_SESSIONS) return reject()
      const session = accept()
      sessions++
      session.once('close', () => sessions--)
      addCommands(this.#ctx, this.#places, { connection, session, principal, guard, log, track })
    }
    connection.on('session', guard.around(begin))
  }
}

/**
 * A client asks first whether a key would do; then it signs. Signatures with SHA-1 are not taken.
 */
async function isSigned(attempt: PublicKeyAuthContext): Promise<boolean> {
  const { key, blob, signature, hashAlgo } = attempt
  if (key.algo === 'ssh-rsa' && signature && hashAlgo === undefined) return false
  if (!signature || !blob) return true
  if (isDeviceKey(key.algo)) return isSignedByDevice(key, signature, blob)
  const parsed = ssh2.utils.parseKey(`${key.algo} ${key.data.toString('base64')}`)
  if (parsed instanceof Error) return false
  // Whatever is wrong with a signature may also come back as an error, which is not true.
  const verified: unknown = parsed.verify(blob, signature, hashAlgo)
  return verified === true
}
