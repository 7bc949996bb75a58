import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { findBySignInName } from '../../../src/identity/auth/queries.ts'
import { matchingStep, totpCode } from '../../../src/identity/auth/totp.ts'
import { createOrganization } from '../../../src/identity/organizations/create.ts'
import { findAccountByName } from '../../../src/identity/users/queries.ts'
import { basic, startApp, type TestApp } from '../../support/app.ts'
import { machineOf, startMachine, type Machine } from '../../support/terminal.ts'

const ann = ['--name', 'ann', '--email', 'ann@example.org', '--password', 'password1']

/** Commands are used beside a running server. */
async function startBoth(t: TestContext): Promise<{ app: TestApp; machine: Machine }> {
  const app = await startApp(t)
  return { app, machine: machineOf(app) }
}

async function addOrganization({ ctx }: TestApp, owner: string): Promise<void> {
  const account = await findAccountByName(ctx.db, owner)
  assert.ok(account)
  await createOrganization(ctx, account, { name: 'acme' })
}

async function createAnn(machine: Machine, ...options: string[]) {
  return machine.admin(['user', 'create', ...ann, ...options])
}

suite('admin user create', () => {
  test('creates a plain account on a machine where nothing ran before', async (t) => {
    const machine = await startMachine(t)

    const ran = await createAnn(machine)

    assert.equal(ran.status, 0)
    assert.equal(ran.out, '')
    assert.match(ran.notes, /^Created ann\.$/)
    const { lastLine } = await machine.admin(['user', 'list'])
    assert.match(lastLine, /^1 +ann +ann@example\.org +yes +no +no$/)
  })

  test('creates an administrator whose password need not be changed', async (t) => {
    const { app, machine } = await startBoth(t)

    const ran = await createAnn(machine, '--admin', '--access-token', 'first')

    assert.equal(ran.status, 0)
    assert.match(ran.lastLine, /^[0-9a-f]{40}$/)
    assert.equal(ran.out, ran.lastLine)
    const { status, body } = await app.get(undefined, '/user', {
      authorization: `token ${ran.lastLine}`,
    })
    assert.equal(status, 200)
    assert.equal(body.is_admin, true)
  })

  test('gives a token without a name the one that clients expect', async (t) => {
    const { app, machine } = await startBoth(t)
    const bob = ['--name', 'bob', '--email', 'bob@example.org', '--password', 'password1']
    const calls = [
      ['ann', await createAnn(machine, '--access-token', '--admin')],
      ['bob', await machine.admin(['user', 'create', ...bob, '--access-token'])],
    ] as const

    for (const [login, { status, lastLine }] of calls) {
      assert.equal(status, 0)
      const answer = await app.get(undefined, '/token', { authorization: `token ${lastLine}` })
      assert.partialDeepStrictEqual(answer.body, { name: 'gitea-admin', user: { login } })
    }
  })

  test('asks for a new password where that is wished', async (t) => {
    const { app, machine } = await startBoth(t)

    const ran = await createAnn(machine, '--must-change-password', '--access-token', 'first')

    const answer = await app.get(undefined, '/user', { authorization: `token ${ran.lastLine}` })
    assert.equal(answer.status, 403)
    assert.match(answer.body.message, /^You must change your password/)
  })

  test('reads the password from standard input', async (t) => {
    const { app, machine } = await startBoth(t)
    const words = ['user', 'create', '--name', 'ann', '--email', 'a@example.org', '--password', '-']

    const ran = await machine.admin(words, 'from-a-pipe\n')

    assert.equal(ran.status, 0)
    const account = await findBySignInName(app.ctx.db, 'ann')
    assert.equal(await app.ctx.passwords.verify('from-a-pipe', account?.passwordHash ?? ''), true)
  })

  test('refuses what the API refuses, with its message', async (t) => {
    const { machine } = await startBoth(t)
    await createAnn(machine)
    const cases: [string, string, string, RegExp][] = [
      ['Ann', 'other@example.org', 'password1', /user already exists \[name: Ann\]/],
      ['bob', 'ANN@example.org', 'password1', /e-mail already in use/],
      ['admin', 'bob@example.org', 'password1', /name is reserved/],
      ['a b', 'bob@example.org', 'password1', /\[Username\]: invalid username/],
      ['b'.repeat(41), 'bob@example.org', 'password1', /\[Username\]: MaxSize/],
      ['bob', 'nowhere', 'password1', /\[Email\]: Email/],
      ['bob', 'bob@example.org', 'short', /at least 6 characters/],
    ]

    for (const [name, email, password, message] of cases) {
      const person = ['--name', name, '--email', email, '--password', password]
      const ran = await machine.admin(['user', 'create', ...person])

      assert.equal(ran.status, 1, name)
      assert.match(ran.notes, message)
      assert.equal(ran.out, '')
    }
    assert.equal((await machine.admin(['user', 'list'])).out.split('\n').length, 2)
  })

  test('tells bad usage apart, and how it is used', async (t) => {
    const { machine } = await startBoth(t)
    const cases: [string[], RegExp][] = [
      [['user', 'create', '--name', 'ann'], /--email is missing/],
      [['user', 'create', '--nmae', 'ann'], /--nmae/],
      [['user', 'create', ...ann, 'stray'], /stray/],
      [['user', 'create', ...ann, '--admin=yes'], /--admin/],
    ]

    for (const [words, problem] of cases) {
      const ran = await machine.admin(words)

      assert.equal(ran.status, 2)
      assert.match(ran.notes, problem)
      assert.match(ran.notes, /Usage: npm run admin -- /)
      assert.equal(ran.out, '')
    }
  })
})

suite('admin user list', () => {
  test('shows administrators alone when asked to', async (t) => {
    const { machine } = await startBoth(t)
    await createAnn(machine, '--admin')
    const bob = ['--name', 'bob', '--email', 'bob@example.org', '--password', 'password1']
    await machine.admin(['user', 'create', ...bob])

    const all = await machine.admin(['user', 'list'])
    const admins = await machine.admin(['user', 'list', '--admin'])

    assert.deepEqual(names(all.out), ['ann', 'bob'])
    assert.deepEqual(names(admins.out), ['ann'])
  })
})

suite('admin user delete', () => {
  test('deletes an account, and keeps the last administrator', async (t) => {
    const { machine } = await startBoth(t)
    await createAnn(machine, '--admin')
    const bob = ['--name', 'bob', '--email', 'bob@example.org', '--password', 'password1']
    await machine.admin(['user', 'create', ...bob])

    const plain = await machine.admin(['user', 'delete', '--name', 'BOB'])
    const last = await machine.admin(['user', 'delete', '--name', 'ann'])
    const unknown = await machine.admin(['user', 'delete', '--name', 'carl'])

    assert.equal(plain.status, 0)
    assert.equal(last.status, 1)
    assert.match(last.notes, /last administrator/)
    assert.equal(unknown.status, 1)
    assert.match(unknown.notes, /there is no account carl/)
    assert.deepEqual(names((await machine.admin(['user', 'list'])).out), ['ann'])
  })

  test('takes owned organizations along only when purging', async (t) => {
    const { app, machine } = await startBoth(t)
    await createAnn(machine)
    await addOrganization(app, 'ann')

    const kept = await machine.admin(['user', 'delete', '--name', 'ann'])
    const purged = await machine.admin(['user', 'delete', '--name', 'ann', '--purge'])

    assert.equal(kept.status, 1)
    assert.match(kept.notes, /membership of organizations/)
    assert.equal(purged.status, 0)
    const gone = await machine.admin(['user', 'delete', '--name', 'acme'])
    assert.match(gone.notes, /there is no account acme/)
  })
})

suite('admin user change-password', () => {
  test('sets a password that works at once', async (t) => {
    const { app, machine } = await startBoth(t)
    await createAnn(machine)
    const words = ['user', 'change-password', '--name', 'ann', '--password', 'password2']

    const ran = await machine.admin(words)

    assert.equal(ran.status, 0)
    assert.equal((await app.get(undefined, '/user', basicOf('password2'))).status, 200)
    assert.equal((await app.get(undefined, '/user', basicOf('password1'))).status, 401)
  })

  test('makes the owner choose another where that is wished', async (t) => {
    const { app, machine } = await startBoth(t)
    await createAnn(machine)
    const words = ['user', 'change-password', '--name', 'ann', '--password', 'password2']

    await machine.admin([...words, '--must-change-password'])

    assert.equal((await app.get(undefined, '/user', basicOf('password2'))).status, 403)
  })

  test('refuses bad passwords and accounts that cannot have one', async (t) => {
    const { app, machine } = await startBoth(t)
    await createAnn(machine)
    await addOrganization(app, 'ann')
    const change = (name: string, password: string) =>
      machine.admin(['user', 'change-password', '--name', name, '--password', password])

    assert.match((await change('ann', 'short')).notes, /at least 6 characters/)
    assert.match((await change('nobody', 'password2')).notes, /there is no account nobody/)
    assert.match((await change('acme', 'password2')).notes, /acme is an organization/)
    assert.equal((await change('acme', 'password2')).status, 1)
  })
})

suite('admin user generate-access-token', () => {
  test('prints a token of the scopes that were named', async (t) => {
    const { app, machine } = await startBoth(t)
    await createAnn(machine)
    const words = ['user', 'generate-access-token', '--name', 'ann', '--token-name', 'ci']

    const ran = await machine.admin([...words, '--scopes', 'read:user, write:issue'])

    assert.equal(ran.status, 0)
    const { body } = await app.get(undefined, '/token', { authorization: `token ${ran.out}` })
    assert.deepEqual(body.scopes, ['write:issue', 'read:user'])
    assert.equal(body.name, 'ci')
  })

  test('refuses a name that is used and scopes that do not exist', async (t) => {
    const { machine } = await startBoth(t)
    await createAnn(machine, '--access-token', 'ci')
    const words = ['user', 'generate-access-token', '--name', 'ann', '--token-name']

    const used = await machine.admin([...words, 'ci'])
    const unknown = await machine.admin([...words, 'other', '--scopes', 'read:everything'])

    assert.equal(used.status, 1)
    assert.match(used.notes, /name has been used already/)
    assert.equal(unknown.status, 1)
    assert.match(unknown.notes, /invalid access token scope/)
  })
})

suite('admin user unblock', () => {
  test('lets somebody sign in at once after too many wrong passwords', async (t) => {
    const app = await startApp(t, { security: { failures_per_account: 2 } })
    const machine = machineOf(app)
    await createAnn(machine)
    const call = async (password: string) =>
      (await app.get(undefined, '/user', { authorization: basic('ann', password) })).status
    for (const password of ['wrong', 'wrong']) assert.equal(await call(password), 401)
    assert.equal(await call('password1'), 429)

    const ran = await machine.admin(['user', 'unblock', '--name', 'ann'])

    assert.equal(ran.status, 0)
    assert.equal(ran.notes, 'ann can sign in again.')
    assert.equal(await call('password1'), 200)
    const again = await machine.admin(['user', 'unblock', '--name', 'ann'])
    assert.equal(again.notes, 'ann was not blocked.')
    assert.equal((await machine.admin(['user', 'unblock', '--name', 'bob'])).status, 1)
  })
})

suite('admin user enable-totp and disable-totp', () => {
  test('a password needs a code between the two', async (t) => {
    const { app, machine } = await startBoth(t)
    await createAnn(machine)

    const ran = await machine.admin(['user', 'enable-totp', '--name', 'ann'])

    assert.equal(ran.status, 0)
    const [, secret = ''] =
      /^otpauth:\/\/totp\/Codestead:ann\?secret=([A-Z2-7]+)&/.exec(ran.out) ?? []
    const code = totpCode(secret, Math.floor(app.ctx.now() / 30))
    assert.notEqual(matchingStep(secret, code, app.ctx.now()), undefined)
    const withoutCode = await app.get(undefined, '/user', basicOf('password1'))
    const withCode = await app.get(undefined, '/user', {
      ...basicOf('password1'),
      'x-gitea-otp': code,
    })
    assert.deepEqual([withoutCode.status, withCode.status], [401, 200])

    assert.equal((await machine.admin(['user', 'disable-totp', '--name', 'ann'])).status, 0)
    assert.equal((await app.get(undefined, '/user', basicOf('password1'))).status, 200)
  })

  test('refuse to do again what is done, and organizations', async (t) => {
    const { app, machine } = await startBoth(t)
    await createAnn(machine)
    await addOrganization(app, 'ann')
    const run = (command: string, name: string) => machine.admin(['user', command, '--name', name])

    assert.match((await run('disable-totp', 'ann')).notes, /ann has no second factor/)
    await run('enable-totp', 'ann')
    const again = await run('enable-totp', 'ann')
    assert.equal(again.status, 1)
    assert.match(again.notes, /ann has a second factor already/)
    assert.match((await run('enable-totp', 'acme')).notes, /acme is an organization/)
  })
})

function basicOf(password: string) {
  return { authorization: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}` }
}

function names(table: string): string[] {
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ +/)[1] ?? '')
}
