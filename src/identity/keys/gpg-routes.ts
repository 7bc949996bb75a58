import type { Context } from '../../platform/context.ts'
import { created, noContent, ok, plainText, type Answer } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import type { Call } from '../../platform/http/call.ts'
import type { Account } from '../users/account.ts'
import { loadVisibleAccount } from '../users/load.ts'
import {
  addGpgKey,
  gpgKeysOf,
  loadGpgKey,
  removeGpgKey,
  verificationToken,
  verifyGpgKey,
} from './gpg-keys.ts'
import type { GpgKeyRing } from './gpg-queries.ts'
import { presentGpgKey } from './present.ts'
import { findOwnAddresses } from './queries.ts'
import {
  CreateGpgKeyOption,
  getVerificationToken,
  userCurrentDeleteGPGKey,
  userCurrentGetGPGKey,
  userCurrentListGPGKeys,
  userCurrentPostGPGKey,
  userListGPGKeys,
  userVerifyGPGKey,
  VerifyGpgKeyOption,
} from './schema.ts'

type Shown = ReturnType<typeof presentGpgKey>

export function gpgKeyRoutes(api: Api, ctx: Context): void {
  api.get('/user/gpg_keys', userCurrentListGPGKeys, async (call) =>
    answerKeys(ctx, call, call.signedIn().account),
  )

  api.post('/user/gpg_keys', userCurrentPostGPGKey, async (call) => {
    const { account } = call.signedIn()
    const body = await call.body(CreateGpgKeyOption)
    const key = { armored: body.armored_public_key, signature: body.armored_signature ?? '' }
    return created(await present(ctx, account, await addGpgKey(ctx, account, key, call.trace)))
  })

  api.get('/user/gpg_keys/:id', userCurrentGetGPGKey, async (call) => {
    const { account } = call.signedIn()
    return ok(await present(ctx, account, await loadGpgKey(ctx, account, call.id('id'))))
  })

  api.delete('/user/gpg_keys/:id', userCurrentDeleteGPGKey, async (call) => {
    await removeGpgKey(ctx, call.signedIn().account, call.id('id'), call.trace)
    return noContent()
  })

  api.get('/user/gpg_key_token', getVerificationToken, async (call) =>
    plainText(verificationToken(ctx, call.signedIn().account)),
  )

  api.post('/user/gpg_key_verify', userVerifyGPGKey, async (call) => {
    const { account } = call.signedIn()
    const body = await call.body(VerifyGpgKeyOption)
    const proof = { keyId: body.key_id, signature: body.armored_signature }
    return created(await present(ctx, account, await verifyGpgKey(ctx, account, proof)))
  })

  api.get('/users/:username/gpg_keys', userListGPGKeys, async (call) => {
    const owner = await loadVisibleAccount(ctx, call.caller, call.param('username'))
    call.signedIn()
    return answerKeys(ctx, call, owner)
  })
}

async function present(ctx: Context, owner: Account, ring: GpgKeyRing): Promise<Shown> {
  return presentGpgKey(ring, await findOwnAddresses(ctx.db, owner.id))
}

async function answerKeys(ctx: Context, call: Call, owner: Account): Promise<Answer<Shown[]>> {
  const found = await gpgKeysOf(ctx, owner, call.page)
  const addresses = await findOwnAddresses(ctx.db, owner.id)
  return call.list(found, (ring) => presentGpgKey(ring, addresses), { links: false })
}
