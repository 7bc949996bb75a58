// One database is enough: packs do not pass through it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { Client, ClientChannel } from 'ssh2'
import { pktLine } from '../../../src/platform/git/pkt-line.ts'
import type { Ran } from '../../platform/git/support.ts'
import { connectAs, execute, skipWithoutSsh, startSsh, type SshHost } from './support.ts'

/** As many as one account has, or one repository. */
const PLACES = 8

/** A server with a repository that does not fit into any buffer; gives the commit in it. */
async function startWithMuch(t: TestContext): Promise<{ ssh: SshHost; id: string }> {
  const ssh = await startSsh(t)
  const { client, app } = ssh.host
  const work = await client.makeRepository()
  writeFileSync(join(work, 'large'), randomBytes(16_000_000))
  await client.commit(work, 'much')
  await client.git(['push', '--quiet', ssh.url('ann/one.git'), 'main'], work)
  const { body } = await app.get(ssh.ann, '/repos/ann/one/branches/main')
  return { ssh, id: body.commit.id as string }
}

async function takeAllPlaces(client: Client, command: string): Promise<readonly ClientChannel[]> {
  const channels: ClientChannel[] = []
  for (let taken = 0; taken < PLACES; taken++) {
    const channel = await execute(client, command)
    // Git speaks first: then it has its place.
    await once(channel, 'readable')
    channels.push(channel)
  }
  return channels
}

async function clone(ssh: SshHost): Promise<Ran> {
  return ssh.host.client.run(['clone', '--quiet', ssh.url('ann/one.git'), 'copy'])
}

/** The server ends only when those have left who do not take what it says. */
async function assertFetches(ssh: SshHost, other: Client): Promise<void> {
  const { code, notes } = await clone(ssh)
  other.destroy()
  assert.equal(code, 0, notes)
}

suite('places for fetches over SSH', { skip: skipWithoutSsh }, () => {
  test('are given up by those who do not read, for others who wait', async (t) => {
    const { ssh, id } = await startWithMuch(t)
    const client = await connectAs(t, ssh)
    const slow = await takeAllPlaces(client, "git-upload-pack '/ann/one.git'")
    const want = pktLine(`want ${id} side-band-64k ofs-delta\n`)
    for (const channel of slow) channel.write(`${want}0000${pktLine('done\n')}`)

    await assertFetches(ssh, client)
  })

  test('are given up by those who say nothing, for others who wait', async (t) => {
    const { ssh } = await startWithMuch(t)
    const client = await connectAs(t, ssh)
    const silent = await takeAllPlaces(client, "git-upload-pack '/ann/one.git'")
    for (const channel of silent) channel.resume()

    await assertFetches(ssh, client)
  })

  test('stay with those who read slowly while nobody waits', async (t) => {
    const { ssh, id } = await startWithMuch(t)
    const client = await connectAs(t, ssh)
    const channel = await execute(client, "git-upload-pack '/ann/one.git'")
    await once(channel, 'readable')
    channel.write(`${pktLine(`want ${id} ofs-delta\n`)}0000${pktLine('done\n')}`)

    const { code: cloned } = await clone(ssh)

    let bytes = 0
    channel.on('data', (piece: Buffer) => (bytes += piece.length))
    const [[code]] = (await Promise.all([once(channel, 'exit'), once(channel, 'close')])) as [
      [number],
      unknown,
    ]
    client.destroy()
    assert.deepEqual([cloned, code], [0, 0])
    assert.ok(bytes > 16_000_000)
  })
})
