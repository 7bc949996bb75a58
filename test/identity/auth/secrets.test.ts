// One database is enough: none is used.
import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { inspect } from 'node:util'
import { loadSecrets } from '../../../src/identity/auth/secrets.ts'
import { ConfigError, configWith } from '../../../src/platform/config/config.ts'

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-secrets-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

suite("the server's own key", () => {
  test('is made at the first start, for this server alone, and kept', (t) => {
    const [one, other] = [makeFolder(t), makeFolder(t)]
    const hashOf = (folder: string) => loadSecrets(configWith(folder)).hash('test', 'x')

    assert.equal(hashOf(one), hashOf(one))
    assert.notEqual(hashOf(one), hashOf(other))
    assert.equal(statSync(join(one, 'secret.key')).mode & 0o777, 0o600)
  })

  test('is refused when others can read its file, or when it is short', (t) => {
    const folder = makeFolder(t)
    loadSecrets(configWith(folder))
    for (const mode of [0o640, 0o604, 0o644]) {
      chmodSync(join(folder, 'secret.key'), mode)
      assert.throws(() => loadSecrets(configWith(folder)), /secret\.key can be read by other users/)
    }
    const short = configWith(folder, { security: { secret_key: 'x'.repeat(31) } })
    assert.throws(() => loadSecrets(short), {
      name: ConfigError.name,
      message: 'security.secret_key: expected at least 32 characters',
    })
  })

  test('is the one of the settings, or stands in its file, where somebody has put it', (t) => {
    const folders = [makeFolder(t), join(makeFolder(t), 'new', 'data')] as const
    const key = 'x'.repeat(32)
    const hashOf = (folder: string, secret_key: string) =>
      loadSecrets(configWith(folder, { security: { secret_key } })).hash('test', 'x')
    const [first, second] = folders.map((folder) => hashOf(folder, key))

    assert.equal(first, second)
    assert.notEqual(hashOf(folders[0], 'y'.repeat(32)), first)
    for (const folder of folders) {
      assert.ok(!existsSync(join(folder, 'secret.key')))
      assert.notEqual(hashOf(folder, ''), first)
      writeFileSync(join(folder, 'secret.key'), `${key}\r\n`)
      assert.equal(hashOf(folder, ''), first)
    }
  })

  test('is not shown by who prints it', (t) => {
    const folder = makeFolder(t)
    const secrets = loadSecrets(configWith(folder))
    const key = readFileSync(join(folder, 'secret.key'), 'utf8').trim()

    for (const shown of [JSON.stringify({ secrets }), inspect(secrets)])
      assert.ok(!shown.includes(key), shown)
  })
})
