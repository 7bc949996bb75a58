import { randomUUID } from 'node:crypto'
import { baseUrl } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import { invalid } from '../../platform/errors.ts'
import { isEmailAddress } from '../../platform/account-names.ts'
import { complaintOf } from './deliver.ts'
import { messageIdOf } from './mail.ts'

/** At once, so that whoever sets up a server sees what comes of it. */
export async function sendTestMail({ config, mailer }: Context, to: string): Promise<void> {
  if (!isEmailAddress(to)) throw invalid(`${to} is no e-mail address`)
  if (!mailer.isSetUp) throw invalid('mail.url is not set, so no mail is sent')
  try {
    await mailer.send({
      to,
      subject: 'A test of Codestead',
      text: `Mail from ${baseUrl(config)} arrives.\n`,
      messageId: messageIdOf(config, `test-${randomUUID()}`),
    })
  } catch (cause) {
    throw invalid(`the mail was not sent: ${complaintOf(cause)}`, { cause })
  }
}
