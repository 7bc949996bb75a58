// One database is enough: the key is a file.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import ssh2 from 'ssh2'
import { configWith } from '../../../src/platform/config/config.ts'
import { loadHostKey } from '../../../src/protocols/ssh/host-key.ts'

test('every new server makes a key that it can read, also where its public half begins with zeros', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-host-keys-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const config = configWith(folder)
  for (let server = 0; server < 1000; server++) {
    const key = loadHostKey({ ...config, data: join(folder, String(server)) })
    assert.ok(!(ssh2.utils.parseKey(key) instanceof Error), key)
  }
})
