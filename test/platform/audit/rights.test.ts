import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { keepLog } from '../../support/log-lines.ts'

const KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGh0gq6rBLcqyk6sMTLIwLDkDTGqX4tEdDBjXyGHJtYJ canary'

suite('the log of changes of rights', () => {
  test('says what was changed, by whom and from where, once it has come to pass', async (t) => {
    const { log, of } = keepLog()
    const app = await startApp(t, {}, log)
    const root = await app.addAdmin()
    const ann = await app.addCaller('ann')
    await app.addPerson('bob')
    const before = of('rights changed').length
    const steps: [string, string, object | undefined][] = [
      ['POST', '/admin/users', { username: 'cy', email: 'cy@x.org', password: 'password2' }],
      ['PATCH', '/admin/users/cy', { login_name: 'cy', source_id: 0, admin: true }],
      ['POST', '/orgs', { username: 'acme' }],
      ['POST', '/orgs/acme/teams', { name: 'devs', permission: 'write', units: ['repo.code'] }],
      ['POST', '/orgs/acme/repos', { name: 'tool' }],
      ['PUT', '/repos/acme/tool/collaborators/bob', { permission: 'write' }],
      ['DELETE', '/repos/acme/tool/collaborators/bob', undefined],
      ['PATCH', '/repos/acme/tool', { private: true }],
      ['POST', '/repos/acme/tool/branch_protections', { rule_name: 'main' }],
      ['DELETE', '/repos/acme/tool/branch_protections/main', undefined],
      ['POST', '/repos/acme/tool/keys', { title: 'deploy', key: KEY }],
      ['DELETE', '/repos/acme/tool', undefined],
      ['DELETE', '/orgs/acme', undefined],
      ['DELETE', '/admin/users/cy', undefined],
    ]
    for (const [method, path, body] of steps) {
      const { status } = await app.send(root, method, path, body)
      assert.ok(status < 300, `${method} ${path}: ${status}`)
    }
    assertStatus(await app.post(ann, '/user/keys', { title: 'laptop', key: KEY }), 201)

    const lines = of('rights changed').slice(before)
    assert.deepEqual(
      lines.map(({ what, by }) => [what, by]),
      [
        ['account created', 'root'],
        ['account edited', 'root'],
        ['organization created', 'root'],
        ['team added', 'root'],
        ['collaborator set', 'root'],
        ['collaborator removed', 'root'],
        ['repository visibility changed', 'root'],
        ['branch protection added', 'root'],
        ['branch protection removed', 'root'],
        ['deploy key added', 'root'],
        ['repository deleted', 'root'],
        ['organization deleted', 'root'],
        ['account deleted', 'root'],
        ['ssh key added', 'ann'],
      ],
    )
    assert.partialDeepStrictEqual(lines[1], { account: 'cy', isAdmin: true, address: '127.0.0.1' })
    assert.partialDeepStrictEqual(lines.at(-1), {
      account: 'ann',
      named: 'laptop',
      with: 'an access token',
    })
    const requests = new Map(of('request').map((line) => [line['reqId'], line]))
    assert.ok(lines.every(({ reqId }) => requests.has(reqId)))
  })

  test('has no line for what was refused', async (t) => {
    const { log, of } = keepLog()
    const app = await startApp(t, {}, log)
    const root = await app.addAdmin()
    const before = of('rights changed').length

    const last = { login_name: 'root', source_id: 0, admin: false, password: 'password3' }
    assertStatus(await app.patch(root, '/admin/users/root', last), 400)

    assert.equal(of('rights changed').length, before)
  })
})
