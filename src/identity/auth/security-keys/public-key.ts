import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto'
import { invalid } from '../../../platform/errors.ts'

/** ES256, EdDSA and RS256, as browsers number them. */
export const algorithms = [-7, -8, -257] as const

const MAX_SPKI_BYTES = 2048

/**
 * How keys of these kinds begin, and how long they are where that is fixed. Nothing else is handed
 * on: Node reads a point at infinity, and throws, or ends the whole process, when it is asked about
 * it.
 */
const beginnings = [
  { hex: '3059301306072a8648ce3d020106082a8648ce3d03010703420004', length: 91 },
  { hex: '302a300506032b6570032100', length: 44 },
  { hex: '300d06092a864886f70d010101050003', after: 4 },
] as const

/** Of the kinds that are taken, as it is stored. */
export function readPublicKey(spki: Buffer): string {
  const key = spki.length > MAX_SPKI_BYTES ? undefined : parsed(spki)
  if (!key || !isTaken(key)) throw invalid('a security key of this kind is not taken')
  return key.export({ format: 'der', type: 'spki' }).toString('base64')
}

function parsed(spki: Buffer): KeyObject | undefined {
  if (!beginsRight(spki)) return undefined
  try {
    return createPublicKey({ key: spki, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

function beginsRight(spki: Buffer): boolean {
  return beginnings.some((one) => {
    const from = 'after' in one ? one.after : 0
    const isLong = 'length' in one ? spki.length === one.length : true
    return isLong && spki.subarray(from).toString('hex').startsWith(one.hex)
  })
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
