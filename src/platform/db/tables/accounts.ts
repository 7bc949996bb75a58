import type { Generated } from 'kysely'
import type { AccountKind, Flag, MailNews, Visibility } from '../columns.ts'

/** People, organizations and how they sign in. */
export interface AccountTables {
  account: AccountTable
  account_redirect: AccountRedirectTable
  email_address: EmailAddressTable
  follow: FollowTable
  block: BlockTable
  access_token: AccessTokenTable
  session: SessionTable
  recovery_code: RecoveryCodeTable
  half_sign_in: HalfSignInTable
  security_key: SecurityKeyTable
  security_key_challenge: SecurityKeyChallengeTable
  openid_identity: OpenIdIdentityTable
  public_key: PublicKeyTable
  gpg_key: GpgKeyTable
  oauth2_application: OAuth2ApplicationTable
  oauth2_grant: OAuth2GrantTable
  oauth2_code: OAuth2CodeTable
  oauth2_refresh_token: OAuth2RefreshTokenTable
  identity_key: IdentityKeyTable
  sign_in_failure: SignInFailureTable
  known_address: KnownAddressTable
  mail_code: MailCodeTable
}

interface AccountTable {
  id: Generated<number>
  kind: AccountKind
  name: string
  lower_name: string
  full_name: Generated<string>
  /** For searching: SQLite's own lower() knows ASCII only. */
  lower_full_name: Generated<string>
  /** A person's primary address; an organization's contact address. */
  email: Generated<string>
  password_hash: Generated<string>
  visibility: Generated<Visibility>
  is_active: Generated<Flag>
  is_admin: Generated<Flag>
  is_restricted: Generated<Flag>
  prohibit_login: Generated<Flag>
  must_change_password: Generated<Flag>
  description: Generated<string>
  website: Generated<string>
  location: Generated<string>
  language: Generated<string>
  theme: Generated<string>
  diff_view_style: Generated<string>
  hide_email: Generated<Flag>
  hide_activity: Generated<Flag>
  mail_news: Generated<MailNews>
  login_name: Generated<string>
  source_id: Generated<number>
  /** -1: what the server's settings say. */
  max_repo_creation: Generated<number>
  allow_create_organization: Generated<Flag>
  allow_git_hook: Generated<Flag>
  allow_import_local: Generated<Flag>
  repo_admin_change_team_access: Generated<Flag>
  followers_count: Generated<number>
  following_count: Generated<number>
  starred_repos_count: Generated<number>
  /** Sealed; empty while there are no one-time codes. */
  totp_secret: Generated<string>
  /** Name of its stored picture; empty when there is none. */
  avatar: Generated<string>
  /** The last time step whose code was used: each works once. */
  totp_last_step: Generated<number>
  /** How many there are. */
  security_keys: Generated<number>
  created_at: number
  updated_at: number
  last_login_at: Generated<number>
}

interface AccountRedirectTable {
  lower_name: string
  account_id: number
}

interface EmailAddressTable {
  id: Generated<number>
  account_id: number
  address: string
  lower_address: string
  is_primary: Flag
  is_activated: Flag
}

interface FollowTable {
  follower_id: number
  followed_id: number
  created_at: number
}

interface BlockTable {
  blocker_id: number
  blocked_id: number
  created_at: number
}

interface AccessTokenTable {
  id: Generated<number>
  account_id: number
  name: string
  /** Keyed hash of the token: it is random, so a fast one is enough. */
  hash: string
  last_eight: string
  /** Normalised, separated by commas. */
  scopes: string
  created_at: number
  last_used_at: Generated<number>
}

/** A browser that somebody has signed in with. */
interface SessionTable {
  id: Generated<number>
  account_id: number
  /** Keyed hash of the secret that the browser keeps. */
  hash: string
  /** What the browser calls itself. */
  agent: string
  created_at: number
  /** Moves on while the session is used. */
  expires_at: number
}

/** Of somebody whose password was right, and who is still to show the second factor. */
interface HalfSignInTable {
  id: Generated<number>
  account_id: number
  /** Keyed hash of the secret that the browser keeps. */
  hash: string
  /** Keyed hash of what the account was signed in to with: over when that changes. */
  account_state: string
  expires_at: number
}

/** A second factor that answers by a signature. */
interface SecurityKeyTable {
  id: Generated<number>
  account_id: number
  name: string
  /** As the key calls itself, in base64url. */
  credential_id: string
  /** SPKI in base64. */
  public_key: string
  /** What the key counted at its last answer; some count nothing. */
  sign_count: number
  created_at: number
  last_used_at: Generated<number>
}

/** What a security key is to sign, once. */
interface SecurityKeyChallengeTable {
  id: Generated<number>
  /** The browser that was asked, and for what. */
  holder: string
  /** Keyed hash of the challenge. */
  hash: string
  expires_at: number
}

/** Who signs in by what another server says of them. */
interface OpenIdIdentityTable {
  id: Generated<number>
  account_id: number
  issuer: string
  /** What the issuer calls somebody for ever. */
  subject: string
  /** What they were called there when it was linked. */
  label: string
  created_at: number
}

/** Stands once for a one-time code, for who has lost what makes these. */
interface RecoveryCodeTable {
  account_id: number
  /** Keyed hash of the code. */
  hash: string
}

interface PublicKeyTable {
  id: Generated<number>
  account_id: number
  title: string
  content: string
  fingerprint: string
  read_only: Flag
  /** Otherwise it verifies signatures alone. */
  opens_git: Generated<Flag>
  created_at: number
  last_used_at: Generated<number>
}

interface GpgKeyTable {
  id: Generated<number>
  account_id: number
  /** The key that this one is a subkey of. */
  primary_id: number | null
  key_id: string
  content: string
  /** JSON list of the addresses in its user ids. */
  emails: string
  can_sign: Flag
  can_encrypt_comms: Flag
  can_encrypt_storage: Flag
  can_certify: Flag
  is_verified: Flag
  created_at: number
  expires_at: number
}

interface OAuth2ApplicationTable {
  id: Generated<number>
  /** Null for those that come with the server. */
  account_id: number | null
  name: string
  client_id: string
  secret_hash: Generated<string>
  confidential_client: Generated<Flag>
  skip_secondary_authorization: Generated<Flag>
  /** JSON list. */
  redirect_uris: string
  created_at: number
}

/** What somebody lets an application do for them. */
interface OAuth2GrantTable {
  id: Generated<number>
  account_id: number
  application_id: number
  /** As it was asked for, separated by blanks. */
  scope: string
  created_at: number
}

/** What an application gets for a consent, to be changed into tokens once. */
interface OAuth2CodeTable {
  /** Keyed hash of the code. */
  hash: string
  grant_id: number
  redirect_uri: string
  /**
   * What the application proves by that it was the one to ask; empty where it has a secret for
   * that.
   */
  challenge: string
  nonce: string
  expires_at: number
  used_at: Generated<number>
}

interface OAuth2RefreshTokenTable {
  /** Keyed hash of the token. */
  hash: string
  grant_id: number
  expires_at: number
  used_at: Generated<number>
}

/** Signs what other programs are told about who has signed in; the first one counts. */
interface IdentityKeyTable {
  id: Generated<number>
  /** Sealed. */
  private_key: string
  created_at: number
}

interface SignInFailureTable {
  /** An address or an account, as a keyed hash. */
  subject: string
  window_start: number
  failures: number
}

/** Where an account has signed in from before: strangers cannot lock it out there. */
interface KnownAddressTable {
  account_id: number
  address: string
  seen_at: number
}

/** What was mailed to somebody, who shows by it that an address is theirs. */
interface MailCodeTable {
  /** Keyed hash of the code. */
  hash: string
  purpose: string
  email_address_id: number
  /** Keyed hash of how the password was kept at that time: a code is good for that one only. */
  password_mark: string
  expires_at: number
}
