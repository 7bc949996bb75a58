import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { noContent, type Answer } from '../../platform/http/answer.ts'
import type { Api, Endpoint } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import { enterAsOwner } from '../organizations/access.ts'
import type { Account } from '../users/account.ts'
import { loadVisibleAccount } from '../users/load.ts'
import { presentUser } from '../users/present.ts'
import type { UserBody } from '../users/schema.ts'
import { isShownTo } from '../users/visibility.ts'
import { blockAccount, unblockAccount } from './block.ts'
import { followAccount, unfollowAccount } from './follow.ts'
import { isBlocking, isFollowing, listRelated } from './queries.ts'
import {
  organizationBlockUser,
  organizationCheckUserBlock,
  organizationListBlocks,
  organizationUnblockUser,
  userBlockUser,
  userCheckFollowing,
  userCheckUserBlock,
  userCurrentCheckFollowing,
  userCurrentDeleteFollow,
  userCurrentListFollowers,
  userCurrentListFollowing,
  userCurrentPutFollow,
  userListBlocks,
  userListFollowers,
  userListFollowing,
  userUnblockUser,
} from './schema.ts'

export function followerRoutes(api: Api, ctx: Context): void {
  api.get('/user/followers', userCurrentListFollowers, async (call) =>
    answerRelated(ctx, call, 'followers', call.signedIn().account),
  )

  api.get('/user/following', userCurrentListFollowing, async (call) =>
    answerRelated(ctx, call, 'following', call.signedIn().account),
  )

  api.get('/user/following/:username', userCurrentCheckFollowing, async (call) => {
    const { account } = call.signedIn()
    const followed = await loadNamed(ctx, call)
    return yesOrNotFound(await isFollowing(ctx.db, { from: account.id, to: followed.id }))
  })

  api.put('/user/following/:username', userCurrentPutFollow, async (call) => {
    const { account } = call.signedIn()
    await followAccount(ctx, account, await loadNamed(ctx, call))
    return noContent()
  })

  api.delete('/user/following/:username', userCurrentDeleteFollow, async (call) => {
    const { account } = call.signedIn()
    await unfollowAccount(ctx, account, await loadNamed(ctx, call))
    return noContent()
  })

  api.get('/users/:username/followers', userListFollowers, async (call) => {
    const account = await loadNamed(ctx, call)
    call.signedIn()
    return answerRelated(ctx, call, 'followers', account)
  })

  api.get('/users/:username/following', userListFollowing, async (call) => {
    const account = await loadNamed(ctx, call)
    call.signedIn()
    return answerRelated(ctx, call, 'following', account)
  })

  api.get('/users/:username/following/:target', userCheckFollowing, async (call) => {
    const follower = await loadNamed(ctx, call)
    call.signedIn()
    const followed = await loadVisibleAccount(ctx, call.caller, call.param('target'))
    return yesOrNotFound(await isFollowing(ctx.db, { from: follower.id, to: followed.id }))
  })
}

export function blockRoutes(api: Api, ctx: Context): void {
  addBlocks(api, ctx, '/user/blocks', ofCaller, async (call) => call.signedIn().account)
  addBlocks(api, ctx, '/orgs/:org/blocks', ofOrganization, async (call) => {
    const { org } = await enterAsOwner(ctx, call)
    return org
  })
}

type BlockEndpoints = Readonly<Record<'list' | 'check' | 'block' | 'unblock', Endpoint>>

const ofCaller: BlockEndpoints = {
  list: userListBlocks,
  check: userCheckUserBlock,
  block: userBlockUser,
  unblock: userUnblockUser,
}

const ofOrganization: BlockEndpoints = {
  list: organizationListBlocks,
  check: organizationCheckUserBlock,
  block: organizationBlockUser,
  unblock: organizationUnblockUser,
}

/** One set of routes for whoever blocks: the caller, or an organization. */
function addBlocks(
  api: Api,
  ctx: Context,
  path: string,
  { list, check, block, unblock }: BlockEndpoints,
  loadBlocker: (call: Call) => Promise<Account>,
): void {
  api.get(path, list, async (call) => answerRelated(ctx, call, 'blocks', await loadBlocker(call)))

  api.get(`${path}/:username`, check, async (call) => {
    const blocker = await loadBlocker(call)
    const blocked = await loadNamed(ctx, call)
    return yesOrNotFound(await isBlocking(ctx.db, { from: blocker.id, to: blocked.id }))
  })

  api.put(`${path}/:username`, block, async (call) => {
    const blocker = await loadBlocker(call)
    await blockAccount(ctx, call.signedIn().account, blocker, await loadNamed(ctx, call))
    return noContent()
  })

  api.delete(`${path}/:username`, unblock, async (call) => {
    const blocker = await loadBlocker(call)
    await unblockAccount(ctx, blocker, await loadNamed(ctx, call))
    return noContent()
  })
}

async function loadNamed(ctx: Context, call: Call): Promise<Account> {
  return loadVisibleAccount(ctx, call.caller, call.param('username'))
}

async function answerRelated(
  ctx: Context,
  call: Call,
  relation: Parameters<typeof listRelated>[1],
  { id }: Account,
): Promise<Answer<UserBody[]>> {
  const visible = isShownTo(ctx.config, call.caller)
  const found = await listRelated(ctx.db, relation, id, visible, call.page)
  const present = (account: Account) => presentUser(ctx.config, call.caller, account)
  return call.list(found, present, { links: false })
}

function yesOrNotFound(yes: boolean): Answer<never> {
  if (!yes) throw notFound()
  return noContent()
}
