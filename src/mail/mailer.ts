import type { Config } from '../config/config.ts'
import { baseHostname } from '../config/urls.ts'
import { oneLine, senderOf, type Mail } from './mail.ts'

/** An idle connection is kept this long for the next mail. */
const IDLE_MS = 5_000
/** A kept connection that the other side has closed meanwhile is replaced once. */
const REPLACED_CONNECTIONS = 1

/** What is used of the library, which is loaded for the first mail: most servers at rest send none. */
type Transport = Awaited<ReturnType<typeof openTransport>>

/** Hands mails to the server that the settings name, over few connections. */
export class Mailer {
  readonly #config: Config
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
    this.#transport ??= openTransport(this.#config)
    const transport = await this.#transport
    const { name, address } = senderOf(this.#config)
    await transport.sendMail({
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
  }

  async close(): Promise<void> {
    const transport = await this.#transport
    this.#transport = undefined
    transport?.close()
  }
}

async function openTransport(config: Config) {
  const { createTransport } = await import('nodemailer')
  const { url, tls, at_once, timeout } = config.mail
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const timeoutMs = timeout * 1000
  return createTransport({
    pool: true,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
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
  })
}
