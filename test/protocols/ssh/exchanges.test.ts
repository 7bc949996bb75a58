// One database is enough: keys are exchanged before it is asked.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import ssh2, { type Algorithms, type Client } from 'ssh2'
import { connectAs, fetchNothing, skipWithoutSsh, startSsh } from './support.ts'

/** What the client hears, with or without a way of theirs to exchange keys. */
async function outcome(port: number, algorithms: Algorithms): Promise<string> {
  const client = new ssh2.Client()
  const { promise, resolve } = Promise.withResolvers<string>()
  client.on('error', (error) => resolve(error.message))
  client.on('handshake', () => resolve('exchanged'))
  client.connect({ host: '127.0.0.1', port, username: 'git', algorithms })
  const heard = await promise
  client.destroy()
  return heard
}

function say(port: number) {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  return { socket, greeted: once(socket, 'data') }
}

suite('an exchange of keys', { skip: skipWithoutSsh }, () => {
  test('is over curves, which take little time, and nothing is unpacked', async (t) => {
    const { port } = await startSsh(t)

    for (const kex of ['curve25519-sha256', 'ecdh-sha2-nistp256', 'ecdh-sha2-nistp521'] as const)
      assert.equal(await outcome(port, { kex: [kex] }), 'exchanged')
    for (const kex of [
      'diffie-hellman-group14-sha256',
      'diffie-hellman-group18-sha512',
      'diffie-hellman-group-exchange-sha256',
    ] as const)
      assert.match(await outcome(port, { kex: [kex] }), /no matching key exchange/)
    for (const compress of ['zlib', 'zlib@openssh.com'] as const)
      assert.match(await outcome(port, { compress: [compress] }), /no matching.*compress/)
  })

  test('before a sign-in is one', async (t) => {
    const { port } = await startSsh(t, { ssh: { sign_in_timeout: '1h' } })
    const client: Client = new ssh2.Client()
    client.on('error', () => undefined)
    client.on('handshake', () => {
      const { _protocol: begun } = client as unknown as { _protocol: { rekey: () => void } }
      begun.rekey()
    })
    client.connect({ host: '127.0.0.1', port, username: 'git', authHandler: () => undefined })

    await once(client, 'close')
  })

  test('waits where many of one address have not signed in, and for no others', async (t) => {
    const ssh = await startSsh(t)
    const signedIn = await connectAs(t, ssh)
    const silent = Array.from({ length: 16 }, () => say(ssh.port))
    for (const { greeted } of silent) await greeted
    const waiting = say(ssh.port)
    let isGreeted = false
    waiting.socket.on('data', () => (isGreeted = true))
    await once(waiting.socket, 'connect')

    await fetchNothing(signedIn)
    assert.equal(isGreeted, false)
    silent[0]?.socket.destroy()
    await waiting.greeted

    for (const { socket } of [...silent, waiting]) socket.destroy()
    await fetchNothing(await connectAs(t, ssh))
  })
})
