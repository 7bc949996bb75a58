import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { invalid } from '../../errors.ts'

/** ES256, EdDSA and RS256, as browsers number them. */
export const algorithms = [-7, -8, -257] as const

const MAX_SPKI_BYTES = 2048

/** Of the kinds that are taken, as it is stored. */
export function readPublicKey(spki: Buffer): string {
  const key = spki.length > MAX_SPKI_BYTES ? undefined : parsed(spki)
  if (!key || !isTaken(key)) throw invalid('a security key of this kind is not taken')
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}

function parsed(spki: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

function isTaken({ asymmetricKeyType: kind, asymmetricKeyDetails: details }: KeyObject): boolean {
  if (kind === 'ed25519') return true
  if (kind === 'ec') return details?.namedCurve === 'prime256v1'
  const length = details?.modulusLength ?? 0
  const isUsual = length >= 2048 && length <= 4096 && details?.publicExponent === 65_537n
  return kind === 'rsa' && isUsual
}

/** What a key says of itself, and what it was asked. */
export interface Signed {
  readonly authenticatorData: Buffer
  readonly clientData: Buffer
  readonly signature: Buffer
}

export function isSignedBy(publicKey: string, signed: Signed): boolean {
  const key = parsed(Buffer.from(publicKey, 'base64'))
  if (!key) return false
  const asked = createHash('sha256').update(signed.clientData).digest()
  const text = Buffer.concat([signed.authenticatorData, asked])
  // Ed25519 has its own digest.
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  return verify(digest, text, key, signed.signature)
}
