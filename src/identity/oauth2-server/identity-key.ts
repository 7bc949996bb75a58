import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  sign,
  type JsonWebKey,
} from 'node:crypto'
import { promisify } from 'node:util'
import type { Context } from '../../platform/context.ts'
import { lock } from '../../platform/db/lock.ts'
import { keptBy } from '../../platform/caches/kept-by.ts'
import type { Sign } from './jwt.ts'
import { findIdentityKey, insertIdentityKey } from './queries.ts'

/** Signs who somebody is, so that others can check it without asking. */
export interface IdentityKey {
  readonly id: string
  readonly publicKey: JsonWebKey
  readonly sign: Sign
}

const keptOf = keptBy((_ctx: Context): { key?: IdentityKey } => ({}))

/** Made when it is first needed; all processes use the same. */
export async function loadIdentityKey(ctx: Context): Promise<IdentityKey> {
  const kept = keptOf(ctx)
  kept.key ??= toKey(ctx.secrets.unseal('identity-key', await findSealed(ctx)))
  return kept.key
}

async function findSealed(ctx: Context): Promise<string> {
  return (await findIdentityKey(ctx.db)) ?? addKey(ctx)
}

/** Another process may add one at the same moment: the first counts for both. */
async function addKey(ctx: Context): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const sealed = ctx.secrets.seal('identity-key', pem)
  return ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'identity_key')
    const known = await findIdentityKey(tx)
    if (known === undefined) {
      await insertIdentityKey(tx, { private_key: sealed, created_at: ctx.now() })
    }
    return known ?? sealed
  })
}

function toKey(pem: string): IdentityKey {
  const privateKey = createPrivateKey(pem)
  const { e, kty, n } = createPublicKey(privateKey).export({ format: 'jwk' })
  // As RFC 7638 has it.
  const id = createHash('sha256').update(JSON.stringify({ e, kty, n })).digest('base64url')
  return {
    id,
    publicKey: { kty, alg: 'RS256', use: 'sig', kid: id, e, n } as JsonWebKey,
    sign: (text) => sign('RSA-SHA256', Buffer.from(text), privateKey).toString('base64url'),
  }
}
