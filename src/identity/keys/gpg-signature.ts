import type { Key, Signature } from 'openpgp'

/** A detached signature, and the key that it says it was made with. */
export interface GpgSignature {
  readonly keyId: string
  readonly signature: Signature
}

const MAX_LENGTH = 65_536
const BEGIN = '-----BEGIN PGP SIGNATURE-----'
const END = '-----END PGP SIGNATURE-----'

/** None when the text is anything else than one signature of one document. */
export async function readGpgSignature(text: string): Promise<GpgSignature | undefined> {
  if (!isOneBlock(text)) return undefined
  const { enums, readSignature } = await import('openpgp')
  const signature = await readSignature({ armoredSignature: text }).catch(() => undefined)
  const [packet, ...more] = signature?.packets ?? []
  if (!signature || !packet || more.length > 0) return undefined
  // Other types sign keys, names or nothing at all, and would be as good for one document as for
  // another.
  const types: unknown[] = [enums.signature.binary, enums.signature.text]
  if (!types.includes(packet.signatureType)) return undefined
  return { keyId: packet.issuerKeyID.toHex().toUpperCase(), signature }
}

/** What stands around the block is signed by nobody. */
function isOneBlock(text: string): boolean {
  const block = text.trimEnd()
  if (block.length > MAX_LENGTH || block.lastIndexOf(BEGIN) !== 0) return false
  return block.indexOf(END) === block.length - END.length
}

/**
 * Whether the key, or that subkey of it which the signature names, has signed these bytes. It must
 * have been good at the time of the signature: what a key has signed before it expired stays
 * signed. Clocks are not compared.
 */
export async function isGpgSignatureOf(
  { signature }: GpgSignature,
  payload: Buffer,
  verificationKeys: Key,
): Promise<boolean> {
  const { createMessage, verify } = await import('openpgp')
  const message = await createMessage({ binary: new Uint8Array(payload) })
  const { signatures } = await verify({
    message,
    signature,
    verificationKeys,
    date: null,
    format: 'binary',
    // Whoever moves the expiry of a key signs it anew, later than what it has signed before.
    config: { allowInsecureVerificationWithReformattedKeys: true },
  })
  const [only] = signatures
  return only === undefined ? false : only.verified.catch(() => false)
}
