import { constants, createPublicKey, verify, type KeyObject } from 'node:crypto'
import type { Fields } from './provider.ts'

interface Algorithm {
  /** None where the algorithm has its own. */
  readonly hash: string | null
  readonly key: string
  readonly options: object
}

const pss = {
  padding: constants.RSA_PKCS1_PSS_PADDING,
  saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
}
const LEAST_RSA_BITS = 2048
const pair = { dsaEncoding: 'ieee-p1363' }

/** By their names in a JWT. None goes by a secret that both sides know, or by nothing. */
const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ['RS256', { hash: 'sha256', key: 'rsa', options: {} }],
  ['RS384', { hash: 'sha384', key: 'rsa', options: {} }],
  ['RS512', { hash: 'sha512', key: 'rsa', options: {} }],
  ['PS256', { hash: 'sha256', key: 'rsa', options: pss }],
  ['PS384', { hash: 'sha384', key: 'rsa', options: pss }],
  ['PS512', { hash: 'sha512', key: 'rsa', options: pss }],
  ['ES256', { hash: 'sha256', key: 'ec prime256v1', options: pair }],
  ['ES384', { hash: 'sha384', key: 'ec secp384r1', options: pair }],
  ['ES512', { hash: 'sha512', key: 'ec secp521r1', options: pair }],
  ['EdDSA', { hash: null, key: 'ed25519', options: {} }],
])

/**
 * Whether one of the keys has signed the text, by the algorithm and with the key that its head
 * names.
 */
export function isSignedBy(keys: readonly Fields[], text: string, signature: string): boolean {
  const head = readHead(text)
  const algorithm = algorithms.get(String(head['alg']))
  // What the signer holds to be critical, we know nothing of.
  if (!algorithm || head['crit'] !== undefined) return false
  const { kid } = head
  // Which of several it was, a signer has to say.
  if (kid === undefined && keys.length > 1) return false
  const named = keys.filter((key) => kid === undefined || key['kid'] === kid)
  return named.some((key) => hasSigned(key, algorithm, text, signature))
}

function readHead(text: string): Fields {
  const [head = ''] = text.split('.')
  return JSON.parse(Buffer.from(head, 'base64url').toString('utf8')) as Fields
}

function hasSigned(jwk: Fields, algorithm: Algorithm, text: string, signature: string): boolean {
  if (!isForSigning(jwk)) return false
  const key = toKey(jwk)
  if (!key || kindOf(key) !== algorithm.key || isShort(key)) return false
  const bytes = Buffer.from(signature, 'base64url')
  return verify(algorithm.hash, Buffer.from(text), { key, ...algorithm.options }, bytes)
}

function isForSigning({ use, key_ops: operations }: Fields): boolean {
  if (use !== undefined && use !== 'sig') return false
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'))
}

/** Those of RSA can be computed from the public half. */
function isShort({ asymmetricKeyDetails: details }: KeyObject): boolean {
  return (details?.modulusLength ?? LEAST_RSA_BITS) < LEAST_RSA_BITS
}

/** Keys of other kinds are none for this. */
function toKey(jwk: Fields): KeyObject | undefined {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' })
  } catch {
    return undefined
  }
}

function kindOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject): string {
  return type === 'ec' ? `ec ${details?.namedCurve ?? ''}` : String(type)
}
