// One database is enough: only signatures differ from those of other keys.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { findFreePort, startLinkedHost } from '../../code/lfs/support.ts'
import { assertStatus } from '../../support/expect.ts'
import { ecdsaDevice, ed25519Device, startAgent, type Device } from './device-agent.ts'

/** OpenSSH knows keys on devices since 8.2. */
const skip = /sk-ssh-ed25519/.test(spawnSync('ssh', ['-Q', 'key']).stdout?.toString() ?? '')
  ? false
  : 'OpenSSH with keys on devices is not installed'

suite('a key on a device', { skip }, () => {
  test('signs in over SSH when somebody touches it, and signs commits', async (t) => {
    const port = await findFreePort()
    const ssh = { enabled: true, port, listen_host: '127.0.0.1' }
    const { app, client } = await startLinkedHost(t, { ssh })
    await app.listenSsh()
    const ann = await app.addCaller('ann')
    await app.post(ann, '/user/repos', { name: 'one' })
    const ed25519 = ed25519Device()
    const ecdsa = ecdsaDevice()
    const untouched = ed25519Device(false)
    const agent = await startAgent(t, client.home, [ed25519, ecdsa, untouched])
    const add = async (device: Device, title: string) => {
      const key = `${device.type} ${device.blob.toString('base64')}`
      writeFileSync(join(client.home, `${title}.pub`), `${key}\n`)
      assertStatus(await app.post(ann, '/user/keys', { title, key }), 201)
    }
    await add(ed25519, 'ed25519')
    await add(ecdsa, 'ecdsa')
    await add(untouched, 'untouched')
    const url = `ssh://git@127.0.0.1:${port}/ann/one.git`
    const set = (name: string, value: string) => client.git(['config', '--global', name, value])
    const show = async (name: string) => {
      const settings = ['IdentitiesOnly=yes', 'BatchMode=yes', 'StrictHostKeyChecking=no']
      settings.push('UserKnownHostsFile=/dev/null', `IdentityAgent=${agent}`, 'LogLevel=ERROR')
      const options = settings.map((setting) => `-o ${setting}`).join(' ')
      await set('core.sshCommand', `ssh -F /dev/null ${options} -i ${client.home}/${name}.pub`)
    }
    const signer = join(client.home, 'sign')
    const script = `#!/bin/sh\nSSH_AUTH_SOCK=${agent} exec ssh-keygen "$@"\n`
    writeFileSync(signer, script, { mode: 0o755 })
    await set('gpg.format', 'ssh')
    await set('gpg.ssh.program', signer)
    const work = await client.makeRepository()
    const names = ['ed25519', 'ecdsa']

    for (const name of names) {
      await show(name)
      await set('user.signingKey', join(client.home, `${name}.pub`))
      await client.git(['commit', '--quiet', '--allow-empty', '-S', '-m', name], work)
      await client.git(['push', '--quiet', url, 'main'], work)
    }
    await show('untouched')
    const refused = await client.run(['ls-remote', url])

    assert.match(refused.notes, /Permission denied \(publickey\)/)
    const { body } = await app.get(ann, '/repos/ann/one/commits?limit=2')
    assert.deepEqual(
      (body as { commit: { verification: { verified: boolean } } }[]).map(
        ({ commit }) => commit.verification.verified,
      ),
      [true, true],
    )
  })
})
