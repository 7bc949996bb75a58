import { createHash, createPublicKey, verify, type JsonWebKey, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { toField, WireError, WireReader } from './wire-reader.ts'

const verifyAside = promisify<
  string | null,
  Buffer,
  { key: KeyObject; dsaEncoding: 'ieee-p1363' },
  Buffer,
  boolean
>(verify)

/**
 * Whether a key has signed `data`: key and signature in their binary form, each with the name of
 * its algorithm.
 */
export async function isSignedByKey(
  key: Buffer,
  signature: Buffer,
  data: Buffer,
): Promise<boolean> {
  const check = ifWellFormed(() => readCheck(key, signature, data))
  if (!check) return false
  const publicKey = { key: check.key, dsaEncoding: 'ieee-p1363' } as const
  return verifyAside(check.digest, check.data, publicKey, check.signature)
}

/** The parts of a signature by a device after what the key itself has made. */
const FLAGS_AND_COUNT_BYTES = 5
const SOMEBODY_WAS_THERE = 1

export function isDeviceKey(type: string): boolean {
  return algorithms.get(type)?.byDevice ?? false
}

/**
 * Like `isSignedByKey`, for what `ssh2` leaves of a signature by a device, which somebody must have
 * touched.
 */
export async function isSignedByDevice(
  key: { readonly algo: string; readonly data: Buffer },
  signature: Buffer,
  data: Buffer,
): Promise<boolean> {
  const made = signature.subarray(0, -FLAGS_AND_COUNT_BYTES)
  const flagsAndCount = signature.subarray(-FLAGS_AND_COUNT_BYTES)
  if (((flagsAndCount[0] ?? 0) & SOMEBODY_WAS_THERE) === 0) return false
  const whole = Buffer.concat([toField(key.algo), toField(made), flagsAndCount])
  return isSignedByKey(key.data, whole, data)
}

interface Algorithm {
  /** The type of the keys that sign so. */
  readonly keyType: string
  /** Ed25519 does it by itself. */
  readonly digest: string | null
  readonly readKey: (reader: WireReader) => JsonWebKey
  /** Of the two numbers that a signature on a curve is. */
  readonly numberBytes?: number
  /** Whether a device has signed, which adds what it knows. */
  readonly byDevice?: boolean
}

const ed25519 = { digest: null, readKey: readEd25519 }
const p256 = { digest: 'sha256', numberBytes: 32, readKey: ecdsaReader('P-256', 32) }
const p384 = { digest: 'sha384', numberBytes: 48, readKey: ecdsaReader('P-384', 48) }
const p521 = { digest: 'sha512', numberBytes: 66, readKey: ecdsaReader('P-521', 66) }

/** By their names; `ssh-rsa`, which uses SHA-1, is not among them. */
const algorithms = new Map<string, Algorithm>(
  Object.entries({
    'ssh-ed25519': { ...ed25519, keyType: 'ssh-ed25519' },
    'rsa-sha2-256': { digest: 'sha256', readKey: readRsa, keyType: 'ssh-rsa' },
    'rsa-sha2-512': { digest: 'sha512', readKey: readRsa, keyType: 'ssh-rsa' },
    'ecdsa-sha2-nistp256': { ...p256, keyType: 'ecdsa-sha2-nistp256' },
    'ecdsa-sha2-nistp384': { ...p384, keyType: 'ecdsa-sha2-nistp384' },
    'ecdsa-sha2-nistp521': { ...p521, keyType: 'ecdsa-sha2-nistp521' },
    'sk-ssh-ed25519@openssh.com': {
      ...ed25519,
      keyType: 'sk-ssh-ed25519@openssh.com',
      byDevice: true,
    },
    'sk-ecdsa-sha2-nistp256@openssh.com': {
      ...p256,
      keyType: 'sk-ecdsa-sha2-nistp256@openssh.com',
      byDevice: true,
    },
  }),
)

/** A question that Node's cryptography answers. */
interface Check {
  readonly digest: string | null
  readonly key: KeyObject
  readonly data: Buffer
  readonly signature: Buffer
}

function readCheck(key: Buffer, signature: Buffer, signed: Buffer): Check | undefined {
  const keyReader = new WireReader(key)
  const reader = new WireReader(signature)
  const algorithm = algorithms.get(reader.text())
  if (!algorithm || keyReader.text() !== algorithm.keyType) return undefined
  const { digest, readKey, numberBytes, byDevice } = algorithm
  const publicKey = createPublicKey({ key: readKey(keyReader), format: 'jwk' })
  const made = reader.field()
  const data = byDevice
    ? withDevice(keyReader.field(), reader.take(FLAGS_AND_COUNT_BYTES), signed)
    : signed
  reader.end()
  return {
    digest,
    key: publicKey,
    data,
    signature: numberBytes === undefined ? made : joinNumbers(made, numberBytes),
  }
}

/** What a device signs: for which application, that somebody was there, how often, and for what. */
function withDevice(application: Buffer, flagsAndCount: Buffer, signed: Buffer): Buffer {
  return Buffer.concat([sha256(application), flagsAndCount, sha256(signed)])
}

function readEd25519(reader: WireReader): JsonWebKey {
  return { kty: 'OKP', crv: 'Ed25519', x: reader.field().toString('base64url') }
}

function readRsa(reader: WireReader): JsonWebKey {
  const e = reader.field().toString('base64url')
  return { kty: 'RSA', e, n: reader.field().toString('base64url') }
}

function ecdsaReader(crv: string, bytes: number): (reader: WireReader) => JsonWebKey {
  return (reader) => {
    reader.text()
    const point = reader.field().subarray(1)
    const x = point.toString('base64url', 0, bytes)
    return { kty: 'EC', crv, x, y: point.toString('base64url', bytes) }
  }
}

/** Two numbers without leading zeros become two of the same length. */
function joinNumbers(made: Buffer, bytes: number): Buffer {
  const reader = new WireReader(made)
  const numbers = [reader.number(), reader.number()]
  reader.end()
  const digits = numbers.map((number) => number.toString(16).padStart(2 * bytes, '0'))
  return Buffer.from(digits.join(''), 'hex')
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

/** What `read` gives, unless the bytes are not what they claim to be. */
export function ifWellFormed<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}
