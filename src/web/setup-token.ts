import { isSameSecret } from '../platform/same-secret.ts'
import type { Secrets } from '../identity/auth/secrets.ts'

/**
 * Shows that whoever opens the first page can read what the server prints. All processes on a
 * database have the same.
 */
export class SetupToken {
  readonly #value: string

  constructor(secrets: Secrets) {
    this.#value = secrets.hash('setup', '').slice(0, 32)
  }

  /** Where the first administrator is created, below the root of the site. */
  get path(): string {
    return `/setup?token=${this.#value}`
  }

  matches(given: string | undefined): boolean {
    return given !== undefined && isSameSecret(given, this.#value)
  }
}
