import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import type { Import } from '../../code/mirrors/imports.ts'
import { timeAgo } from '../figures.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'

const RELOAD_SECONDS = 3

/** A repository that is on its way; why it did not come, in words for people. */
export interface ShownImport extends Import {
  readonly reason: string
}

/** In place of a repository that is not there yet: it becomes that page by itself. */
export function importProgressPage(ctx: Context, shown: ShownImport): Page {
  const { owner, name } = shown
  const isOver = shown.reason !== ''
  return {
    title: `${owner.name}/${name}`,
    narrow: true,
    reloadsAfter: isOver ? undefined : RELOAD_SECONDS,
    content: html`
<h1>${owner.name}/${name}</h1>
${isOver ? renderFailure(ctx, shown) : renderProgress(ctx, shown)}`,
  }
}

function renderProgress(ctx: Context, shown: ShownImport): Html {
  return html`
<div class="sheet notice" role="status">
<h2>This repository is being imported</h2>
<p>It comes from ${shown.address}, and was asked for ${timeAgo(ctx.now(), shown.createdAt)}. This page shows it as soon as it is there; you need not stay.</p>
<div class="actions">${renderGivingUp(ctx, shown, 'Cancel')}</div>
</div>`
}

function renderFailure(ctx: Context, shown: ShownImport): Html {
  const { config } = ctx
  return html`
<div class="sheet notice problem" role="alert">
<h2>This repository could not be imported</h2>
<p>${shown.reason}</p>
<p>It was to come from ${shown.address}.</p>
<div class="actions">
${config.repositories.migrations && html`<a class="button main" href="${basePath(config)}/repo/migrate?import=${String(shown.id)}">Try again</a>`}
${renderGivingUp(ctx, shown, 'Delete')}
</div>
</div>`
}

function renderGivingUp({ config }: Context, { id }: ShownImport, label: string): Html {
  return html`<form method="post" action="${basePath(config)}/repo/migrate/${String(id)}/give-up"><button class="button" type="submit">${label}</button></form>`
}

/** One of several. */
export function renderImport(ctx: Context, shown: ShownImport): Html {
  const { owner, name, reason } = shown
  const path = `${basePath(ctx.config)}/${encodeSegment(owner.name)}/${encodeSegment(name)}`
  const isOver = reason !== ''
  return html`
<div class="sheet notice">
<p><a href="${path}">${owner.name}/${name}</a>: ${isOver ? reason : 'is being imported'}</p>
<div class="actions">${renderGivingUp(ctx, shown, isOver ? 'Delete' : 'Cancel')}</div>
</div>`
}
