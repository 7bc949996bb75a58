import { anonymous, type Context } from '../context.ts'
import type { Account } from './account.ts'
import { listPeople } from './queries.ts'

const PAGE = 500

/** All people, or the administrators among them, by id: for whoever runs the server. */
export async function allPeople(
  ctx: Context,
  { onlyAdmins }: { onlyAdmins: boolean },
): Promise<readonly Account[]> {
  const filter = {
    text: '',
    loginName: undefined,
    sourceId: undefined,
    visibility: undefined,
    isActive: undefined,
    isAdmin: onlyAdmins ? true : undefined,
    isRestricted: undefined,
    hasTwoFactor: undefined,
    prohibitLogin: undefined,
    sort: 'id',
    direction: 'asc',
  } as const
  const people: Account[] = []
  for (let number = 1; ; number++) {
    const page = { number, limit: PAGE, offset: people.length }
    const { items } = await listPeople(ctx.db, anonymous, filter, page)
    people.push(...items)
    if (items.length < PAGE) return people
  }
}
