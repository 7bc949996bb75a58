import { createHash } from 'node:crypto'
import type { Config } from '../../../platform/config/config.ts'
import { baseHostname } from '../../../platform/config/urls.ts'
import { invalid } from '../../../platform/errors.ts'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40
const HEAD_BYTES = 37
const MODEL_BYTES = 16
const MAX_ID_BYTES = 1023

/** What a key says of itself. */
export interface AuthenticatorData {
  /** Digest of the site that it answers for. */
  readonly site: Buffer
  readonly isUserPresent: boolean
  /** By a PIN, a finger or a face: it is its owner who has touched it. */
  readonly isUserVerified: boolean
  readonly signCount: number
  /** Of a key that is new. */
  readonly credentialId: Buffer | undefined
}

export function readAuthenticatorData(bytes: Buffer): AuthenticatorData {
  if (bytes.length < HEAD_BYTES) throw cutShort()
  const flags = bytes.readUInt8(32)
  return {
    site: bytes.subarray(0, 32),
    isUserPresent: (flags & USER_PRESENT) !== 0,
    isUserVerified: (flags & USER_VERIFIED) !== 0,
    signCount: bytes.readUInt32BE(33),
    credentialId: (flags & HAS_CREDENTIAL) === 0 ? undefined : credentialIn(bytes),
  }
}

function credentialIn(bytes: Buffer): Buffer {
  const start = HEAD_BYTES + MODEL_BYTES + 2
  if (bytes.length < start) throw cutShort()
  const length = bytes.readUInt16BE(start - 2)
  if (length === 0 || length > MAX_ID_BYTES || bytes.length < start + length) throw cutShort()
  return bytes.subarray(start, start + length)
}

function cutShort(): Error {
  return invalid('the answer of the security key cannot be read')
}

/** Somebody has touched it, for this site. */
export function assertGivenHere(config: Config, data: AuthenticatorData): void {
  if (!data.site.equals(digest(siteOf(config)))) {
    throw invalid('the security key answers for another site')
  }
  if (!data.isUserPresent) throw invalid('nobody has touched the security key')
}

/** The host of the configured root URL. */
export function siteOf(config: Config): string {
  return baseHostname(config)
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
