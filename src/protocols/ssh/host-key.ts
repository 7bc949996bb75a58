import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import type { Config } from '../../platform/config/config.ts'
import { hasCode } from '../../platform/errors.ts'

/** What clients know this server by: made at the first start and kept in the data folder. */
export function loadHostKey({ data }: Config): string {
  const path = join(data, 'ssh_host_ed25519_key')
  if (!existsSync(path)) createHostKey(data, path)
  return readFileSync(path, 'utf8')
}

function createHostKey(folder: string, path: string): void {
  mkdirSync(folder, { recursive: true })
  try {
    writeFileSync(path, makeReadableKey(), { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    // Another process was first: its key counts.
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

/** ssh2 drops leading zeros of the public half, and then cannot read one in 256 of its own keys. */
function makeReadableKey(): string {
  const { private: secret } = ssh2.utils.generateKeyPairSync('ed25519')
  return ssh2.utils.parseKey(secret) instanceof Error ? makeReadableKey() : secret
}
