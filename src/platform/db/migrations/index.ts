import * as accounts from './0001-accounts.ts'
import * as repositories from './0002-repositories.ts'
import * as issues from './0003-issues.ts'
import * as releases from './0004-releases.ts'
import * as search from './0005-search.ts'
import * as mirrors from './0006-mirrors.ts'
import * as webhooks from './0007-webhooks.ts'
import * as lfs from './0008-lfs.ts'
import * as pulls from './0009-pulls.ts'
import * as feeds from './0010-feeds.ts'
import * as sessions from './0011-sessions.ts'
import * as grants from './0012-grants.ts'
import * as mail from './0013-mail.ts'
import * as projects from './0014-projects.ts'
import * as packages from './0015-packages.ts'
import * as lateText from './0016-late-text.ts'
import * as identity from './0017-identity.ts'
import * as keysForGit from './0018-keys-for-git.ts'
import * as payloads from './0021-payloads.ts'
import * as measured from './0022-measured.ts'
import * as places from './0023-places.ts'
import * as repositoryNews from './0024-repository-news.ts'
import * as languages from './0025-languages.ts'
import * as archives from './0026-archives.ts'

/** The words in which the two databases differ. */
export interface Words {
  readonly dialect: 'sqlite' | 'postgres'
  /** A primary key that the database counts up and never gives twice. */
  readonly id: string
  readonly integer: string
  /** Compared byte by byte, so that both databases sort alike. */
  readonly text: string
}

export interface Migration {
  readonly name: string
  /** Numbered, and never edited once released. */
  readonly statements: (words: Words) => readonly string[]
}

export const migrations: readonly Migration[] = [
  accounts,
  repositories,
  issues,
  releases,
  search,
  mirrors,
  webhooks,
  lfs,
  pulls,
  feeds,
  sessions,
  grants,
  mail,
  projects,
  packages,
  lateText,
  identity,
  keysForGit,
  payloads,
  measured,
  places,
  repositoryNews,
  languages,
  archives,
]
