import { issueRules } from '../../platform/files/receive.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { statuses } from '../../platform/http/errors.ts'
import type { FileTerms, RefusedFile } from '../../platform/http/stored-form.ts'
import { sizeText } from '../figures.ts'
import { isOfScript } from '../of-script.ts'
import type { Submitted } from '../repository/form.ts'

/** What is taken of files that are sent with a text. */
export function termsOf(ctx: Context): FileTerms {
  return { rules: issueRules(ctx), maxFiles: ctx.config.attachment.max_files }
}

/** Browsers forget which ones were chosen; a script does not. */
export function whatNow({ request }: Submitted): string {
  return isOfScript(request) ? 'Nothing was sent.' : 'Nothing was sent: choose the files again.'
}

const NO_ROOM = 'There is no room for these files.'

export function noRoom(submitted: Submitted): string {
  return `${NO_ROOM} ${whatNow(submitted)}`
}

export function whyRefused(submitted: Submitted, refused: RefusedFile): string {
  return `${reasonOf(submitted.ctx, refused)} ${whatNow(submitted)}`
}

/** A disk that is full is nobody's fault but ours. */
export function statusOf({ failure }: RefusedFile): number | undefined {
  return failure === 'storage_full' ? statuses.insufficient_storage : undefined
}

function reasonOf(ctx: Context, { name, failure }: RefusedFile): string {
  if (failure === 'storage_full') return NO_ROOM
  if (failure === 'too_many') return `At most ${ctx.config.attachment.max_files} files at once.`
  if (failure !== 'too_large') return `Files such as ${name} are not taken here.`
  return `${name} is larger than ${sizeText(issueRules(ctx).maxBytes)}.`
}

export function isAboutRoom(error: unknown): boolean {
  return error instanceof AppError && error.code === 'too_large'
}
