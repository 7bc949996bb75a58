import { adoptRepository, removeFound } from '../../code/unadopted-repositories/adopt.ts'
import {
  findFound,
  labelOf,
  listFound,
  type Found,
} from '../../code/unadopted-repositories/found.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { findByName } from '../../identity/users/load.ts'
import { counted } from '../figures.ts'
import { creationProblem, renderProblem, type FormProblem } from '../forms/problem.ts'
import { renderAction, renderLoss, type SettingsRow } from '../forms/settings.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look, Shown, SignedInLook, Submitted } from '../look.ts'
import { listPage, readAsked } from './list.ts'
import { adminPath, again, saved } from './section.ts'

/** Repositories of other servers that wait in a folder of this one. */
export async function showUnadopted(look: SignedInLook, problem?: FormProblem): Promise<Page> {
  const { page, text } = readAsked(look)
  const waiting = await listWaiting(look, text)
  const shown = waiting.slice(page.offset, page.offset + page.limit)
  return listPage(look, 'unadopted', {
    heading: 'Adoption',
    above: html`<p class="lede">Repositories that lie in the folder <code>adopt</code> of the server, as <code>owner/name.git</code>. Who adopts one makes a private repository of it; its folder is gone then.</p>
${renderProblem(problem)}`,
    find: 'Owner or name',
    text,
    rows: shown.map((found) => renderFound(look, found)),
    none: 'None waits.',
    page,
    total: waiting.length,
    counted: counted(waiting.length, 'repository', 'repositories'),
  })
}

/** Of names that differ in letter case alone, the first. */
async function listWaiting({ ctx }: Look, text: string): Promise<readonly Found[]> {
  const byLabel = new Map<string, Found>()
  for (const found of await listFound(ctx.config)) {
    const label = labelOf(found)
    if (label.includes(text.toLowerCase()) && !byLabel.has(label)) byLabel.set(label, found)
  }
  return [...byLabel.values()]
}

function renderFound(look: Look, { owner, name }: Found): SettingsRow {
  const adopt = renderAction(adminPath(look, 'unadopted', 'adopt'), 'Adopt', { owner, name })
  const title = `${owner}/${name}`
  const loss = { label: 'Delete', name: title, warning: 'Nothing brings its folder back.' }
  const removal = renderLoss(adminPath(look, 'unadopted', 'delete'), loss, { owner, name })
  return { title, about: '', action: html`${adopt}${removal}` }
}

export async function adoptOne(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer, gone } = submitted
  const found = await loadFound(submitted)
  try {
    const owner = await findByName(ctx, found.owner)
    if (!owner) throw invalid('there is no account of this name, which has to be made first')
    await adoptRepository(ctx, viewer, owner, found, gone())
  } catch (error) {
    const message = `${found.owner}/${found.name}: ${creationProblem(error).message}`
    return again(await showUnadopted(submitted, { message }))
  }
  return saved(submitted, 'unadopted')
}

export async function deleteOne(submitted: Submitted): Promise<Shown> {
  await removeFound(submitted.ctx, await loadFound(submitted))
  return saved(submitted, 'unadopted')
}

async function loadFound({ ctx, form }: Submitted): Promise<Found> {
  const wanted = { owner: form.get('owner') ?? '', name: form.get('name') ?? '' }
  const found = await findFound(ctx.config, wanted)
  if (!found) throw notFound()
  return found
}
