import {
  armor,
  config,
  createMessage,
  enums,
  generateKey,
  PacketList,
  readPrivateKey,
  sign,
  SignaturePacket,
  type AnyPacket,
  type PrivateKey,
  type SubkeyOptions,
} from 'openpgp'
import type { TestAnswer, TestApp, TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

/** Made an hour ago, so that no clock has to agree with another to the second. */
const HOUR_AGO = new Date(Math.floor(Date.now() / 1000) * 1000 - 3_600_000)

export interface TestGpgKey {
  readonly armored: string
  readonly privateKey: PrivateKey
  readonly keyId: string
}

export async function gpgKey(
  emails: readonly string[],
  options: { subkeys?: SubkeyOptions[]; keyExpirationTime?: number } = {},
): Promise<TestGpgKey> {
  const { privateKey: armoredKey } = await generateKey({
    type: 'ecc',
    userIDs: emails.map((email) => ({ name: 'Ann', email })),
    date: HOUR_AGO,
    ...options,
    format: 'armored',
  })
  return toTestKey(await readPrivateKey({ armoredKey }))
}

export function toTestKey(privateKey: PrivateKey): TestGpgKey {
  return {
    armored: privateKey.toPublic().armor(),
    privateKey,
    keyId: privateKey.getKeyID().toHex().toUpperCase(),
  }
}

export async function signText({ privateKey }: TestGpgKey, text: string): Promise<string> {
  const message = await createMessage({ text })
  return sign({ message, signingKeys: privateKey, detached: true, date: HOUR_AGO })
}

/** As gpg signs for git: the bytes as they are. */
export async function signBytes({ privateKey }: TestGpgKey, bytes: Buffer): Promise<string> {
  const message = await createMessage({ binary: new Uint8Array(bytes) })
  return sign({ message, signingKeys: privateKey, detached: true, date: HOUR_AGO })
}

/** The public keys one after the other in one block. */
export function armorTogether(...keys: readonly TestGpgKey[]): string {
  const bytes = keys.map(({ privateKey }) => privateKey.toPublic().write())
  return armor(enums.armor.publicKey, Buffer.concat(bytes))
}

/** The public key of one with the names and subkeys of another attached to it. */
export function forge(key: TestGpgKey, victim: TestGpgKey): string {
  const packets = new PacketList<AnyPacket>()
  const [, ...stolen] = victim.privateKey.toPublic().toPacketList()
  packets.push(...key.privateKey.toPublic().toPacketList(), ...stolen)
  return armor(enums.armor.publicKey, packets.write())
}

/** Signing as the library really has it; its types know texts only. */
interface Signing {
  sign(key: object, bound: object, date: Date, detached: boolean, used: object): Promise<void>
}

/**
 * The public key with its subkeys bound for signing by the key alone, as somebody would who stole
 * them.
 */
export async function withoutAgreement({ privateKey }: TestGpgKey): Promise<string> {
  const { keyPacket, subkeys } = privateKey
  for (const subkey of subkeys) {
    const signature = new SignaturePacket()
    signature.signatureType = enums.signature.subkeyBinding
    signature.publicKeyAlgorithm = keyPacket.algorithm
    signature.hashAlgorithm = enums.hash.sha512
    signature.keyFlags = Uint8Array.of(enums.keyFlags.signData)
    const bound = { key: keyPacket, bind: subkey.keyPacket }
    await (signature as unknown as Signing).sign(keyPacket, bound, HOUR_AGO, false, config)
    subkey.bindingSignatures = [signature]
  }
  return privateKey.toPublic().armor()
}

export const PATH = '/user/gpg_keys'

export async function addKey(app: TestApp, who: TestCaller, key: TestGpgKey): Promise<TestAnswer> {
  return app.post(who, PATH, { armored_public_key: key.armored })
}

export async function tokenOf(app: TestApp, who: TestCaller): Promise<string> {
  const answer = await app.get(who, '/user/gpg_key_token')
  assertStatus(answer, 200)
  return answer.text
}

/** An armored key with other line breaks: GnuPG has 64 characters to a line. */
export function withLinesOf(length: number, armored: string): string {
  const [begin, ...rest] = armored.replaceAll('\r', '').trimEnd().split('\n')
  const checksum = rest.findIndex((line) => line.startsWith('='))
  const base64 = rest.slice(0, checksum).join('')
  const lines = base64.match(new RegExp(`.{1,${length}}`, 'g')) ?? []
  return [begin, '', ...lines, ...rest.slice(checksum), ''].join('\n')
}
