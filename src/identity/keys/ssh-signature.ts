import { createHash } from 'node:crypto'
import { fingerprintOf } from './ssh-key.ts'
import { ifWellFormed, isSignedByKey } from './ssh-verify.ts'
import { toField, WireReader } from './wire-reader.ts'

/** As `ssh-keygen -Y sign` makes it: with the key that it was made by, whosever that is. */
export interface SshSignature {
  readonly fingerprint: string
  readonly key: Buffer
  readonly hash: string
  readonly signature: Buffer
}

const MAX_LENGTH = 65_536
const MAGIC = 'SSHSIG'
const START = Buffer.from(`${MAGIC}\0\0\0\x01`, 'latin1')
/** What was signed for another purpose does not count here. */
const NAMESPACE = 'git'
const hashes = ['sha256', 'sha512']
const armor = /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\n]+)\n-----END SSH SIGNATURE-----\n*$/

/** None when the text is no signature for git. */
export function readSshSignature(text: string): SshSignature | undefined {
  const [, encoded] = (text.length <= MAX_LENGTH && armor.exec(text)) || []
  if (encoded === undefined) return undefined
  return ifWellFormed(() => {
    const reader = new WireReader(Buffer.from(encoded, 'base64'))
    if (!reader.take(START.length).equals(START)) return undefined
    const key = reader.field()
    const isForGit = reader.text() === NAMESPACE
    const isReserved = reader.field().length > 0
    const hash = reader.text()
    const signature = reader.field()
    reader.end()
    if (!isForGit || isReserved || !hashes.includes(hash)) return undefined
    return { fingerprint: fingerprintOf(key), key, hash, signature }
  })
}

/** Whether the key in the signature has signed these bytes. */
export async function isSshSignatureOf(
  { key, hash, signature }: SshSignature,
  payload: Buffer,
): Promise<boolean> {
  const digest = createHash(hash).update(payload).digest()
  const signed = [Buffer.from(MAGIC), ...[NAMESPACE, '', hash, digest].map(toField)]
  return isSignedByKey(key, signature, Buffer.concat(signed))
}
