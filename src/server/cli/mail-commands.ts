import { sendTestMail } from '../../outbound/mail/test-mail.ts'
import type { Command, Invocation } from './command.ts'

export const mailCommands: readonly Command[] = [
  {
    name: 'mail test',
    usage: '--to ADDRESS',
    about: 'Sends a mail to ADDRESS with the settings of the server, and says what comes of it.',
    options: { to: { type: 'string' } },
    run: testMail,
  },
]

async function testMail(invocation: Invocation): Promise<void> {
  const to = invocation.required('to')
  await invocation.withContext((ctx) => sendTestMail(ctx, to))
  invocation.terminal.note(`The mail server has taken a mail to ${to}.`)
}
