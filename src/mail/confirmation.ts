import { newMailCode } from '../auth/mail-codes.ts'
import { baseUrl } from '../config/urls.ts'
import type { Context } from '../context.ts'
import type { JobRun, Jobs } from '../jobs/queue.ts'
import { findToConfirm } from '../users/confirm.ts'
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
  const found = await findToConfirm(ctx, email)
  if (!found) return undefined
  const code = await newMailCode(ctx, 'confirm', found)
  const root = baseUrl(ctx.config)
  return {
    to: found.address,
    subject: 'Confirm your e-mail address',
    text: `The account ${found.account.name} at ${root} says that this address is theirs.

If it is you, confirm it here within a day:

${root}/user/activate?code=${code}

If it is not, do nothing.
`,
    messageId: messageIdOf(ctx.config, `confirmation-${id}`),
  }
}
