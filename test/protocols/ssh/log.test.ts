// One database is enough: what is in the log does not come from it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import { keepLog } from '../../support/log-lines.ts'
import { until } from '../../support/until.ts'
import { skipWithoutSsh, startSsh } from './support.ts'

suite('the log of SSH', { skip: skipWithoutSsh }, () => {
  test('has connections, keys that were taken, and commands with their bytes', async (t) => {
    const { log, of } = keepLog()
    const ssh = await startSsh(t, {}, log)
    const { client } = ssh.host
    const work = await client.makeRepository()

    await client.git(['push', ssh.url('ann/one.git'), 'main'], work)
    await client.run(['clone', ssh.url('ann/none.git'), 'none'])
    await until(() => of('ssh connection closed').length === 2)

    const here = { level: 30, address: '127.0.0.1' }
    assert.partialDeepStrictEqual(of('ssh connection'), [here, here])
    const [first] = of('signed in over ssh')
    assert.partialDeepStrictEqual(first, { ...here, account: 'ann' })
    assert.match(String(first?.['key']), /^SHA256:/)
    const [push, clone] = of('ssh command')
    assert.partialDeepStrictEqual(push, {
      ...here,
      account: 'ann',
      command: 'receive-pack',
      repository: 'ann/one',
      outcome: 'done',
    })
    assert.partialDeepStrictEqual(clone, {
      command: 'upload-pack',
      repository: 'ann/none',
      outcome: 'not_found',
    })
    for (const name of ['bytes', 'received', 'ms']) assert.ok(Number(push?.[name]) > 0, name)
    assert.equal(of('sign-in failed').length, 0)
  })

  test('has one failed sign-in for a connection whose keys were all refused', async (t) => {
    const { log, of } = keepLog()
    const ssh = await startSsh(t, {}, log)
    ssh.makeKey('stranger')

    assert.equal((await ssh.run('stranger')).code, 255)
    assert.equal((await ssh.runAs('root', 'ann')).code, 255)
    await until(() => of('ssh connection closed').length === 2)

    const refused = of('ssh key refused').map(({ name, reason }) => [name, reason])
    assert.deepEqual(refused, [
      ['git', 'unknown key'],
      ['root', 'unknown name'],
    ])
    const failed = of('sign-in failed')
    assert.equal(failed.length, 2)
    assert.partialDeepStrictEqual(failed[0], {
      event: 'sign_in_failed',
      address: '127.0.0.1',
      by: 'ssh key',
      reason: 'unknown key',
      name: 'git',
      tries: 1,
    })
  })

  test('has no failed sign-in for who only connects', async (t) => {
    const { log, of } = keepLog()
    const ssh = await startSsh(t, {}, log)
    const socket = connect(ssh.port, '127.0.0.1')
    await once(socket, 'data')
    socket.destroy()
    await until(() => of('ssh connection closed').length === 1)

    assert.equal(of('sign-in failed').length, 0)
  })
})
