import { existsSync } from 'node:fs'
import { keyFileOf, loadSecrets, type Secrets } from '../../identity/auth/secrets.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import { hasAnyAccount, setKeyCheck, type DatabaseIdentity } from '../../platform/db/identity.ts'
import { StartRefused } from './refusal.ts'

/** The key of this database. One is made only where nobody could miss another. */
export async function openSecrets(
  config: Config,
  db: Database,
  { keyCheck }: DatabaseIdentity,
): Promise<Secrets> {
  const isConfigured = config.security.secret_key !== ''
  if (!isConfigured && !existsSync(keyFileOf(config)) && (await hasAnyAccount(db))) {
    throw new StartRefused(
      `${keyFileOf(config)} is missing, and without it all tokens, sessions and second factors are void: bring it back from a backup. If it is lost, "npm run admin -- new-secret-key --yes" makes another`,
    )
  }
  const secrets = loadSecrets(config)
  const check = secrets.checkValue()
  if (keyCheck === '') await setKeyCheck(db, check)
  else if (keyCheck !== check) {
    throw new StartRefused(
      `the secret key is not that of this database: look at ${isConfigured ? 'security.secret_key' : keyFileOf(config)}. If the right one is lost, "npm run admin -- new-secret-key --yes" accepts this one; all tokens, sessions and second factors are void then`,
    )
  }
  return secrets
}
