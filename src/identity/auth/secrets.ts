import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, type Config } from '../../platform/config/config.ts'
import { hasCode } from '../../platform/errors.ts'

/** The server's own key, and what is done with it. Each purpose has a key of its own. */
export class Secrets {
  // As objects of keys: made of bare bytes each time, they would take several times as long as what
  // is done with them.
  readonly #keys = new Map<string, KeyObject>()
  readonly #key: string

  constructor(key: string) {
    this.#key = key
  }

  /** A keyed hash, for values that are random already or only need to be unlinkable. */
  hash(purpose: string, value: string): string {
    return createHmac('sha256', this.#derive(purpose)).update(value).digest('hex')
  }

  /** Encrypts `text`, so that a copied database does not give it away. */
  seal(purpose: string, text: string): string {
    const nonce = randomBytes(12)
    const cipher = createCipheriv('aes-256-gcm', this.#derive(purpose), nonce)
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
  }

  unseal(purpose: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.#derive(purpose), bytes.subarray(0, 12))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  }

  /** By which a database knows its key again, and nobody learns anything of the key. */
  checkValue(): string {
    return this.hash('key-check', 'codestead')
  }

  toJSON(): string {
    return '***'
  }

  #derive(purpose: string): KeyObject {
    const kept = this.#keys.get(purpose)
    if (kept) return kept
    const bytes = new Uint8Array(hkdfSync('sha256', this.#key, 'codestead', purpose, 32))
    const derived = createSecretKey(bytes)
    this.#keys.set(purpose, derived)
    return derived
  }
}

/** The configured key, or the one in the data folder, made at the first start. */
export function loadSecrets(config: Config): Secrets {
  const configured = config.security.secret_key
  if (configured !== '') {
    if (configured.length < 32) {
      throw new ConfigError('security.secret_key: expected at least 32 characters')
    }
    return new Secrets(configured)
  }
  const path = keyFileOf(config)
  if (!existsSync(path)) createKeyFile(config.data, path)
  refuseOpenKeyFile(path)
  return new Secrets(readFileSync(path, 'utf8').trim())
}

export function keyFileOf({ data }: Config): string {
  return join(data, 'secret.key')
}

function createKeyFile(folder: string, path: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(path, `${randomBytes(32).toString('hex')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
  } catch (error) {
    // Another process was first: its key counts.
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

function refuseOpenKeyFile(path: string): void {
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) {
    throw new ConfigError(`${path} can be read by other users of this machine: run chmod 600 on it`)
  }
}
