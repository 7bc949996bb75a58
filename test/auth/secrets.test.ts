// One database is enough: none is used.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { inspect } from 'node:util'
import { loadSecrets } from '../../src/auth/secrets.ts'
import { ConfigError, configWith } from '../../src/config/config.ts'

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
      assert.throws(() => loadSecrets(configWith(folder)), ConfigError)
    }
    const short = configWith(folder, { security: { secret_key: 'short' } })
    assert.throws(() => loadSecrets(short), ConfigError)
  })

  test('is not shown by who prints it', (t) => {
    const folder = makeFolder(t)
    const secrets = loadSecrets(configWith(folder))
    const key = readFileSync(join(folder, 'secret.key'), 'utf8').trim()

    for (const shown of [JSON.stringify({ secrets }), inspect(secrets)])
      assert.ok(!shown.includes(key), shown)
  })
})
