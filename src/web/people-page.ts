import type { Page, PageOf } from '../platform/db/page.ts'
import { listFollowed, type Relation } from '../identity/followers/follow.ts'
import { signedIn } from '../platform/http/call.ts'
import { readPage } from '../platform/http/paging.ts'
import type { Account } from '../identity/users/account.ts'
import type { Look } from './look.ts'

export interface PeoplePage {
  readonly relation: Relation
  readonly found: PageOf<Account>
  readonly page: Page
}

/**
 * A page of those who follow somebody, or whom they follow: for those who are signed in, as in the
 * API.
 */
export async function loadPeoplePage(
  { ctx, viewer, query }: Look,
  person: Account,
  relation: Relation,
): Promise<PeoplePage> {
  const { number, limit, offset } = readPage(ctx.config, query)
  const page = { number, limit, offset }
  return {
    relation,
    page,
    found: await listFollowed(ctx, signedIn(viewer), person, relation, page),
  }
}
