import type { Static } from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import { apiUrl } from '../../platform/config/urls.ts'
import { isSiteAdmin, type Caller } from '../../platform/context.ts'
import { formatTime } from '../../platform/time.ts'
import type { Account } from '../users/account.ts'
import { presentUser } from '../users/present.ts'
import type { NewPublicKey } from './public-keys.ts'
import type { GpgKey, GpgKeyRing } from './gpg-queries.ts'
import type { PublicKey } from './queries.ts'
import type { CreateKeyOption, GpgKeyBody, PublicKeyBody } from './schema.ts'

type Shown = Static<typeof PublicKeyBody>
type ShownGpgKey = Static<typeof GpgKeyBody>

/** Whose key it is, is told to the owner and to administrators. */
export function presentPublicKey(
  config: Config,
  caller: Caller,
  key: PublicKey,
  owner: Account,
): Shown {
  const full = caller.account?.id === owner.id || isSiteAdmin(caller)
  return {
    id: key.id,
    key: key.content,
    url: `${apiUrl(config)}/user/keys/${key.id}`,
    title: key.title,
    fingerprint: key.fingerprint,
    created_at: formatTime(key.createdAt),
    last_used_at: formatTime(key.lastUsedAt),
    ...(full ? { user: presentUser(config, caller, owner), key_type: 'user' } : {}),
    read_only: key.isReadOnly,
  }
}

export function readNewPublicKey(body: Static<typeof CreateKeyOption>): NewPublicKey {
  return { title: body.title, key: body.key, isReadOnly: body.read_only ?? false }
}

/** Of the addresses in the key, those are shown that the account has proved to be its own. */
export function presentGpgKey(
  { primary, subkeys }: GpgKeyRing,
  ownAddresses: ReadonlySet<string>,
): ShownGpgKey {
  const emails = primary.emails.filter((address) => ownAddresses.has(address))
  return {
    ...presentParts(primary, ''),
    emails: emails.map((email) => ({ email, verified: true })),
    subkeys: subkeys.map((subkey) => ({
      ...presentParts(subkey, primary.keyId),
      emails: [],
      subkeys: [],
    })),
  }
}

function presentParts(key: GpgKey, primaryKeyId: string): Omit<ShownGpgKey, 'emails' | 'subkeys'> {
  return {
    id: key.id,
    primary_key_id: primaryKeyId,
    key_id: key.keyId,
    public_key: key.content,
    can_sign: key.canSign,
    can_encrypt_comms: key.canEncryptComms,
    can_encrypt_storage: key.canEncryptStorage,
    can_certify: key.canCertify,
    verified: key.isVerified,
    created_at: formatTime(key.createdAt),
    expires_at: formatTime(key.expiresAt),
  }
}
