// One database is enough: none is used.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { readSshKey } from '../../../src/identity/keys/ssh-key.ts'
import { ecdsaKey, ecdsaPoint, ed25519Key, ed25519Point, rsaKey, wire } from './support.ts'

const securityKeys = {
  'sk-ssh-ed25519@openssh.com': () =>
    wire('sk-ssh-ed25519@openssh.com', ed25519Point(), Buffer.from('ssh:')),
  'sk-ecdsa-sha2-nistp256@openssh.com': () =>
    wire('sk-ecdsa-sha2-nistp256@openssh.com', 'nistp256', ecdsaPoint(256), Buffer.from('ssh:')),
}

suite('readSshKey', () => {
  const accepted = {
    'RSA of 2048 bits': rsaKey(2048),
    'RSA of 4096 bits': rsaKey(4096),
    'ECDSA on nistp256': ecdsaKey(256),
    'ECDSA on nistp384': ecdsaKey(384),
    'ECDSA on nistp521': ecdsaKey(521),
    Ed25519: ed25519Key(),
    'a security key with Ed25519': `sk-ssh-ed25519@openssh.com ${securityKeys['sk-ssh-ed25519@openssh.com']()}`,
    'a security key with ECDSA': `sk-ecdsa-sha2-nistp256@openssh.com ${securityKeys['sk-ecdsa-sha2-nistp256@openssh.com']()}`,
  }
  for (const [name, key] of Object.entries(accepted)) {
    test(`takes ${name} as it is`, () => {
      const { line, fingerprint } = readSshKey(`${key} ann@laptop`)

      assert.equal(line, `${key} ann@laptop`)
      assert.match(fingerprint, /^SHA256:[A-Za-z0-9+/]{43}$/)
    })
  }

  test('computes the fingerprint that ssh-keygen shows, whatever the comment', () => {
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILKC/QwUe04tb8g58ppQHwDqqIiFqZjoIIT2iwEO4MQ4'
    const expected = 'SHA256:PYlkSN7R6XdjuoilQ5oXUWXH+OFLylU0kqdASBBp4/g'

    const fingerprints = [key, `${key} alice@laptop`].map((text) => readSshKey(text).fingerprint)

    assert.deepEqual(fingerprints, [expected, expected])
  })

  test('leaves out white space around the line, as files have it', () => {
    const key = ed25519Key('ann@laptop')

    const { line } = readSshKey(`  ${key.replaceAll(' ', '  ')}\r\n`)

    assert.equal(line, key)
  })

  const point = ed25519Point()
  const good = wire('ssh-ed25519', point)
  const ecPoint = ecdsaPoint(256)
  const offCurve = Buffer.from(ecPoint)
  offCurve[40] = (offCurve[40] ?? 0) ^ 1
  const modulus = Buffer.concat([Buffer.from([0, 0x80]), randomBytes(255)])
  const exponent = Buffer.from([1, 0, 1])
  const refused: Record<string, string> = {
    'an empty text': '   ',
    'a type alone': 'ssh-ed25519',
    'an unknown type': `ssh-ed448 ${wire('ssh-ed448', point)}`,
    'a type that every object has': `constructor ${good}`,
    DSA: `ssh-dss ${wire('ssh-dss', point)}`,
    'nonsense in place of base64': 'ssh-rsa nonsense',
    'base64 with foreign characters': `ssh-ed25519 ${good.slice(0, 10)}*${good.slice(10)}`,
    'base64 of the other alphabet': `ssh-ed25519 ${Buffer.from(good, 'base64').toString('base64url')}-_`,
    'a type that is another inside': `ssh-rsa ${good}`,
    'a field cut short': `ssh-ed25519 ${Buffer.from(good, 'base64').subarray(0, -1).toString('base64')}`,
    'a length cut short': `ssh-ed25519 ${Buffer.from([0, 0, 0]).toString('base64')}`,
    'bytes after the key': `ssh-ed25519 ${wire('ssh-ed25519', point, '')}`,
    'Ed25519 of a wrong length': `ssh-ed25519 ${wire('ssh-ed25519', point.subarray(1))}`,
    'RSA of 1024 bits': rsaKey(1024),
    'RSA of 2040 bits': rsaKey(2040),
    'RSA of 16392 bits': rsaKey(16_392),
    'RSA with an even exponent': `ssh-rsa ${wire('ssh-rsa', Buffer.from([2]), modulus)}`,
    'RSA with the exponent 1': `ssh-rsa ${wire('ssh-rsa', Buffer.from([1]), modulus)}`,
    'RSA with a negative modulus': `ssh-rsa ${wire('ssh-rsa', exponent, modulus.subarray(1))}`,
    'RSA with zeros in front of the modulus': `ssh-rsa ${wire('ssh-rsa', exponent, Buffer.concat([Buffer.alloc(1), modulus]))}`,
    'RSA without a modulus': `ssh-rsa ${wire('ssh-rsa', exponent, '')}`,
    'ECDSA that names another curve': `ecdsa-sha2-nistp256 ${wire('ecdsa-sha2-nistp256', 'nistp384', ecPoint)}`,
    'ECDSA with a point beside the curve': `ecdsa-sha2-nistp256 ${wire('ecdsa-sha2-nistp256', 'nistp256', offCurve)}`,
    'ECDSA with a compressed point': `ecdsa-sha2-nistp256 ${wire('ecdsa-sha2-nistp256', 'nistp256', Buffer.concat([Buffer.from([2]), ecPoint.subarray(1, 33)]))}`,
    'ECDSA with a point of another curve': `ecdsa-sha2-nistp256 ${wire('ecdsa-sha2-nistp256', 'nistp256', ecdsaPoint(384))}`,
    'a security key without application': `sk-ssh-ed25519@openssh.com ${wire('sk-ssh-ed25519@openssh.com', point, '')}`,
    'two lines': `ssh-ed25519 ${good}\nssh-ed25519 ${good}`,
    'a line break in the comment': `ssh-ed25519 ${good} ann\rcommand="sh" ssh-ed25519 ${good}`,
    'options in front of the key': `command="sh",no-pty ssh-ed25519 ${good}`,
    'a private key':
      '-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----',
  }
  for (const [name, text] of Object.entries(refused)) {
    test(`refuses ${name}`, () => {
      assert.throws(() => readSshKey(text), { code: 'invalid', message: /^Invalid key content: / })
    })
  }
})
