import type { ScopeCategory } from '../identity/auth/scopes.ts'

/** What each category of scopes is about, in words. */
export const scopeLabels: Readonly<Record<ScopeCategory, string>> = {
  activitypub: 'ActivityPub',
  admin: 'Administration of the server',
  misc: 'Everything else',
  notification: 'Notifications',
  organization: 'Organizations',
  package: 'Packages',
  issue: 'Issues',
  repository: 'Repositories',
  user: 'Your account',
}
