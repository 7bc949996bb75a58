import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** A mail as it arrived. */
export interface Received {
  readonly from: string
  readonly to: readonly string[]
  /** By their names in lower case, decoded. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly html: string
  readonly raw: string
}

/** A real mail server on this machine, and all that it has taken. */
export class MailServer {
  readonly mails: Received[] = []
  /** How many connections there have been. */
  connections = 0
  /** What it says instead of taking a mail. */
  refusal: { readonly code: number; readonly at: 'recipient' | 'message' } | undefined
  readonly port: number

  constructor(port: number) {
    this.port = port
  }

  /** The settings of a server that sends its mail here. */
  get settings() {
    return {
      url: `smtp://127.0.0.1:${this.port}`,
      tls: 'none',
      from: 'Codestead <code@example.org>',
    }
  }

  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = []

  receive(mail: Received): void {
    this.mails.push(mail)
    for (const { count, resolve } of this.#waiting) if (this.mails.length >= count) resolve()
  }

  /** When so many have arrived. */
  async until(count: number): Promise<void> {
    if (this.mails.length >= count) return
    await new Promise<void>((resolve) => this.#waiting.push({ count, resolve }))
  }

  /** What has arrived since this was asked last. */
  take(): readonly Received[] {
    return this.mails.splice(0)
  }
}

export async function startMailServer(
  t: TestContext,
  options: SMTPServerOptions = {},
): Promise<MailServer> {
  const kept: { server?: MailServer } = {}
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1,
    logger: false,
    onConnect: (_session, callback) => {
      if (kept.server) kept.server.connections++
      callback()
    },
    onRcptTo: (_address, _session, callback) => {
      const { refusal } = kept.server ?? {}
      callback(refusal?.at === 'recipient' ? refused(refusal.code) : undefined)
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { refusal } = kept.server ?? {}
        if (refusal?.at === 'message') return callback(refused(refusal.code))
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        const to = rcptTo.map(({ address }) => address)
        kept.server?.receive({ from, to, ...readMail(Buffer.concat(chunks).toString('latin1')) })
        return callback()
      })
    },
    ...options,
  })
  // Clients that hang up are no fault of the server.
  smtp.on('error', () => undefined)
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  kept.server = new MailServer((smtp.server.address() as AddressInfo).port)
  t.after(() => new Promise<void>((resolve) => smtp.close(resolve)))
  return kept.server
}

function refused(code: number): Error {
  return Object.assign(new Error('refused'), { responseCode: code })
}

function readMail(raw: string): Omit<Received, 'from' | 'to'> {
  const { headers, body } = splitMail(raw)
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1]
  const parts =
    boundary === undefined
      ? [{ headers, body }]
      : body
          .split(`--${boundary}`)
          .slice(1, -1)
          .map((part) => splitMail(part.replace(/^\r\n/, '')))
  const content = (type: string) => {
    const part = parts.find((one) => (one.headers['content-type'] ?? '').startsWith(type))
    return part ? decodeBody(part.body, part.headers['content-transfer-encoding']) : ''
  }
  return { headers, text: content('text/plain'), html: content('text/html'), raw }
}

function splitMail(raw: string): { headers: Record<string, string>; body: string } {
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers[line.slice(0, colon).toLowerCase()] = decodeHeader(line.slice(colon + 1).trim())
  }
  return { headers, body: raw.slice(end + 4) }
}

/** Encoded words, such as =?UTF-8?Q?a=20b?=. */
function decodeHeader(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_all, form: string, coded: string) =>
      form.toUpperCase() === 'B'
        ? Buffer.from(coded, 'base64').toString('utf8')
        : decodeQuoted(coded.replaceAll('_', ' ')),
    )
}

function decodeBody(body: string, encoding = '7bit'): string {
  const lines = body.replace(/\r\n$/, '')
  if (encoding === 'base64') return Buffer.from(lines, 'base64').toString('utf8')
  const text =
    encoding === 'quoted-printable'
      ? decodeQuoted(lines.replace(/=\r\n/g, ''))
      : Buffer.from(lines, 'latin1').toString('utf8')
  return text.replaceAll('\r\n', '\n')
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
