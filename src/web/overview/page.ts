import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import type { Page as ListPage, PageOf } from '../../platform/db/page.ts'
import type { IssueView } from '../../collaboration/issues/view.ts'
import { countText } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { renderItem } from '../issues/item.ts'
import { pathOfOther } from '../issues/paths.ts'
import type { Page } from '../layout.ts'
import type { Look } from '../look.ts'
import { renderPager } from '../pages/pager.ts'
import { concerns, toSearch, type Asked, type Concern, type Kind } from './asked.ts'

interface Listed {
  readonly kind: Kind
  readonly asked: Asked
  readonly page: ListPage
  readonly found: PageOf<IssueView>
}

export function overviewPage(look: Look, listed: Listed): Page {
  const { ctx, request } = look
  const { kind, page, found } = listed
  return {
    title: kind.title,
    content: html`<h1>${kind.title}</h1>
<div class="row">${renderConcerns(look, listed)}${renderStates(look, listed)}</div>
${renderFilter(look, listed)}
${found.total === 0 ? renderNone(listed) : html`<ul class="issues plain sheet">${found.items.map((item) => renderLine(look, item))}</ul>`}
${renderPager(ctx.config, request, page, found.total)}`,
  }
}

function renderConcerns(look: Look, { kind, asked, found }: Listed): Html {
  const link = (concern: Concern) => {
    const isCurrent = concern === asked.concern
    const count = isCurrent && html` <span class="n">${countText(found.total)}</span>`
    return renderChoice(
      addressOf(look, kind, { ...asked, concern }),
      html`${concerns[concern].label}${count}`,
      isCurrent,
    )
  }
  return html`<nav class="states" aria-label="Concern">${kind.concerns.map(link)}</nav>`
}

function renderStates(look: Look, { kind, asked }: Listed): Html {
  const link = (state: Asked['state'], label: string) =>
    renderChoice(addressOf(look, kind, { ...asked, state }), label, state === asked.state)
  return html`<nav class="states end" aria-label="State">${link('open', 'Open')}${link('closed', 'Closed')}</nav>`
}

function renderChoice(address: string, label: Part, isCurrent: boolean): Html {
  return html`<a href="${address}"${isCurrent && html` aria-current="true"`}>${label}</a>`
}

function renderFilter({ ctx }: Look, { kind, asked }: Listed): Html {
  const label = `Find among your ${kind.name}s`
  return html`
<form class="filter" role="search" aria-label="This list" action="${basePath(ctx.config)}/${kind.path}">
<input type="hidden" name="type" value="${asked.concern}"><input type="hidden" name="state" value="${asked.state}">
<input type="search" name="q" value="${asked.text}" placeholder="${label}" aria-label="${label}">
<button class="button" type="submit">Search</button>
</form>`
}

function renderLine({ ctx }: Look, item: IssueView): Html {
  const { ownerName, name } = item.home
  const home = `${basePath(ctx.config)}/${encodeSegment(ownerName)}/${encodeSegment(name)}`
  const repository = html`<a href="${home}">${ownerName}/${name}</a> `
  return renderItem(ctx, item, { path: pathOfOther(ctx.config, item), repository })
}

const purposes: Readonly<Record<Concern, string>> = {
  assigned: 'What others wait for you to do is listed here.',
  created_by: 'What you open in any repository is listed here.',
  mentioned: 'Where somebody writes @ and your name is listed here.',
  review_requested: 'What somebody asks you to look at is listed here.',
}

function renderNone({ kind, asked }: Listed): Html {
  const title =
    asked.text === '' ? `There is no ${asked.state} ${kind.name}` : `No ${kind.name} fits`
  return html`<section class="sheet empty"><h2>${title}</h2><p class="mute">${purposes[asked.concern]}</p></section>`
}

function addressOf({ ctx }: Look, { path }: Kind, asked: Asked): string {
  return `${basePath(ctx.config)}/${path}?${toSearch(asked)}`
}
