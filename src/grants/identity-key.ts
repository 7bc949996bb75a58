import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  sign,
  type JsonWebKey,
} from 'node:crypto'
import { promisify } from 'node:util'
import type { Context } from '../context.ts'
import { keptBy } from '../kept-by.ts'
import type { Sign } from './jwt.ts'
import { findIdentityKey, insertIdentityKey } from './queries.ts'

/** Signs who somebody is, so that others can check it without asking. */
export interface IdentityKey {
  readonly id: string
  readonly publicKey: JsonWebKey
  readonly sign: Sign
}

/** Made when it is first needed; all nodes use the same. */
export const loadIdentityKey = keptBy(async (ctx: Context): Promise<IdentityKey> => {
  if ((await findIdentityKey(ctx.db)) === undefined) await addKey(ctx)
  const sealed = await findIdentityKey(ctx.db)
  if (sealed === undefined) throw new Error('the key for identities is not there')
  return toKey(ctx.secrets.unseal('identity-key', sealed))
})

/** Another node may add one at the same moment: the first counts for both. */
async function addKey(ctx: Context): Promise<void> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  await insertIdentityKey(ctx.db, {
    private_key: ctx.secrets.seal('identity-key', pem),
    created_at: ctx.now(),
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
