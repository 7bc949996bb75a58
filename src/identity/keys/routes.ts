import type { Context, Credential } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { created, noContent, ok, type Answer } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import type { Account } from '../users/account.ts'
import { findById, loadVisibleAccount } from '../users/load.ts'
import { presentPublicKey, readNewPublicKey } from './present.ts'
import {
  addPublicKey,
  loadPublicKey,
  publicKeysOf,
  removePublicKey,
  removePublicKeyOf,
} from './public-keys.ts'
import {
  adminCreatePublicKey,
  adminDeleteUserPublicKey,
  CreateKeyOption,
  userCurrentDeleteKey,
  userCurrentGetKey,
  userCurrentListKeys,
  userCurrentPostKey,
  userListKeys,
} from './schema.ts'

type Shown = ReturnType<typeof presentPublicKey>

export function publicKeyRoutes(api: Api, ctx: Context): void {
  api.get('/user/keys', userCurrentListKeys, async (call) =>
    answerKeys(ctx, call, call.signedIn().account),
  )

  api.post('/user/keys', userCurrentPostKey, async (call) => {
    const { account } = call.signedIn()
    return createKey(ctx, call, account, call.caller.credential)
  })

  api.get('/user/keys/:id', userCurrentGetKey, async (call) => {
    const key = await loadPublicKey(ctx, call.id('id'))
    const owner = await findById(ctx, key.accountId)
    if (!owner) throw notFound()
    return ok(presentPublicKey(ctx.config, call.caller, key, owner))
  })

  api.delete('/user/keys/:id', userCurrentDeleteKey, async (call) => {
    await removePublicKey(ctx, call.signedIn(), call.id('id'), call.trace)
    return noContent()
  })

  api.get('/users/:username/keys', userListKeys, async (call) => {
    const owner = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    call.signedIn()
    return answerKeys(ctx, call, owner)
  })
}

export function adminPublicKeyRoutes(api: Api, ctx: Context): void {
  api.post('/admin/users/:username/keys', adminCreatePublicKey, async (call) => {
    const owner = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    // Whoever administers accounts may set their passwords, too.
    return createKey(ctx, call, owner, { kind: 'none' })
  })

  api.delete('/admin/users/:username/keys/:id', adminDeleteUserPublicKey, async (call) => {
    const owner = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    await removePublicKeyOf(ctx, owner, call.id('id'), call.trace)
    return noContent()
  })
}

async function createKey(
  ctx: Context,
  call: Call,
  owner: Account,
  adder: Credential,
): Promise<Answer<Shown>> {
  const body = await call.body(CreateKeyOption)
  const key = await addPublicKey(ctx, owner, readNewPublicKey(body), { trace: call.trace, adder })
  return created(presentPublicKey(ctx.config, call.caller, key, owner))
}

async function answerKeys(ctx: Context, call: Call, owner: Account): Promise<Answer<Shown[]>> {
  const fingerprint = call.query.text('fingerprint') || undefined
  const found = await publicKeysOf(ctx, owner, call.page, fingerprint)
  const present = (key: (typeof found.items)[number]) =>
    presentPublicKey(ctx.config, call.caller, key, owner)
  return call.list(found, present, { links: false })
}
