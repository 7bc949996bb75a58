import type { Context } from '../../platform/context.ts'
import type { JobRun } from '../../platform/jobs/queue.ts'
import type { Mail } from './mail.ts'

/**
 * The job: what the mail says is made now, as things are; when there is nothing to tell any more,
 * there is no mail.
 */
export async function deliver(
  ctx: Context,
  run: JobRun,
  compose: () => Promise<Mail | undefined>,
  /** What nobody waits for any longer is not tried any longer. */
  { patience = Infinity }: { readonly patience?: number } = {},
): Promise<void> {
  // A mail that came twice would be worse than one that did not.
  if (run.wasLeft) return giveUp(ctx, run, 'whoever sent it has died, and may have sent it')
  const mail = await compose()
  if (!mail) return
  try {
    await ctx.mailer.send(mail)
  } catch (error) {
    const retryFor = Math.min(ctx.config.mail.retry_for, patience)
    const isOld = ctx.now() - run.createdAt >= retryFor
    if (isOld || isRefusal(error)) return giveUp(ctx, run, complaintOf(error))
    throw new Error(`mail not sent: ${complaintOf(error)}`, { cause: error })
  }
}

function giveUp({ log }: Context, { id }: JobRun, reason: string): void {
  log.error({ job: id, reason }, 'mail given up')
}

interface Failure {
  readonly message: string
  readonly code?: string
  readonly responseCode?: number
}

/** The server has looked at this mail, and will not take it later either. */
function isRefusal(error: unknown): boolean {
  const { code, responseCode = 0 } = error as Failure
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && responseCode >= 500
}

export function complaintOf(error: unknown): string {
  const { code, message } = error as Failure
  return [code, message].filter((part) => part !== undefined && part !== '').join(': ')
}
