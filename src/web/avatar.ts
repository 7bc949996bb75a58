import type { Config } from '../config/config.ts'
import type { Account } from '../users/account.ts'
import { avatarUrl } from '../users/present.ts'
import { html, type Html } from './html.ts'

/** Beside the name, which says whose it is. */
export function avatar(config: Config, account: Account, size = 28): Html {
  const { pathname } = new URL(avatarUrl(config, account))
  return html`<img class="avatar" src="${pathname}" alt="" width="${size}" height="${size}">`
}
