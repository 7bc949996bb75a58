import { generateKeyPairSync, randomBytes } from 'node:crypto'
import type { TestApp, TestCaller } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'

export const recorded =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILKC/QwUe04tb8g58ppQHwDqqIiFqZjoIIT2iwEO4MQ4 alice@laptop'

/** Fields with their length in front, in base64. */
export function wire(...fields: (string | Buffer)[]): string {
  const parts = fields.flatMap((field) => {
    const bytes = Buffer.from(field as string)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return [length, bytes]
  })
  return Buffer.concat(parts).toString('base64')
}

/** An RSA key of a given size; nobody has its private half, and no test needs it. */
export function rsaKey(bits: number): string {
  const modulus = randomBytes(bits / 8)
  modulus[0] = (modulus[0] ?? 0) | 0x80
  return `ssh-rsa ${wire('ssh-rsa', Buffer.from([1, 0, 1]), Buffer.concat([Buffer.alloc(1), modulus]))}`
}

export function ed25519Key(comment = ''): string {
  const key = `ssh-ed25519 ${wire('ssh-ed25519', ed25519Point())}`
  return comment === '' ? key : `${key} ${comment}`
}

export function ed25519Point(): Buffer {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  return Buffer.from(x, 'base64url')
}

export function ecdsaKey(bits: 256 | 384 | 521): string {
  const type = `ecdsa-sha2-nistp${bits}`
  return `${type} ${wire(type, `nistp${bits}`, ecdsaPoint(bits))}`
}

export function ecdsaPoint(bits: 256 | 384 | 521): Buffer {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: `P-${bits}` })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

export async function addKey(app: TestApp, owner: TestCaller, title = 'laptop'): Promise<number> {
  const answer = await app.post(owner, '/user/keys', { title, key: ed25519Key() })
  assertStatus(answer, 201)
  return answer.body.id as number
}

export async function titles(app: TestApp, who: TestCaller, path: string): Promise<string[]> {
  const answer = await app.get(who, path)
  assertStatus(answer, 200)
  return (answer.body as { title: string }[]).map(({ title }) => title)
}
