import type { Context } from '../../platform/context.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { compileGlob, MAX_PATTERN, type Matches } from '../../platform/parsing/glob.ts'
import { noContent } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { loadVisibleAccount } from '../../identity/users/load.ts'
import { adoptRepository, removeFound } from './adopt.ts'
import { findFound, labelOf, listFound, type Found } from './found.ts'
import {
  adminAdoptRepository,
  adminDeleteUnadoptedRepository,
  adminUnadoptedList,
} from './schema.ts'

export function adoptionRoutes(api: Api, ctx: Context): void {
  api.get('/admin/unadopted', adminUnadoptedList, async (call) => {
    const matches = readPattern(call.query.text('pattern') ?? '')
    const labels = new Set((await listFound(ctx.config)).map(labelOf))
    const items = [...labels].filter(matches)
    const { offset, limit } = call.page
    return call.list(
      { items: items.slice(offset, offset + limit), total: items.length },
      (label) => label,
    )
  })

  api.post('/admin/unadopted/:owner/:repo', adminAdoptRepository, async (call) => {
    const owner = await loadVisibleAccount(ctx, call.caller, call.param('owner'))
    await adoptRepository(ctx, call.signedIn(), owner, await loadFound(ctx, call), call.gone)
    return noContent()
  })

  api.delete('/admin/unadopted/:owner/:repo', adminDeleteUnadoptedRepository, async (call) => {
    await removeFound(ctx, await loadFound(ctx, call))
    return noContent()
  })
}

async function loadFound({ config }: Context, call: Call): Promise<Found> {
  const found = await findFound(config, { owner: call.param('owner'), name: call.param('repo') })
  if (!found) throw notFound()
  return found
}

/** Without a slash it is about the owner. */
function readPattern(pattern: string): Matches {
  const text = pattern.toLowerCase()
  const whole = text === '' ? '*/*' : text.includes('/') ? text : `${text}/*`
  const matches = whole.length > MAX_PATTERN ? undefined : compileGlob(whole)
  if (!matches) throw invalid(`Invalid pattern: "${pattern}"`)
  return matches
}
