import { invalid } from '../../platform/errors.ts'
import type { AccountKind, MailNews, Visibility } from '../../platform/db/columns.ts'
import type { Row } from '../../platform/db/schema.ts'

/** A person or an organization: both own repositories, and share one space of names. */
export interface Account {
  readonly id: number
  readonly kind: AccountKind
  readonly name: string
  readonly fullName: string
  readonly email: string
  readonly passwordHash: string
  readonly visibility: Visibility
  readonly isActive: boolean
  readonly isAdmin: boolean
  readonly isRestricted: boolean
  readonly prohibitLogin: boolean
  readonly mustChangePassword: boolean
  readonly description: string
  readonly website: string
  readonly location: string
  readonly language: string
  readonly theme: string
  readonly diffViewStyle: string
  readonly hideEmail: boolean
  readonly hideActivity: boolean
  readonly mailNews: MailNews
  readonly loginName: string
  readonly sourceId: number
  readonly maxRepoCreation: number
  readonly allowCreateOrganization: boolean
  readonly repoAdminChangeTeamAccess: boolean
  readonly followersCount: number
  readonly followingCount: number
  readonly starredReposCount: number
  readonly totpSecret: string
  /** How many there are. */
  readonly securityKeys: number
  /** Name of the stored picture; empty when there is none. */
  readonly avatar: string
  readonly createdAt: number
  readonly lastLoginAt: number
}

export function toAccount(row: Row<'account'>): Account {
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    fullName: row.full_name,
    email: row.email,
    passwordHash: row.password_hash,
    visibility: row.visibility,
    isActive: row.is_active === 1,
    isAdmin: row.is_admin === 1,
    isRestricted: row.is_restricted === 1,
    prohibitLogin: row.prohibit_login === 1,
    mustChangePassword: row.must_change_password === 1,
    description: row.description,
    website: row.website,
    location: row.location,
    language: row.language,
    theme: row.theme,
    diffViewStyle: row.diff_view_style,
    hideEmail: row.hide_email === 1,
    hideActivity: row.hide_activity === 1,
    mailNews: row.mail_news,
    loginName: row.login_name,
    sourceId: row.source_id,
    maxRepoCreation: row.max_repo_creation,
    allowCreateOrganization: row.allow_create_organization === 1,
    repoAdminChangeTeamAccess: row.repo_admin_change_team_access === 1,
    followersCount: row.followers_count,
    followingCount: row.following_count,
    starredReposCount: row.starred_repos_count,
    totpSecret: row.totp_secret,
    securityKeys: row.security_keys,
    avatar: row.avatar,
    createdAt: row.created_at,
    lastLoginAt: row.last_login_at,
  }
}

/** In place of an author whose account is gone. */
export const ghost: Account = {
  id: -1,
  kind: 'person',
  name: 'Ghost',
  fullName: '',
  email: '',
  passwordHash: '',
  visibility: 'public',
  isActive: false,
  isAdmin: false,
  isRestricted: false,
  prohibitLogin: true,
  mustChangePassword: false,
  description: '',
  website: '',
  location: '',
  language: '',
  theme: '',
  diffViewStyle: '',
  hideEmail: true,
  hideActivity: true,
  mailNews: 'none',
  loginName: '',
  sourceId: 0,
  maxRepoCreation: 0,
  allowCreateOrganization: false,
  repoAdminChangeTeamAccess: false,
  followersCount: 0,
  followingCount: 0,
  starredReposCount: 0,
  totpSecret: '',
  securityKeys: 0,
  avatar: '',
  createdAt: 0,
  lastLoginAt: 0,
}

/** As everywhere where accounts are made. */
export const MAX_NAME = 40
export const MAX_FULL_NAME = 100

/** Of either kind. */
export function hasSecondFactor({ totpSecret, securityKeys }: Account): boolean {
  return totpSecret !== '' || securityKeys > 0
}

/** Names that are addresses of the server, or would be mistaken for them. */
const reservedNames = new Set([
  '.',
  '..',
  '-',
  '.well-known',
  'admin',
  'api',
  'assets',
  'attachments',
  'avatar',
  'avatars',
  'captcha',
  'commits',
  'debug',
  'error',
  'explore',
  'favicon.ico',
  'ghost',
  'healthz',
  'issues',
  'login',
  'manifest.json',
  'metrics',
  'milestones',
  'new',
  'notifications',
  'org',
  'pulls',
  'raw',
  'repo',
  'repo-avatars',
  'robots.txt',
  'search',
  'setup',
  'ssh_info',
  'swagger.v1.json',
  'user',
  'v2',
])

const reservedEndings = ['.keys', '.gpg', '.rss', '.atom', '.png']

export function assertNameAllowed(name: string): void {
  const lower = name.toLowerCase()
  if (reservedNames.has(lower))
    throw invalid(`name is reserved [name: ${name}]`, { reason: 'name_reserved' })
  const ending = reservedEndings.find((end) => lower.endsWith(end))
  if (ending)
    throw invalid(`name pattern is not allowed [pattern: *${ending}]`, { reason: 'name_reserved' })
}
