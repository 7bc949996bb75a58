import { anonymous, type Caller, type Context } from '../../platform/context.ts'
import type { Page, PageOf } from '../../platform/db/page.ts'
import type { Account } from './account.ts'
import { searchEmailAddresses, type OwnedAddress } from './email-queries.ts'
import { listPeople, type PeopleFilter } from './queries.ts'

const PAGE = 500

const unfiltered: PeopleFilter = {
  text: '',
  loginName: undefined,
  sourceId: undefined,
  visibility: undefined,
  isActive: undefined,
  isAdmin: undefined,
  isRestricted: undefined,
  hasTwoFactor: undefined,
  prohibitLogin: undefined,
  sort: 'name',
  direction: 'asc',
}

/** Those of all people whom an administrator looks for, by name unless asked for otherwise. */
export async function listEverybody(
  ctx: Context,
  caller: Caller,
  filter: Partial<PeopleFilter>,
  page: Page,
): Promise<PageOf<Account>> {
  return listPeople(ctx.db, caller, { ...unfiltered, ...filter }, page)
}

export type { OwnedAddress }

/** The addresses of all people that have `text` in them, or in a name of the person. */
export async function findAddresses(
  ctx: Context,
  text: string,
  page: Page,
): Promise<PageOf<OwnedAddress>> {
  return searchEmailAddresses(ctx.db, text, page)
}

/** All people, or the administrators among them, by id: for whoever runs the server. */
export async function allPeople(
  ctx: Context,
  { onlyAdmins }: { onlyAdmins: boolean },
): Promise<readonly Account[]> {
  const filter = { isAdmin: onlyAdmins ? true : undefined, sort: 'id' } as const
  const people: Account[] = []
  for (let number = 1; ; number++) {
    const page = { number, limit: PAGE, offset: people.length }
    const { items } = await listEverybody(ctx, anonymous, filter, page)
    people.push(...items)
    if (items.length < PAGE) return people
  }
}
