// One database is enough: what fails is not in it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { connect as dial, Socket } from 'node:net'
import { suite, test } from 'node:test'
import type { ClientChannel } from 'ssh2'
import { assertStatus } from '../../support/expect.ts'
import { failOnce } from '../../support/fault.ts'
import { connectAs, execute, fetchNothing, skipWithoutSsh, startSsh } from './support.ts'

/** What the library does not offer: a further request on the channel of a command. */
interface Inside {
  readonly _callbacks: ((isRefused: boolean) => void)[]
  readonly outgoing: { readonly id: number }
  readonly _client: { readonly _protocol: Requests }
}

interface Requests {
  readonly exec: (channel: number, command: string, wantsReply: boolean) => void
  readonly shell: (channel: number, wantsReply: boolean) => void
}

async function isRefused(
  channel: ClientChannel,
  ask: (requests: Requests, id: number) => void,
): Promise<boolean> {
  const { _callbacks: waiting, outgoing, _client } = channel as unknown as Inside
  const { promise, resolve } = Promise.withResolvers<boolean>()
  waiting.push(resolve)
  ask(_client._protocol, outgoing.id)
  return promise
}

suite('a session of SSH', { skip: skipWithoutSsh }, () => {
  test('has one command: a second is refused, with the first and the server unharmed', async (t) => {
    const ssh = await startSsh(t)
    const key = { title: 'r', key: ssh.makeKey('reading'), read_only: true }
    assertStatus(await ssh.host.app.post(ssh.ann, '/repos/ann/one/keys', key), 201)

    for (const name of ['ann', 'reading']) {
      const client = await connectAs(t, ssh, name)
      const channel = await execute(client, "git-upload-pack '/ann/one.git'")
      const again = "git-upload-pack '/ann/one.git'"
      assert.equal(await isRefused(channel, (ask, id) => ask.exec(id, again, true)), true)
      assert.equal(await isRefused(channel, (ask, id) => ask.shell(id, true)), true)
      const { _client: inside, outgoing } = channel as unknown as Inside
      inside._protocol.exec(outgoing.id, again, false)
      channel.end('0000')
      channel.resume()
      const [code] = (await once(channel, 'exit')) as [number]
      assert.equal(code, 0, name)
    }

    await fetchNothing(await connectAs(t, ssh))
  })
})

const library = createRequire(import.meta.url)
const { IncomingClient } = library('ssh2/lib/server.js') as { IncomingClient: Class }
const Protocol = library('ssh2/lib/protocol/Protocol.js') as Class

interface Class {
  readonly prototype: object
}

suite('a fault in what SSH calls', { skip: skipWithoutSsh }, () => {
  type Place = readonly [of: object, name: string, ...values: unknown[]]
  const faults: Record<string, Place> = {
    'for a new connection': [Socket.prototype, 'once', 'close'],
    'when a client has said what it is': [IncomingClient.prototype, 'on', 'authentication'],
    'when a sign-in succeeds': [Protocol.prototype, 'authSuccess'],
    'when somebody has signed in': [IncomingClient.prototype, 'on', 'session'],
    'when a session is opened': [Protocol.prototype, 'channelOpenConfirm'],
    'when a command is granted': [Protocol.prototype, 'channelSuccess'],
    'when a command is over': [Protocol.prototype, 'exitStatus'],
  }

  for (const [when, [of, name, ...values]] of Object.entries(faults)) {
    test(`${when} ends that connection, and nothing else`, async (t) => {
      const ssh = await startSsh(t)
      const bystander = await connectAs(t, ssh)
      const fault = failOnce(t, of, name, (given) => values.every((value) => given.includes(value)))

      const { code } = await ssh.run('ann', "git-upload-pack '/ann/one.git'")

      assert.notEqual(code, 0)
      assert.equal(fault.hasHappened, true)
      await fetchNothing(bystander)
      await fetchNothing(await connectAs(t, ssh))
    })
  }

  test('when a sign-in is refused ends that connection, and nothing else', async (t) => {
    const ssh = await startSsh(t)
    ssh.makeKey('stranger')
    const fault = failOnce(t, Protocol.prototype, 'authFailure')

    assert.notEqual((await ssh.run('stranger', '-T')).code, 0)

    assert.equal(fault.hasHappened, true)
    await fetchNothing(await connectAs(t, ssh))
  })

  test('when nothing has happened for long ends that connection, and nothing else', async (t) => {
    const ssh = await startSsh(t, { ssh: { idle_timeout: '1s' } })
    const fault = failOnce(t, IncomingClient.prototype, 'end')
    const idle = await connectAs(t, ssh)

    await once(idle, 'close')

    assert.equal(fault.hasHappened, true)
    await fetchNothing(await connectAs(t, ssh))
  })

  test('when nobody signs in ends that connection, and nothing else', async (t) => {
    const ssh = await startSsh(t, { ssh: { sign_in_timeout: '1s' } })
    const socket = dial(ssh.port, '127.0.0.1').on('error', () => undefined)
    await once(socket, 'connect')
    const fault = failOnce(t, Socket.prototype, 'destroy')

    await once(socket.resume(), 'close')

    assert.equal(fault.hasHappened, true)
    await fetchNothing(await connectAs(t, ssh))
  })
})
