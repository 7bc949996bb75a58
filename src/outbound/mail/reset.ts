import { findToReset } from '../../identity/auth/reset-password.ts'
import { codeSeconds, newMailCode } from '../../identity/auth/mail-codes.ts'
import { baseUrl } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import type { JobRun, Jobs } from '../../platform/jobs/queue.ts'
import { deliver } from './deliver.ts'
import { messageIdOf, type Mail } from './mail.ts'

/** The code is made for the mail that carries it, so that nothing else ever has it. */
export async function mailReset(
  ctx: Context,
  asked: Jobs['mail_reset'],
  run: JobRun,
): Promise<void> {
  await deliver(ctx, run, () => compose(ctx, asked, run), { patience: codeSeconds.reset })
}

async function compose(
  ctx: Context,
  { email }: Jobs['mail_reset'],
  { id }: JobRun,
): Promise<Mail | undefined> {
  const found = await findToReset(ctx, email)
  if (!found) return undefined
  const code = await newMailCode(ctx, 'reset', found)
  const root = baseUrl(ctx.config)
  return {
    to: found.address,
    subject: 'Set a new password',
    text: `Somebody has asked for a new password of the account ${found.account.name} at ${root}.

If it was you, choose one here within an hour:

${root}/user/recover_account?code=${code}

If it was not, do nothing: the password stays as it is.
`,
    messageId: messageIdOf(ctx.config, `reset-${id}`),
  }
}
