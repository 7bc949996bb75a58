import { hash } from 'node:crypto'
import type { Static } from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import { baseUrl, noReplyDomain } from '../../platform/config/urls.ts'
import { isSiteAdmin, type Caller } from '../../platform/context.ts'
import { keptBy } from '../../platform/caches/kept-by.ts'
import { formatTime, UNSET_TIME } from '../../platform/time.ts'
import type { Visibility } from '../../platform/db/columns.ts'
import type { Account } from './account.ts'
import type { NewPerson } from './create.ts'
import type { PersonEdit, Profile } from './edit.ts'
import type { OwnedAddress } from './email-queries.ts'
import type { EmailAddress } from './email-queries.ts'
import type {
  CreateUserOption,
  EditUserOption,
  EmailBody,
  UserBody,
  UserSettingsBody,
  UserSettingsOptions,
} from './schema.ts'

/** How much of an account somebody sees: some fields are for itself and administrators only. */
type Sight = 'all' | 'signed in' | 'anonymous'

function sightOf(caller: Caller, account: Account): Sight {
  if (caller.account?.id === account.id || isSiteAdmin(caller)) return 'all'
  return caller.account ? 'signed in' : 'anonymous'
}

/** The record as `caller` may see it. One account stands in many records of a page. */
export function presentUser(config: Config, caller: Caller, account: Account): UserBody {
  const sight = sightOf(caller, account)
  const records = recordsOf(config)(account)
  return (records[sight] ??= Object.freeze(presentSeen(config, sight, account)))
}

type Records = Partial<Record<Sight, UserBody>>

const recordsOf = keptBy<Config, (account: Account) => Records>(() => keptBy(() => ({})))

function presentSeen(config: Config, sight: Sight, account: Account): UserBody {
  const full = sight === 'all'
  return {
    id: account.id,
    login: account.name,
    login_name: full ? account.loginName : '',
    source_id: full ? account.sourceId : 0,
    full_name: account.fullName,
    email: shownEmail(config, sight, account),
    avatar_url: avatarUrl(config, account),
    html_url: `${baseUrl(config)}/${account.name}`,
    language: full ? account.language : '',
    is_admin: full && account.isAdmin,
    last_login: full ? formatTime(account.lastLoginAt) : UNSET_TIME,
    created: formatTime(account.createdAt),
    restricted: account.isRestricted,
    active: full && account.isActive,
    prohibit_login: full && account.prohibitLogin,
    location: account.location,
    website: account.website,
    description: account.description,
    visibility: account.visibility,
    followers_count: account.followersCount,
    following_count: account.followingCount,
    starred_repos_count: account.starredReposCount,
    username: account.name,
  }
}

function shownEmail(config: Config, sight: Sight, account: Account): string {
  if (sight === 'all' || (sight === 'signed in' && !account.hideEmail)) return account.email
  return placeholderEmail(config, account)
}

export function placeholderEmail(config: Config, account: Account): string {
  return `${account.id}+${account.name.toLowerCase()}@${noReplyDomain(config)}`
}

export function avatarUrl(config: Config, account: Account): string {
  return `${baseUrl(config)}/avatars/${account.avatar || avatarHash(account)}`
}

/**
 * Clients know this value: the MD5 of the trimmed address in lower case, of the name where there is
 * none.
 */
const avatarHash = keptBy(({ email, name }: Account) =>
  hash('md5', (email || name).trim().toLowerCase()),
)

/** Whose address it is goes without saying here, and the reference leaves it out. */
export function presentEmail({
  address,
  isActivated,
  isPrimary,
}: EmailAddress): Static<typeof EmailBody> {
  return { email: address, verified: isActivated, primary: isPrimary, user_id: 0, username: '' }
}

/** For lists of the addresses of many, which say whose each is. */
export function presentOwnedEmail(address: OwnedAddress): Static<typeof EmailBody> {
  return { ...presentEmail(address), user_id: address.accountId, username: address.accountName }
}

export function presentSettings(account: Account): Static<typeof UserSettingsBody> {
  return {
    full_name: account.fullName,
    website: account.website,
    description: account.description,
    location: account.location,
    language: account.language,
    theme: account.theme,
    diff_view_style: account.diffViewStyle,
    hide_email: account.hideEmail,
    hide_activity: account.hideActivity,
  }
}

export function readSettings(body: Static<typeof UserSettingsOptions>): Profile {
  return {
    fullName: body.full_name,
    website: body.website,
    description: body.description,
    location: body.location,
    language: body.language,
    theme: body.theme,
    diffViewStyle: body.diff_view_style,
    hideEmail: body.hide_email,
    hideActivity: body.hide_activity,
  }
}

export function readNewPerson(body: Static<typeof CreateUserOption>): NewPerson {
  return {
    name: body.username,
    email: body.email,
    password: body.password ?? '',
    fullName: body.full_name,
    loginName: body.login_name,
    sourceId: body.source_id,
    visibility: readVisibility(body.visibility),
    isRestricted: body.restricted,
    mustChangePassword: body.must_change_password ?? true,
    createdAt:
      body.created_at === undefined ? undefined : Math.floor(Date.parse(body.created_at) / 1000),
  }
}

export function readPersonEdit(body: Static<typeof EditUserOption>): PersonEdit {
  return {
    email: body.email,
    password: body.password,
    mustChangePassword: body.must_change_password,
    fullName: body.full_name,
    website: body.website,
    location: body.location,
    description: body.description,
    loginName: body.login_name,
    sourceId: body.source_id,
    visibility: readVisibility(body.visibility),
    isActive: body.active,
    isAdmin: body.admin,
    isRestricted: body.restricted,
    prohibitLogin: body.prohibit_login,
    maxRepoCreation: body.max_repo_creation,
    allowCreateOrganization: body.allow_create_organization,
    allowGitHook: body.allow_git_hook,
    allowImportLocal: body.allow_import_local,
  }
}

/** The schema has checked it; an empty one is not given. */
export function readVisibility(text: string | undefined): Visibility | undefined {
  return (text || undefined) as Visibility | undefined
}
