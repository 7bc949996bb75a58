import { newMailCode, type AddressOfPerson } from '../../identity/auth/mail-codes.ts'
import { baseUrl } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import type { JobRun, Jobs } from '../../platform/jobs/queue.ts'
import { findToConfirm } from '../../identity/users/confirm.ts'
import { deliver } from './deliver.ts'
import { messageIdOf, type Mail } from './mail.ts'

export async function mailConfirmation(
  ctx: Context,
  asked: Jobs['mail_confirmation'],
  run: JobRun,
): Promise<void> {
  await deliver(ctx, run, () => compose(ctx, asked, run))
}

async function compose(
  ctx: Context,
  { email }: Jobs['mail_confirmation'],
  { id }: JobRun,
): Promise<Mail | undefined> {
  const waiting = await findToConfirm(ctx, email)
  const [latest] = waiting
  if (!latest) return undefined
  return {
    to: latest.address,
    subject: 'Confirm your e-mail address',
    text: (await Promise.all(waiting.map((one) => ask(ctx, one)))).join('\n'),
    messageId: messageIdOf(ctx.config, `confirmation-${id}`),
  }
}

async function ask(ctx: Context, waiting: AddressOfPerson): Promise<string> {
  const root = baseUrl(ctx.config)
  return `The account ${waiting.account.name} at ${root} says that this address is theirs.

If it is you, confirm it here within a day:

${root}/user/activate?code=${await newMailCode(ctx, 'confirm', waiting)}

If it is not, do nothing.
`
}
