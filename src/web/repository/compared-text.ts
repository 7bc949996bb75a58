import { comparedTextPage } from '../../code/commits/routes.ts'
import type { Context } from '../../platform/context.ts'
import { REST } from '../../platform/http/router.ts'
import { isAbsence } from '../../repositories/repository/absence.ts'
import type { Handler } from '../look.ts'

/**
 * A page that compares two refs; where its address ends in `.diff` or `.patch`, the same as text,
 * unless a ref is called that.
 */
export function pageOrText(ctx: Context, page: Handler): Handler {
  const texts = { diff: comparedTextPage(ctx, 'diff'), patch: comparedTextPage(ctx, 'patch') }
  return async (request, reply) => {
    const params = request.params as Readonly<Record<string, string>>
    const { refs, form } = splitForm(params[REST] ?? '')
    if (form === undefined) return page(request, reply)
    try {
      request.params = { ...params, [REST]: refs }
      return await texts[form](request, reply)
    } catch (error) {
      if (!isAbsence(error)) throw error
      request.params = params
      return page(request, reply)
    }
  }
}

function splitForm(text: string): { readonly refs: string; readonly form?: 'diff' | 'patch' } {
  for (const form of ['diff', 'patch'] as const) {
    if (text.endsWith(`.${form}`)) return { refs: text.slice(0, -form.length - 1), form }
  }
  return { refs: text }
}
