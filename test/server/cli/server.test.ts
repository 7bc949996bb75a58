import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { programVersion } from '../../../src/platform/version.ts'
import { startApp } from '../../support/app.ts'
import { startAdmin } from '../../support/process.ts'
import { machineOf, startMachine } from '../../support/terminal.ts'

suite('the administration command', () => {
  test('shows what it can do', async (t) => {
    const machine = await startMachine(t)

    const all = await machine.admin(['--help'])
    const one = await machine.admin(['user', 'delete', '--help'])

    assert.equal(all.status, 0)
    assert.match(all.out, /user create[^]*doctor[^]*config show/)
    assert.equal(one.status, 0)
    assert.match(one.out, /user delete --name NAME/)
    assert.doesNotMatch(one.out, /user create/)
  })

  test('tells commands that do not exist', async (t) => {
    const machine = await startMachine(t)

    const none = await machine.admin([])
    const unknown = await machine.admin(['user', 'promote', '--name', 'ann'])

    assert.equal(none.status, 2)
    assert.match(none.notes, /a command is missing/)
    assert.equal(unknown.status, 2)
    assert.match(unknown.notes, /there is no command "user promote"/)
    assert.match(unknown.notes, /Usage:/)
  })

  test('is a program with exit statuses and two outputs', async (t) => {
    const { environment } = await startMachine(t)
    const person = ['--name', 'ann', '--email', 'ann@example.org', '--password', 'password1']

    const created = startAdmin(t, environment, ['user', 'create', ...person, '--access-token', 'x'])
    assert.equal(await created.end(), 0)
    const refused = startAdmin(t, environment, ['user', 'create', ...person])
    const misused = startAdmin(t, environment, ['user', 'create'])

    assert.match(created.out, /^[0-9a-f]{40}\n$/)
    assert.match(created.notes, /Created ann/)
    assert.deepEqual([await refused.end(), await misused.end()], [1, 2])
    assert.match(refused.notes, /^codestead: user already exists \[name: ann\]\n$/)
    assert.equal(refused.out + misused.out, '')
  })

  test('names the setting that is wrong', async (t) => {
    const machine = await startMachine(t)
    const file = join(machine.data, 'bad.toml')
    writeFileSync(file, '[server]\nport = "many"\n')

    const ran = await machine.admin(['user', 'list', '--config', file])

    assert.equal(ran.status, 1)
    assert.match(ran.notes, /server\.port in .*bad\.toml: expected a whole number .*, got "many"/)
  })
})

suite('admin version', () => {
  test('prints the version alone', async (t) => {
    const machine = await startMachine(t)

    assert.equal((await machine.admin(['version'])).out, programVersion)
  })
})

suite('admin migrate', () => {
  test('applies what is missing, once', async (t) => {
    const machine = await startMachine(t)

    const first = await machine.admin(['migrate'])
    const second = await machine.admin(['migrate'])

    assert.equal(first.status, 0)
    assert.match(first.out, /^applied 0001-accounts/)
    assert.equal(second.status, 0)
    assert.equal(second.out, '')
    assert.match(second.notes, /up to date/)
  })

  test('refuses a database that is newer', async (t) => {
    const app = await startApp(t)
    await app.ctx.db.insertInto('migration').values({ name: '9999-later', applied_at: 0 }).execute()

    const ran = await machineOf(app).admin(['migrate'])

    assert.equal(ran.status, 1)
    assert.match(
      ran.notes,
      /^codestead: the database is newer than this program \(it knows 9999-later\)/,
    )
    assert.doesNotMatch(ran.notes, /\n/)
  })
})

suite('admin config show', () => {
  test('shows each setting, its source and its value', async (t) => {
    const machine = await startMachine(t)
    const file = join(machine.data, 'my.toml')
    writeFileSync(
      file,
      '[server]\nhost = "0.0.0.0"\n[cors]\nallow_origins = ["https://a", "https://b"]\n',
    )

    const { status, out } = await machine.admin(['config', 'show', '--config', file])

    assert.equal(status, 0)
    const settings = new Map(out.split('\n').map((line) => [line.split(' ')[0], line]))
    assert.match(settings.get('data') ?? '', new RegExp(`CODESTEAD_DATA +${machine.data}$`))
    assert.match(settings.get('server.host') ?? '', /server\.host in .*my\.toml +0\.0\.0\.0$/)
    assert.match(settings.get('cors.allow_origins') ?? '', /https:\/\/a,https:\/\/b$/)
    assert.match(settings.get('server.port') ?? '', /default +3000$/)
    assert.match(settings.get('server.stop_timeout') ?? '', /default +30s$/)
    assert.match(
      settings.get('security.password_memory') ?? '',
      /CODESTEAD_SECURITY_PASSWORD_MEMORY +64KiB$/,
    )
  })

  test('never shows a secret', async (t) => {
    const machine = await startMachine(t)
    const file = join(machine.data, 'secret.toml')
    const url = 'postgres://me:canary1@db.example:5432/code?password=canary2'
    const secrets = `[security]\nsecret_key = "${'canary3'.repeat(5)}"\n[metrics]\ntoken = "canary4"\n`
    writeFileSync(file, secrets)
    const environment = { ...machine.environment, CODESTEAD_DATABASE_URL: url }
    const shown = startAdmin(t, environment, ['config', 'show', '--config', file])
    assert.equal(await shown.end(), 0)

    assert.doesNotMatch(shown.out + shown.notes, /canary/)
    assert.match(shown.out, /postgres:\/\/me:\*\*\*@db\.example:5432\/code/)
    assert.match(shown.out, /metrics\.token +metrics\.token in .* +\*\*\*/)
  })

  test('does not repeat a secret that is wrong', async (t) => {
    const machine = await startMachine(t)
    const environment = {
      ...machine.environment,
      CODESTEAD_DATABASE_URL: 'mysql://me:canary@db.example/code',
    }

    const shown = startAdmin(t, environment, ['config', 'show'])

    assert.equal(await shown.end(), 1)
    assert.match(shown.notes, /CODESTEAD_DATABASE_URL: expected postgres:/)
    assert.doesNotMatch(shown.notes, /canary/)
  })
})
