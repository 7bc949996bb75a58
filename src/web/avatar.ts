import type { Config } from '../platform/config/config.ts'
import type { Account } from '../identity/users/account.ts'
import { basePath } from '../platform/config/urls.ts'
import type { Repository } from '../repositories/repository/repository.ts'
import { avatarUrl } from '../identity/users/present.ts'
import { html, type Html, type Part } from '../platform/html.ts'

/** Beside the name, which says whose it is. */
export function avatar(config: Config, account: Account, size = 28): Html {
  const { pathname } = new URL(avatarUrl(config, account))
  return html`<img class="avatar" src="${pathname}" alt="" width="${size}" height="${size}">`
}

/** Beside the name of the repository, which need not have one. */
export function repositoryPicture(
  config: Config,
  { avatar: name }: Pick<Repository, 'avatar'>,
  size: number,
): Part {
  if (name === '') return undefined
  return html`<img class="avatar square" src="${basePath(config)}/repo-avatars/${name}" alt="" width="${size}" height="${size}">`
}
