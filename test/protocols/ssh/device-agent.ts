import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A security key without the hardware. */
export interface Device {
  readonly type: string
  readonly blob: Buffer
  readonly sign: (data: Buffer) => Buffer
}

const APPLICATION = 'ssh:'
const counter = Buffer.from([0, 0, 0, 7])

export function ed25519Device(isTouched = true): Device {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const type = 'sk-ssh-ed25519@openssh.com'
  const { x = '' } = publicKey.export({ format: 'jwk' })
  const blob = fields(type, Buffer.from(x, 'base64url'), APPLICATION)
  return device(type, blob, isTouched, (data) => sign(null, data, privateKey))
}

export function ecdsaDevice(): Device {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const type = 'sk-ecdsa-sha2-nistp256@openssh.com'
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]
  const blob = fields(type, 'nistp256', Buffer.concat(point), APPLICATION)
  return device(type, blob, true, (data) => signTwoNumbers(data, privateKey))
}

function device(
  type: string,
  blob: Buffer,
  isTouched: boolean,
  signBytes: (data: Buffer) => Buffer,
): Device {
  const flags = Buffer.from([isTouched ? 1 : 0])
  const signData = (data: Buffer) => {
    const signed = Buffer.concat([sha256(Buffer.from(APPLICATION)), flags, counter, sha256(data)])
    return Buffer.concat([fields(type, signBytes(signed)), flags, counter])
  }
  return { type, blob, sign: signData }
}

function signTwoNumbers(data: Buffer, key: KeyObject): Buffer {
  const both = sign('sha256', data, { key, dsaEncoding: 'ieee-p1363' })
  return fields(toNumber(both.subarray(0, 32)), toNumber(both.subarray(32)))
}

/** Without zeros in front, except the one that keeps it positive. */
function toNumber(bytes: Buffer): Buffer {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = bytes.subarray(start)
  return (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.alloc(1), digits]) : digits
}

/** An agent in `folder` that holds these; gives its address. */
export async function startAgent(
  t: TestContext,
  folder: string,
  devices: readonly Device[],
): Promise<string> {
  const address = join(folder, 'agent')
  const server = createServer((socket) => converse(socket, devices))
  t.after(() => server.close())
  await new Promise<void>((resolve) => server.listen(address, resolve))
  return address
}

const REQUEST_IDENTITIES = 11
const SIGN_REQUEST = 13

function converse(socket: Socket, devices: readonly Device[]): void {
  let pending = Buffer.alloc(0)
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk])
    while (pending.length >= 4 && pending.length >= 4 + pending.readUInt32BE()) {
      const end = 4 + pending.readUInt32BE()
      socket.write(fields(answer(pending.subarray(4, end), devices)))
      pending = pending.subarray(end)
    }
  })
}

function answer(message: Buffer, devices: readonly Device[]): Buffer {
  if (message[0] === REQUEST_IDENTITIES) {
    const count = Buffer.from([0, 0, 0, devices.length])
    const keys = devices.map(({ blob, type }) => fields(blob, type))
    return Buffer.concat([Buffer.from([12]), count, ...keys])
  }
  const keyEnd = message[0] === SIGN_REQUEST ? 5 + message.readUInt32BE(1) : 0
  const found = devices.find(({ blob }) => blob.equals(message.subarray(5, keyEnd)))
  if (!found) return Buffer.from([5])
  const data = message.subarray(keyEnd + 4, keyEnd + 4 + message.readUInt32BE(keyEnd))
  return Buffer.concat([Buffer.from([14]), fields(found.sign(data))])
}

function fields(...contents: readonly (string | Buffer)[]): Buffer {
  const parts = contents.flatMap((content) => {
    const bytes = Buffer.from(content as string)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return [length, bytes]
  })
  return Buffer.concat(parts)
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
