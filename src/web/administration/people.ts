import { hasSecondFactor, type Account } from '../../identity/users/account.ts'
import { listEverybody } from '../../identity/users/everybody.ts'
import type { PeopleFilter } from '../../identity/users/queries.ts'
import { counted, timeAgo } from '../figures.ts'
import { renderChoices, type Choice } from '../forms/fields.ts'
import type { SettingsRow } from '../forms/settings.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Look, SignedInLook } from '../look.ts'
import { listPage, readAsked } from './list.ts'
import { adminPath } from './section.ts'

interface Group {
  readonly label: string
  readonly filter: Partial<PeopleFilter>
}

const groups: Readonly<Record<string, Group>> = {
  all: { label: 'Everybody', filter: {} },
  administrators: { label: 'Administrators', filter: { isAdmin: true } },
  inactive: { label: 'Not active', filter: { isActive: false } },
  locked: { label: 'May not sign in', filter: { prohibitLogin: true } },
  restricted: { label: 'Restricted', filter: { isRestricted: true } },
  two_factor: { label: 'With a second factor', filter: { hasTwoFactor: true } },
  one_factor: { label: 'Without a second factor', filter: { hasTwoFactor: false } },
}

const orders: Readonly<Record<string, Group>> = {
  name: { label: 'By name', filter: { sort: 'name', direction: 'asc' } },
  newest: { label: 'Newest', filter: { sort: 'created', direction: 'desc' } },
}

export async function showPeople(look: SignedInLook): Promise<Page> {
  const { ctx, viewer } = look
  const { page, text } = readAsked(look)
  const filter = { text, ...chosen(look, 'group', groups), ...chosen(look, 'order', orders) }
  const { items, total } = await listEverybody(ctx, viewer, filter, page)
  return listPage(look, 'users', {
    heading: 'People',
    above: html`<p><a class="button main" href="${adminPath(look, 'users', 'new')}">New account</a></p>`,
    find: 'Name or address',
    text,
    choices: renderSelections(look),
    rows: items.map((person) => renderPerson(look, person)),
    none: 'Nobody is so.',
    page,
    total,
    counted: counted(total, 'account'),
  })
}

function chosen(
  { query }: Look,
  name: string,
  among: Readonly<Record<string, Group>>,
): Partial<PeopleFilter> {
  const value = query.text(name) ?? ''
  return Object.hasOwn(among, value) ? (among[value]?.filter ?? {}) : {}
}

function renderSelections(look: Look): Html {
  const select = (name: string, label: string, among: Readonly<Record<string, Group>>) =>
    html`<select name="${name}" aria-label="${label}">${renderChoices(choicesOf(among), look.query.text(name) ?? '')}</select>`
  return html`${select('group', 'Who', groups)}
${select('order', 'Order', orders)}
`
}

function choicesOf(among: Readonly<Record<string, Group>>): readonly Choice[] {
  return Object.entries(among).map(([value, { label }]) => ({ value, label }))
}

function renderPerson(look: Look, person: Account): SettingsRow {
  const { name, fullName, email } = person
  const said = [...(fullName === '' ? [] : [fullName]), email].join(' · ')
  return {
    title: html`<a href="${adminPath(look, 'users', name)}">${name}</a> ${renderState(person)}`,
    about: html`${said} · ${renderLastSignIn(look, person)}`,
  }
}

/** What is out of the ordinary about an account. */
export function renderState(person: Account): Part {
  const tags = [
    person.isAdmin && 'Administrator',
    person.isRestricted && 'Restricted',
    !person.isActive && 'Not active',
    person.prohibitLogin && 'May not sign in',
    hasSecondFactor(person) && 'Second factor',
  ]
  return tags.map((tag) => tag !== false && html`<span class="tag">${tag}</span> `)
}

export function renderLastSignIn({ ctx }: Look, { lastLoginAt }: Account): Html {
  if (lastLoginAt === 0) return html`has not signed in yet`
  return html`signed in ${timeAgo(ctx.now(), lastLoginAt)}`
}
