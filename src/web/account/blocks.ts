import { block, renderBlockList, unblock } from '../block-list.ts'
import type { FormState } from '../forms/fields.ts'
import { html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { again, inSection, saved, settingsPath } from './section.ts'

export async function showBlocks(look: SignedInLook, state?: FormState): Promise<Page> {
  const { account } = look.viewer
  return inSection(
    look,
    'blocks',
    html`
<h2>Blocked people</h2>
<p class="lede">Whom you block cannot comment on, fork, star or watch what is yours, nor follow you, and neither of you works in repositories of the other any more. They are not told.</p>
${await renderBlockList(look, account, settingsPath(look, 'blocks'), state)}`,
  )
}

export async function addBlock(submitted: Submitted): Promise<Shown> {
  const problem = await block(submitted, submitted.viewer.account)
  if (problem) return again(await showBlocks(submitted, { form: submitted.form, problem }))
  return saved(submitted, 'blocks')
}

export async function endBlock(submitted: Submitted): Promise<Shown> {
  await unblock(submitted, submitted.viewer.account)
  return saved(submitted, 'blocks')
}
