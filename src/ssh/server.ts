import { createHash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import ssh2, { type AuthContext, type Connection, type PublicKeyAuthContext } from 'ssh2'
import type { Context } from '../context.ts'
import { Slots } from '../git/slots.ts'
import { isKnownKey, type Principal } from './admit.ts'
import { loadHostKey } from './host-key.ts'
import { addCommands, endWhenIdle } from './session.ts'

const limits = { atOnce: 16, waiting: 64, patienceMs: 30_000 }
const MAX_ATTEMPTS = 10
const MAX_SESSIONS = 10

/** The other door: keys to callers, commands to git. */
export class SshServer {
  readonly #ctx: Context
  readonly #server: ssh2.Server
  readonly #slots = new Slots(limits)
  readonly #connections = new Map<Connection, string>()
  readonly #work = new Set<Promise<void>>()

  constructor(ctx: Context) {
    this.#ctx = ctx
    const options = { hostKeys: [loadHostKey(ctx.config)], ident: 'Codestead' }
    this.#server = new ssh2.Server(options, (connection, { ip }) => this.#admit(connection, ip))
    this.#server.maxConnections = ctx.config.ssh.max_connections
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
    this.#server.on('error', (error: Error) => this.#ctx.log.warn(error, 'SSH'))
    return (this.#server.address() as AddressInfo).port
  }

  /** Commands that have begun are finished. */
  async close(): Promise<void> {
    const closed = Promise.withResolvers<void>()
    this.#server.close(() => closed.resolve())
    await Promise.all(this.#work)
    for (const connection of this.#connections.keys()) connection.end()
    await closed.promise
  }

  #admit(connection: Connection, address: string): void {
    const fromHere = [...this.#connections.values()].filter((one) => one === address)
    connection.on('error', () => undefined)
    if (fromHere.length >= this.#ctx.config.ssh.per_address) return void connection.end()
    this.#connections.set(connection, address)
    connection.once('close', () => this.#connections.delete(connection))
    const { sign_in_timeout } = this.#ctx.config.ssh
    const timer = setTimeout(() => connection.end(), sign_in_timeout * 1000)
    connection.once('close', () => clearTimeout(timer))
    let principal: Principal | undefined
    let attempts = 0
    connection.on('authentication', (attempt) => {
      if (++attempts > MAX_ATTEMPTS) return void connection.end()
      void this.#authenticate(attempt, (who) => (principal = who))
    })
    connection.once('ready', () => {
      clearTimeout(timer)
      if (principal) this.#open(connection, principal)
      else connection.end()
    })
  }

  /** Says who has shown a key that we know, with a signature by it. */
  async #authenticate(attempt: AuthContext, signedIn: (who: Principal) => void): Promise<void> {
    try {
      const isOurs = attempt.username === this.#ctx.config.ssh.user
      if (attempt.method !== 'publickey' || !isOurs) return attempt.reject(['publickey'])
      const fingerprint = fingerprintOf(attempt.key.data)
      const isRight = isSigned(attempt) && (await isKnownKey(this.#ctx, fingerprint))
      if (!isRight) return attempt.reject(['publickey'])
      if (attempt.signature) signedIn({ fingerprint })
      attempt.accept()
    } catch (error) {
      this.#ctx.log.error({ err: error }, 'sign-in over SSH failed')
      attempt.reject(['publickey'])
    }
  }

  #open(connection: Connection, principal: Principal): void {
    const note = endWhenIdle(connection, this.#ctx.config.ssh.idle_timeout)
    let sessions = 0
    const track = (work: Promise<void>) => {
      note(work)
      this.#work.add(work)
      void work.finally(() => this.#work.delete(work))
    }
    connection.on('session', (accept, reject) => {
      if (sessions >= MAX_SESSIONS) return void reject()
      const session = accept()
      sessions++
      session.once('close', () => sessions--)
      addCommands(this.#ctx, this.#slots, session, principal, track)
    })
  }
}

function fingerprintOf(key: Buffer): string {
  const digest = createHash('sha256').update(key).digest('base64').replace(/=+$/, '')
  return `SHA256:${digest}`
}

/** A client asks first whether a key would do; then it signs. Signatures with SHA-1 are not taken. */
function isSigned({ key, blob, signature, hashAlgo }: PublicKeyAuthContext): boolean {
  if (key.algo === 'ssh-rsa' && signature && hashAlgo === undefined) return false
  if (!signature || !blob) return true
  const parsed = ssh2.utils.parseKey(`${key.algo} ${key.data.toString('base64')}`)
  if (parsed instanceof Error) return false
  return parsed.verify(blob, signature, hashAlgo) === true
}
