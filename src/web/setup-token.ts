import { randomBytes } from 'node:crypto'
import { isSameSecret } from '../auth/same-secret.ts'

/** Shows that whoever opens the first page can read what the server prints. Another one at each start. */
export class SetupToken {
  readonly #value = randomBytes(24).toString('base64url')

  /** Where the first administrator is created, below the root of the site. */
  get path(): string {
    return `/setup?token=${this.#value}`
  }

  matches(given: string | undefined): boolean {
    return given !== undefined && isSameSecret(given, this.#value)
  }
}
