import { hash } from 'node:crypto'
import type { Config } from '../platform/config/config.ts'
import { basePath, encodeSegment } from '../platform/config/urls.ts'
import type { Account } from '../identity/users/account.ts'
import { html, type Html } from '../platform/html.ts'

/** Somebody of the outside world, as a commit names them. */
export interface Stranger {
  readonly name: string
  readonly email: string
}

/** Drawn from the address, as for accounts without a picture. */
export function avatarOfStranger(config: Config, { email }: Stranger): Html {
  const digest = hash('md5', email.trim().toLowerCase())
  const path = `${basePath(config)}/avatars/${digest}`
  return html`<img class="avatar" src="${path}" alt="" width="24" height="24">`
}

export function personLink(config: Config, { name }: Account): Html {
  return html`<a class="person" href="${basePath(config)}/${encodeSegment(name)}">${name}</a>`
}
