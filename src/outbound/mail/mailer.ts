import type { Socket } from 'node:net'
import type { Config } from '../../platform/config/config.ts'
import { baseHostname } from '../../platform/config/urls.ts'
import { connectTo } from '../../platform/network/connect-to.ts'
import { oneLine, senderOf, type Mail } from './mail.ts'

/** An idle connection is kept this long for the next mail. */
const IDLE_MS = 5_000
/** A kept connection that the other side has closed meanwhile is replaced once. */
const REPLACED_CONNECTIONS = 1

/** A whole mail may take as long as so many silences of the mail server. */
const SILENCES_OF_A_MAIL = 4
/** The longest answer of a mail server that is read. */
const MAX_ANSWER_BYTES = 65_536

/**
 * What is used of the library, which is loaded for the first mail: most servers at rest send none.
 */
type Transport = Awaited<ReturnType<typeof openTransport>>

/** Hands mails to the server that the settings name, over few connections. */
export class Mailer {
  readonly #config: Config
  readonly #sockets = new Set<Socket>()
  #transport: Promise<Transport> | undefined

  constructor(config: Config) {
    this.#config = config
  }

  get isSetUp(): boolean {
    return this.#config.mail.url !== ''
  }

  /** Done when that server has taken it. */
  async send(mail: Mail): Promise<void> {
    if (!this.isSetUp) throw new Error('mail.url is not set')
    this.#transport ??= openTransport(this.#config, this.#sockets)
    const transport = await this.#transport
    const { name, address } = senderOf(this.#config)
    const sent = transport.sendMail({
      from: { name: mail.fromName ?? name, address },
      to: { name: '', address: mail.to },
      subject: oneLine(mail.subject),
      text: mail.text,
      ...(mail.html ? { html: mail.html.toString() } : {}),
      messageId: mail.messageId,
      ...(mail.replyTo ? { inReplyTo: mail.replyTo, references: mail.replyTo } : {}),
      headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    await this.#untilTooLate(sent)
  }

  /**
   * A server that goes on talking is not silent, and would be listened to for as long as it likes.
   */
  async #untilTooLate(sent: Promise<unknown>): Promise<void> {
    const { promise: late, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => reject(new Error('the mail server did not come to an end')),
      this.#config.mail.timeout * 1000 * SILENCES_OF_A_MAIL,
    )
    try {
      await Promise.race([sent, late])
    } catch (error) {
      // The library waits for what is on its way; that is sent again.
      if (!(await isSettled(sent))) await this.#hangUp()
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  async #hangUp(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await this.close()
  }

  async close(): Promise<void> {
    const transport = await this.#transport
    this.#transport = undefined
    transport?.close()
  }
}

type TakeSocket = (error: Error | null, place: { readonly connection?: Socket }) => void

async function isSettled(work: Promise<unknown>): Promise<boolean> {
  const open = Symbol('open')
  return (await Promise.race([work.catch(() => undefined), Promise.resolve(open)])) !== open
}

async function openTransport(config: Config, sockets: Set<Socket>) {
  const { createTransport } = await import('nodemailer')
  const { url, tls, at_once, timeout } = config.mail
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const timeoutMs = timeout * 1000
  const place = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    timeout: timeoutMs,
  }
  return createTransport({
    pool: true,
    host: place.host,
    port: place.port,
    getSocket: (_options: unknown, callback: TakeSocket) => {
      connectTo(place, sockets, (error, connection) =>
        callback(error, connection ? { connection } : {}),
      )
    },
    secure,
    requireTLS: !secure && tls === 'required',
    ignoreTLS: !secure && tls === 'none',
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    name: baseHostname(config),
    maxConnections: at_once,
    maxRequeues: REPLACED_CONNECTIONS,
    idleTimeout: IDLE_MS,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    maxResponseSize: MAX_ANSWER_BYTES,
  })
}
