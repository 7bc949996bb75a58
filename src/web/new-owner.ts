import type { Context, SignedInCaller } from '../platform/context.ts'
import { invalid, isNotFound } from '../platform/errors.ts'
import { listMemberships } from '../identity/organizations/memberships.ts'
import { loadForCreation, mayCreateFor } from '../repositories/repository/may-create.ts'
import type { Account } from '../identity/users/account.ts'

const MAX_ORGANIZATIONS = 100

/** Whom a form names as the owner of something new: the viewer, unless it is an organization. */
export async function ownerOf(
  ctx: Context,
  viewer: SignedInCaller,
  name: string,
): Promise<Account> {
  const { account } = viewer
  const isOwn = name === '' || name.toLowerCase() === account.name.toLowerCase()
  return isOwn ? account : loadForCreation(ctx, viewer, name).catch(asUnknown)
}

/** What the viewer may not see is not there. */
function asUnknown(error: unknown): never {
  const isUnseen = isNotFound(error)
  throw isUnseen
    ? invalid('org does not exist', { cause: error, reason: 'organization_missing' })
    : error
}

/** The viewer, and the organizations in which they may create. */
export async function ownersFor(ctx: Context, viewer: SignedInCaller): Promise<readonly Account[]> {
  const page = { number: 1, limit: MAX_ORGANIZATIONS, offset: 0 }
  const { items } = await listMemberships(ctx, viewer, viewer.account, page)
  const allowed = await Promise.all(items.map((org) => mayCreateFor(ctx, viewer, org)))
  return [viewer.account, ...items.filter((_org, at) => allowed[at])]
}
