import { blockAccount, listBlocked, unblockAccount } from '../identity/followers/block.ts'
import { readPage } from '../platform/http/paging.ts'
import type { Account } from '../identity/users/account.ts'
import { loadVisibleAccount } from '../identity/users/load.ts'
import { FormFields, type FormState } from './forms/fields.ts'
import { personProblem, type Explanations, type FormProblem } from './forms/problem.ts'
import { renderAction, renderRows } from './forms/settings.ts'
import { html, type Html } from '../platform/html.ts'
import type { SignedInLook, Submitted } from './look.ts'
import { renderPager } from './pages/pager.ts'
import { personLink } from './person.ts'

const explanations: Explanations = {
  blocked_already: { field: 'name', message: 'Is blocked already.' },
  is_member: { field: 'name', message: 'Is a member: remove them from the teams first.' },
  is_oneself: { field: 'name', message: 'This is you.' },
  is_organization: { field: 'name', message: 'This is an organization; people can be blocked.' },
}

/**
 * Whom somebody has blocked, and a form to block somebody else; `path` takes it, and `path/delete`
 * the end of a block.
 */
export async function renderBlockList(
  look: SignedInLook,
  blocker: Account,
  path: string,
  state: FormState = { form: new URLSearchParams() },
): Promise<Html> {
  const { ctx, viewer, query, request } = look
  const page = readPage(ctx.config, query)
  const { items, total } = await listBlocked(ctx, viewer, blocker, page)
  const rows = items.map((person) => ({
    title: personLink(ctx.config, person),
    about: person.fullName,
    action: renderAction(`${path}/delete`, 'Unblock', { name: person.name }),
  }))
  const fields = new FormFields(state)
  return html`
${renderRows(rows, 'Nobody is blocked.')}
${renderPager(ctx.config, request, page, total)}
<form class="sheet form" method="post" action="${path}">
${fields.complaint}
${fields.text('name', 'User name')}
<button class="button main" type="submit">Block</button>
</form>`
}

/** What is wrong with the name, if anything is. */
export async function block(
  { ctx, viewer, form }: Submitted,
  blocker: Account,
): Promise<FormProblem | undefined> {
  try {
    const blocked = await loadVisibleAccount(ctx, viewer, form.get('name') ?? '')
    await blockAccount(ctx, viewer.account, blocker, blocked)
    return undefined
  } catch (error) {
    return personProblem(error, explanations)
  }
}

export async function unblock({ ctx, viewer, form }: Submitted, blocker: Account): Promise<void> {
  await unblockAccount(ctx, blocker, await loadVisibleAccount(ctx, viewer, form.get('name') ?? ''))
}
