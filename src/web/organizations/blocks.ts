import { block, renderBlockList, unblock } from '../block-list.ts'
import type { FormState } from '../forms/fields.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { inSection, ownedBy, pathIn, saved } from './section.ts'

export async function showBlocks(look: SignedInLook, state?: FormState): Promise<Page> {
  const { org } = await ownedBy(look)
  return inSection(
    look,
    org,
    'blocks',
    html`
<h2>Blocked people</h2>
<p class="lede">Whom you block here cannot comment on, fork, star or watch what belongs to ${org.name}, and no longer works in its repositories. They are not told.</p>
${await renderBlockList(look, org, pathIn(look, org, 'blocks'), state)}`,
  )
}

export async function addBlock(submitted: Submitted): Promise<Shown> {
  const { org } = await ownedBy(submitted)
  const problem = await block(submitted, org)
  if (!problem) return saved(submitted, org, 'blocks')
  return { page: await showBlocks(submitted, { form: submitted.form, problem }), status: 422 }
}

export async function endBlock(submitted: Submitted): Promise<Shown> {
  const { org } = await ownedBy(submitted)
  await unblock(submitted, org)
  return saved(submitted, org, 'blocks')
}
