import { issueRules } from '../../attachments/receive.ts'
import type { Context } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { FileTerms, RefusedFile } from '../../http/stored-form.ts'
import { sizeText } from '../figures.ts'

/** What is taken of files that are sent with a text. */
export function termsOf(ctx: Context): FileTerms {
  return { rules: issueRules(ctx), maxFiles: ctx.config.attachment.max_files }
}

/** Browsers forget which ones were chosen. */
export const CHOOSE_AGAIN = 'Nothing was sent: choose the files again.'

export const NO_ROOM = `There is no room for these files. ${CHOOSE_AGAIN}`

export function whyRefused(ctx: Context, refused: RefusedFile): string {
  return `${reasonOf(ctx, refused)} ${CHOOSE_AGAIN}`
}

function reasonOf(ctx: Context, { name, failure }: RefusedFile): string {
  if (failure === 'too_many') return `At most ${ctx.config.attachment.max_files} files at once.`
  if (failure !== 'too_large') return `Files such as ${name} are not taken here.`
  return `${name} is larger than ${sizeText(issueRules(ctx).maxBytes)}.`
}

export function isAboutRoom(error: unknown): boolean {
  return error instanceof AppError && error.code === 'too_large'
}
