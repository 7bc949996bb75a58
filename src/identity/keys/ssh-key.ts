import { createHash, ECDH } from 'node:crypto'
import { invalid } from '../../platform/errors.ts'
import { WireError, WireReader } from './wire-reader.ts'

export interface SshKey {
  /** Type, key and comment, as one line of an `authorized_keys` file without options. */
  readonly line: string
  readonly fingerprint: string
}

const MIN_RSA_BITS = 2048
const MAX_RSA_BITS = 16_384

/** The names that Node has for the curves. */
const curves = { nistp256: 'prime256v1', nistp384: 'secp384r1', nistp521: 'secp521r1' }
type Curve = keyof typeof curves

/** Reads what follows the type; whatever is not a key of that type throws. */
const types: Readonly<Record<string, (reader: WireReader) => void>> = {
  'ssh-rsa': readRsa,
  'ssh-ed25519': readEd25519,
  'ecdsa-sha2-nistp256': (reader) => readEcdsa(reader, 'nistp256'),
  'ecdsa-sha2-nistp384': (reader) => readEcdsa(reader, 'nistp384'),
  'ecdsa-sha2-nistp521': (reader) => readEcdsa(reader, 'nistp521'),
  'sk-ssh-ed25519@openssh.com': (reader) => {
    readEd25519(reader)
    readApplication(reader)
  },
  'sk-ecdsa-sha2-nistp256@openssh.com': (reader) => {
    readEcdsa(reader, 'nistp256')
    readApplication(reader)
  },
}

/** One public key on one line, as `ssh-keygen` writes it. */
export function readSshKey(text: string): SshKey {
  try {
    return parse(text.trim())
  } catch (error) {
    if (!(error instanceof WireError)) throw error
    throw invalid(`Invalid key content: ${error.message}`, { cause: error, reason: 'key_invalid' })
  }
}

function parse(line: string): SshKey {
  // A line break would smuggle a second line, with options, into a list of authorized keys.
  if (/\p{Cc}/u.test(line.replaceAll('\t', ' '))) {
    throw new WireError('only a single line with a single key please')
  }
  const [type = '', encoded = '', ...comment] = line.split(/[ \t]+/)
  const readRest = Object.hasOwn(types, type) ? types[type] : undefined
  if (!readRest)
    throw new WireError(`unknown type of key, expected ${Object.keys(types).join(', ')}`)
  const bytes = decodeBase64(encoded)
  const reader = new WireReader(bytes)
  if (reader.text() !== type) throw new WireError('the key is of another type than it says')
  readRest(reader)
  reader.end()
  return { line: [type, encoded, ...comment].join(' '), fingerprint: fingerprintOf(bytes) }
}

export function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

/** Buffer skips what is not base64; here it is refused. */
function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length === 0 || bytes.toString('base64') !== text) throw new WireError('bad base64')
  return bytes
}

function readRsa(reader: WireReader): void {
  const exponent = reader.number()
  const bits = reader.number().toString(2).length
  if (exponent < 3n || exponent % 2n === 0n) throw new WireError('bad exponent')
  if (bits < MIN_RSA_BITS || bits > MAX_RSA_BITS) {
    throw new WireError(
      `key length is not allowed: got ${bits}, expected ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits`,
    )
  }
}

function readEd25519(reader: WireReader): void {
  if (reader.field().length !== 32) throw new WireError('bad length of the key')
}

function readEcdsa(reader: WireReader, curve: Curve): void {
  if (reader.text() !== curve) throw new WireError('the key is on another curve than it says')
  const point = reader.field()
  if (point[0] !== 4) throw new WireError('the point is not in uncompressed form')
  try {
    ECDH.convertKey(point, curves[curve])
  } catch (cause) {
    throw new WireError('the point is not on the curve', { cause })
  }
}

/** What a hardware key was made for, `ssh:` as a rule. */
function readApplication(reader: WireReader): void {
  if (reader.field().length === 0) throw new WireError('the application is missing')
}
