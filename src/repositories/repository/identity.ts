import type { Config } from '../../platform/config/config.ts'
import type { Identity } from '../../platform/git/create.ts'
import type { Account } from '../../identity/users/account.ts'
import { placeholderEmail } from '../../identity/users/present.ts'

/** Who somebody is in a commit: nothing in it can end the line, or the name. */
export function gitIdentity(config: Config, account: Account): Identity {
  const fullName = account.fullName.replace(/[\r\n<>]/g, '').trim()
  const email =
    account.hideEmail || account.email === '' ? placeholderEmail(config, account) : account.email
  return { name: fullName || account.name, email }
}
