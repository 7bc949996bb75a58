import type { Key, Subkey } from 'openpgp'
import { invalid } from '../../platform/errors.ts'
import { isGpgSignatureOf, readGpgSignature } from './gpg-signature.ts'

/** A primary key or a subkey. */
export interface GpgKeyPart {
  readonly keyId: string
  readonly canSign: boolean
  readonly canEncryptComms: boolean
  readonly canEncryptStorage: boolean
  readonly canCertify: boolean
  readonly createdAt: number
  /** 0: never. */
  readonly expiresAt: number
}

export interface ReadGpgKey extends GpgKeyPart {
  readonly armored: string
  /** In its user ids, in lower case. */
  readonly emails: readonly string[]
  readonly subkeys: readonly GpgKeyPart[]
}

const MAX_SUBKEYS = 100

/** Bits of RFC 9580, section 5.2.3.29. */
const flags = { certify: 1, sign: 2, encryptComms: 4, encryptStorage: 8 }

/** What keys are for that do not say it: as those of the time before flags were used. */
const primaryDefault = flags.certify | flags.sign
const subkeyDefault = flags.encryptComms | flags.encryptStorage

/**
 * A key that stands alone is kept as it was given, so that clients find what they sent; of what
 * else is said nothing is.
 */
const isArmorAlone =
  /^-----BEGIN PGP PUBLIC KEY BLOCK-----\r?\n[^-]+-----END PGP PUBLIC KEY BLOCK-----\s*$/

/**
 * Everything is taken from parts that the primary key has signed: around a public key anybody can
 * put names and subkeys that are not its owner's.
 */
export async function readGpgKey(armored: string, now: number): Promise<ReadGpgKey> {
  const key = await parseKey(armored)
  const date = new Date(now * 1000)
  if (await key.isRevoked(undefined, undefined, date)) throw unreadable('the key is revoked')
  if (key.subkeys.length > MAX_SUBKEYS) throw unreadable('the key has too many subkeys')
  const { selfCertification } = await key.getPrimaryUser(date).catch((cause: unknown) => {
    throw unreadable('the key has no valid user id', cause)
  })
  const uses = selfCertification.keyFlags?.[0] ?? primaryDefault
  return {
    ...describe(key, uses, await key.getExpirationTime()),
    armored: isArmorAlone.test(armored) ? armored : key.armor(),
    emails: await readEmails(key, date),
    subkeys: await readSubkeys(key),
  }
}

/** Whether `text` was signed with the key or a subkey of it. */
export async function hasSigned(
  armoredKey: string,
  armoredSignature: string,
  text: string,
): Promise<boolean> {
  const signature = await readGpgSignature(armoredSignature.trim())
  if (!signature) return false
  const key = await parseKey(armoredKey)
  // `echo` ends its line, `printf` does not.
  for (const signed of [text, `${text}\n`, `${text}\r\n`]) {
    if (await isGpgSignatureOf(signature, Buffer.from(signed), key)) return true
  }
  return false
}

/** Loaded only where it is used: it is large, and few calls are about keys. */
export async function parseKey(armored: string): Promise<Key> {
  const { readKeys } = await import('openpgp')
  const keys = await readKeys({ armoredKeys: armored }).catch((cause: unknown) => {
    throw unreadable((cause as Error).message, cause)
  })
  const [key] = keys
  if (!key || keys.length > 1) throw unreadable('expected one key')
  if (key.isPrivate()) throw unreadable('this is a private key, which should not be given away')
  return key
}

async function readEmails(key: Key, date: Date): Promise<readonly string[]> {
  const emails = await Promise.all(
    key.users.map(async (user) => {
      const isValid = await user.verify(date).catch(() => false)
      return isValid ? (user.userID?.email.toLowerCase() ?? '') : ''
    }),
  )
  return [...new Set(emails.filter((email) => email !== ''))]
}

async function readSubkeys(key: Key): Promise<readonly GpgKeyPart[]> {
  const read = await Promise.all(key.subkeys.map((subkey) => readSubkey(key, subkey)))
  return read.filter((part) => part !== undefined)
}

async function readSubkey(key: Key, subkey: Subkey): Promise<GpgKeyPart | undefined> {
  // Without a date: what a subkey signed before it expired stays signed.
  const anyTime = null as unknown as Date
  const binding = await subkey.verify(anyTime).catch(() => undefined)
  if (!binding) return undefined
  const part = describe(
    subkey,
    binding.keyFlags?.[0] ?? subkeyDefault,
    await subkey.getExpirationTime(anyTime),
  )
  return { ...part, canSign: part.canSign && (await hasAgreedToSign(key, subkey)) }
}

/**
 * A subkey that signs must have signed the primary key in turn: else anybody could claim its
 * signatures.
 */
async function hasAgreedToSign(key: Key, subkey: Subkey): Promise<boolean> {
  return key.getSigningKey(subkey.getKeyID(), null).then(
    () => true,
    () => false,
  )
}

function describe(
  key: Key | Subkey,
  uses: number,
  expiry: Date | typeof Infinity | null,
): GpgKeyPart {
  return {
    keyId: key.getKeyID().toHex().toUpperCase(),
    canSign: (uses & flags.sign) !== 0,
    canEncryptComms: (uses & flags.encryptComms) !== 0,
    canEncryptStorage: (uses & flags.encryptStorage) !== 0,
    canCertify: (uses & flags.certify) !== 0,
    createdAt: toSeconds(key.getCreationTime()),
    expiresAt: expiry instanceof Date ? toSeconds(expiry) : 0,
  }
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

function unreadable(reason: string, cause?: unknown): Error {
  return invalid(`failed to parse gpg key: ${reason}`, { cause, reason: 'key_invalid' })
}
