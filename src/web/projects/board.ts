import { basePath, encodeSegment } from '../../platform/config/urls.ts'
import type { IssueView } from '../../collaboration/issues/view.ts'
import { renderMarkdown } from '../../platform/markup/render.ts'
import { viewBoard, type BoardColumn } from '../../collaboration/projects/board.ts'
import { MAX_COLUMNS, type Column } from '../../collaboration/projects/column.ts'
import type { Project } from '../../collaboration/projects/project.ts'
import { avatar } from '../avatar.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import { toProse } from '../prose.ts'
import { renderLabel } from '../issues/label.ts'
import { stateOf } from '../issues/state.ts'
import { renderColumnMenu } from './column-menu.ts'
import { boardPath, loadOfPage, type BoardsLook, type BoardsPage } from './look.ts'
import { titleText } from '../issues/title-text.ts'

export async function showBoard(look: BoardsLook): Promise<BoardsPage> {
  return renderBoard(look, await loadOfPage(look))
}

/** What was wrong with something that was to be put on it. */
export interface Misfit {
  readonly columnId: number
  readonly typed: string
  readonly problem: string
}

export async function renderBoard(
  look: BoardsLook,
  project: Project,
  misfit?: Misfit,
): Promise<BoardsPage> {
  const columns = await viewBoard(look.ctx, look.boards, project)
  const description = await renderMarkdown(project.description, {
    hardBreaks: true,
    hasNotes: true,
  })
  const isOpen = look.mayArrange
  return {
    title: project.title,
    content: html`
<div class="title"><h2>${project.title}</h2>${project.isClosed && html` <span class="tag">Closed</span>`}
<span class="end">${isOpen && html`<a class="button" href="${boardPath(look, project, 'edit')}">${icon('pencil')} Edit</a>`}</span></div>
${project.description !== '' && html`<div class="prose">${await toProse(description)}</div>`}
<project-board class="board" tabindex="0" role="region" aria-label="Columns"${isOpen && html` movable`}>
${columns.map((one) => renderColumn(look, project, one, { columns, misfit }))}
${isOpen && columns.length < MAX_COLUMNS && renderNewColumn(look, project)}
</project-board>`,
  }
}

interface Around {
  readonly columns: readonly BoardColumn[]
  readonly misfit: Misfit | undefined
}

function renderColumn(
  look: BoardsLook,
  project: Project,
  shown: BoardColumn,
  { columns, misfit }: Around,
): Html {
  const { column, items, total } = shown
  const isOpen = look.mayArrange
  const hidden = total - items.length
  return html`
<section class="column" data-column="${column.id}" data-hidden="${hidden}" aria-labelledby="column-${column.id}">
<header><h3 id="column-${column.id}">${renderColor(column)}${column.title} <span class="n">${total}</span></h3>
${isOpen && renderColumnMenu({ path: boardPath(look, project, 'columns', String(column.id)), column, position: columns.indexOf(shown) + 1, count: columns.length })}</header>
<ol class="cards">${items.map((one) => renderCard(look, project, one, { column, columns }))}</ol>
${hidden > 0 && html`<p class="mute">and ${hidden} more</p>`}
${isOpen && renderAdd(look, project, column, misfit?.columnId === column.id ? misfit : undefined)}
</section>`
}

/** An attribute of a picture: pages take no styles but those of the sheet. */
function renderColor({ color }: Column): Part {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return undefined
  return html`<svg viewBox="0 0 10 10" width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="${color}"/></svg> `
}

interface Within {
  readonly column: Column
  readonly columns: readonly BoardColumn[]
}

function renderCard(look: BoardsLook, project: Project, shown: IssueView, within: Within): Html {
  const { issue, home, labels, assignees } = shown
  const state = stateOf(shown)
  const name = look.naming.name(shown)
  const kind = issue.isPull ? 'pulls' : 'issues'
  const path = [home.ownerName, home.name, kind, issue.number].map(String).map(encodeSegment)
  const href = `${basePath(look.ctx.config)}/${path.join('/')}`
  return html`
<li class="card" data-card="${issue.id}">
<p><span class="mark-${state.mark}" title="${state.name}">${icon(state.icon)}<span class="unseen">${state.name}</span></span> <a href="${href}">${titleText(issue.title)}</a> <span class="mute">${name}</span></p>
${labels.length > 0 && html`<p class="labels">${labels.map(renderLabel)}</p>`}
${assignees.length > 0 && html`<p class="people">${assignees.map((one) => html`<span title="${one.name}">${avatar(look.ctx.config, one, 20)}</span>`)}</p>`}
${look.mayArrange && renderCardForms(boardPath(look, project, 'cards', String(issue.id)), name, within)}
</li>`
}

function renderCardForms(path: string, name: string, { column, columns }: Within): Html {
  const option = ({ column: { id, title } }: BoardColumn) =>
    html`<option value="${id}"${id === column.id && html` selected`}>${title}</option>`
  return html`<details><summary>Move<span class="unseen"> ${name}</span></summary>
<form method="post" action="${path}/move"><select name="column" aria-label="Column">${columns.map(option)}</select> <button class="button">Move to the end</button></form>
<form method="post" action="${path}/remove"><button class="button">Take off the board</button></form></details>`
}

function renderAdd(look: BoardsLook, project: Project, column: Column, misfit?: Misfit): Html {
  return html`<form class="add" method="post" action="${boardPath(look, project, 'cards/new')}">
<input type="hidden" name="column" value="${column.id}">
<input name="number" required placeholder="${look.naming.hint}" aria-label="${look.naming.hint} to put into ${column.title}" autocomplete="off" value="${misfit?.typed}"${misfit && html` aria-invalid="true" autofocus`}>
<button class="button">Add</button>
${misfit && html`<span class="problem" role="alert">${misfit.problem}</span>`}</form>`
}

function renderNewColumn(look: BoardsLook, project: Project): Html {
  return html`<section class="column"><form class="add" method="post" action="${boardPath(look, project, 'columns/new')}">
<input name="title" required maxlength="255" placeholder="New column" aria-label="Title of a new column" autocomplete="off"> <button class="button">Add</button></form></section>`
}
