import { readMailbox, type Mailbox } from '../../platform/config/setting.ts'
import type { Config } from '../../platform/config/config.ts'
import { baseHostname } from '../../platform/config/urls.ts'
import type { Html } from '../../platform/html.ts'

/** One mail to one address. */
export interface Mail {
  readonly to: string
  /** Under whose name it comes, where that is not the server's. */
  readonly fromName?: string
  readonly subject: string
  readonly text: string
  readonly html?: Html
  /** Stays each time that it is tried, so that a receiver recognises it. */
  readonly messageId: string
  /** The mail that began what this one goes on with. */
  readonly replyTo?: string
  readonly headers?: Readonly<Record<string, string>>
}

export function senderOf(config: Config): Mailbox {
  const configured = readMailbox(config.mail.from)
  const name = configured?.name || 'Codestead'
  return { name, address: configured?.address ?? `noreply@${baseHostname(config)}` }
}

export function messageIdOf(config: Config, name: string): string {
  return `<${name}@${baseHostname(config)}>`
}

/** On one line: what people call themselves and their things begins no header of its own. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()
}
