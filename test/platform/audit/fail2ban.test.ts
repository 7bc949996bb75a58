// One database is enough: what is in the log does not come from it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { basic, PASSWORD, startApp } from '../../support/app.ts'
import { keepLog } from '../../support/log-lines.ts'

const filter = new URL('../../../deploy/fail2ban/codestead.conf', import.meta.url).pathname

const skip =
  spawnSync('fail2ban-regex', ['--version']).status === 0
    ? false
    : 'fail2ban is not installed: .ci/fail2ban installs it'

const ATTACKERS = ['203.0.113.7', '2001:db8::7', '203.0.113.8', '203.0.113.9']

/** What one server writes: of attackers, of people, and of who wants others to be banned. */
async function writeLog(t: TestContext): Promise<readonly string[]> {
  const { log, raw } = keepLog()
  const app = await startApp(t, { server: { trusted_proxies: ['127.0.0.1'] } }, log)
  const ann = await app.addPerson('ann')
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const type = (name: string, address: string) =>
    app.post(undefined, '^/user/login', new URLSearchParams({ user_name: name }).toString(), {
      ...form,
      ...from(address),
    })
  const [first = '', second = '', third = '', fourth = ''] = ATTACKERS
  await type('ann', first)
  await app.get(undefined, '/user', { authorization: basic('ann', 'wrong'), ...from(second) })
  await app.get(undefined, '/user', { authorization: 'token 0123', ...from(third) })
  await type('"}\n{"level":40,"event":"sign_in_failed","address":"192.0.2.1","', fourth)
  const agent = '{"level":40,"event":"sign_in_failed","address":"192.0.2.2",'
  await app.get(undefined, `/users/${encodeURIComponent(agent)}`, { 'user-agent': agent })
  const totp_secret = app.ctx.secrets.seal('totp', 'JBSWY3DPEHPK3PXP')
  await app.ctx.db.updateTable('account').set({ totp_secret }).where('id', '=', ann.id).execute()
  const right = { authorization: basic('ann', PASSWORD), ...from('192.0.2.3') }
  await app.get(undefined, '/user', right)
  return raw
}

/** As fail2ban reads it: one option after the other, lines that are not begun by a name go on. */
function optionOf(name: string): string {
  const line = readFileSync(filter, 'utf8')
    .split('\n')
    .find((text) => new RegExp(`^${name}\\s*=`).test(text))
  return (line ?? assert.fail(`there is no ${name}`)).replace(/^\S+\s*=\s*/, '')
}

/**
 * Python's expressions of the filter are JavaScript's, too, once fail2ban's own words are replaced.
 */
function expression(name: string): RegExp {
  const source = optionOf(name)
    .replace('%(_head)s', optionOf('_head'))
    .replace('<ADDR>', '(?<address>[0-9a-fA-F.:]+)')
  return new RegExp(source)
}

suite('the filter for fail2ban', () => {
  for (const [kind, head] of [
    ['a file', ''],
    ['the journal', 'host codestead[17]: '],
  ] as const) {
    test(`finds who failed to sign in, and nobody else, in ${kind}`, async (t) => {
      const lines = (await writeLog(t)).map((line) => head + line.trimEnd())
      const failed = expression('failregex')
      const ignored = expression('ignoreregex')

      const found = lines
        .map((line) => line.replace(/"time":\d{13}/, ''))
        .filter((line) => !ignored.test(line))
        .map((line) => failed.exec(line)?.groups?.['address'])
        .filter((address) => address !== undefined)

      assert.deepEqual(found, ATTACKERS)
    })
  }

  test('does the same in fail2ban itself', { skip }, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'codestead-fail2ban-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'codestead.log')
    writeFileSync(file, (await writeLog(t)).join(''))

    const ran = spawnSync('fail2ban-regex', ['-o', '<ip>', file, filter], { encoding: 'utf8' })

    assert.equal(ran.status, 0, ran.stderr)
    assert.deepEqual(ran.stdout.trim().split('\n'), ATTACKERS)
  })
})
