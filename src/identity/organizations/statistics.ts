import type { Context } from '../../platform/context.ts'
import { mapPage, type Page, type PageOf } from '../../platform/db/page.ts'
import type { Account } from '../users/account.ts'
import { countMembers, countOrganizations, listOrganizations } from './queries.ts'

export async function organizationCount({ db }: Context): Promise<number> {
  return countOrganizations(db)
}

export interface CountedOrganization {
  readonly org: Account
  readonly members: number
}

/** All organizations that `text` is part of the name of, for administrators. */
export async function listCounted(
  ctx: Context,
  text: string,
  page: Page,
): Promise<PageOf<CountedOrganization>> {
  const found = await listOrganizations(ctx.db, { text }, page)
  const ids = found.items.map(({ id }) => id)
  const members = await countMembers(ctx.db, ids)
  return mapPage(found, (org) => ({ org, members: members.get(org.id) ?? 0 }))
}
