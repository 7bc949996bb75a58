import type { FastifyBaseLogger as Logger } from 'fastify'
import type { Above } from './above.ts'
import type { LastUse } from '../identity/auth/last-use.ts'
import type { Passwords } from '../identity/auth/passwords.ts'
import type { Secrets } from '../identity/auth/secrets.ts'
import type { Scopes } from '../identity/auth/scopes.ts'
import type { TokenOwner } from '../identity/auth/queries.ts'
import type { SignInLimits } from '../identity/auth/sign-in-limits.ts'
import type { Config } from './config/config.ts'
import type { Database } from './db/database.ts'
import type { GroupedWrites } from './db/grouped-writes.ts'
import type { SharedClock } from './db/shared-clock.ts'
import type { VersionedCache } from './db/versioned-cache.ts'
import type { Git } from './git/run.ts'
import type { Grant } from '../identity/oauth2-server/queries.ts'
import type { Quiet } from './quiet.ts'
import type { JobQueue } from './jobs/queue.ts'
import type { Schedule } from './jobs/schedule.ts'
import type { DownloadCounts } from '../repositories/attachments/download-counts.ts'
import type { Mailer } from '../outbound/mail/mailer.ts'
import type { Outside } from './network/outside.ts'
import type { DiskRoom } from './storage/disk-room.ts'
import type { FileStorage } from './storage/file-storage.ts'
import type { StoragePresence } from './storage/presence.ts'
import type { RepositoryView, Surroundings } from '../repositories/repository/view.ts'
import type { SetSizes } from '../repositories/search/set-sizes.ts'
import type { TextIndex } from '../repositories/search/text-index.ts'
import type { Account } from '../identity/users/account.ts'

/** What operations get from the outside. Built once in `open-context.ts`, passed by hand. */
export interface Context {
  readonly config: Config
  readonly db: Database
  readonly groupedWrites: GroupedWrites
  readonly log: Logger
  readonly secrets: Secrets
  readonly passwords: Passwords
  readonly signInLimits: SignInLimits
  readonly tokenCache: VersionedCache<TokenOwner>
  readonly grantCache: VersionedCache<Grant>
  /** Those who are asked for again, by their credential. */
  readonly accountCache: VersionedCache<Account>
  readonly repositoryCache: VersionedCache<RepositoryView>
  /**
   * Only where it is kept longer than the views themselves: PostgreSQL forgets both with every
   * commit.
   */
  readonly surroundings: VersionedCache<Surroundings> | undefined
  /** How many repositories a search finds, by all that it asks. */
  readonly totals: VersionedCache<{ readonly total: number }>
  readonly setSizes: SetSizes
  readonly textIndex: TextIndex
  readonly lastUse: LastUse
  /** Of a copy that a backup made: nothing goes out from it. */
  readonly quiet: Quiet
  readonly schedule: Schedule
  readonly jobs: JobQueue
  readonly git: Git
  readonly outside: Outside
  readonly mailer: Mailer
  readonly files: FileStorage
  readonly room: DiskRoom
  readonly presence: StoragePresence
  readonly downloadCounts: DownloadCounts
  readonly clock: SharedClock
  readonly above: Above
  /** Whole seconds since 1970, as all processes on the database have them. */
  readonly now: () => number
}

/** Who is calling, and how far the credential reaches. */
export interface Caller {
  readonly account: Account | undefined
  readonly credential: Credential
  /** A public-only token sees public things of public owners, whatever its account may see. */
  readonly publicOnly: boolean
}

export interface SignedInCaller extends Caller {
  readonly account: Account
}

export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'password' }
  /** Of a browser; only pages take it. */
  | { readonly kind: 'session'; readonly id: number }
  /** The word of a trusted reverse proxy, which is given anew with each request. */
  | { readonly kind: 'proxy' }
  /** A key of the account. */
  | { readonly kind: 'ssh-key' }
  /** A key of one repository: whoever has it acts in the name of the owner, and there alone. */
  | { readonly kind: 'deploy-key' }
  | {
      readonly kind: 'token'
      readonly id: number
      readonly scopes: Scopes
      /** `basic`: in place of a password; `header`: token or Bearer; `query`: deprecated. */
      readonly sent: 'basic' | 'header' | 'query'
    }
  /** What somebody lets another program do for them. */
  | {
      readonly kind: 'grant'
      readonly id: number
      readonly scopes: Scopes
      readonly scope: string
    }

export const anonymous: Caller = {
  account: undefined,
  credential: { kind: 'none' },
  publicOnly: false,
}

/** Somebody as they would call themselves, for asking what they may do. */
export function callerOf(account: Account): SignedInCaller {
  return { account, credential: { kind: 'none' }, publicOnly: false }
}

/**
 * An administrator's power does not go with a public-only token, nor with the key of a repository.
 */
export function isSiteAdmin({ account, publicOnly, credential }: Caller): boolean {
  return account !== undefined && account.isAdmin && !publicOnly && credential.kind !== 'deploy-key'
}
