import type { Context } from '../platform/context.ts'
import type { GpgKeyRing } from '../identity/keys/gpg-queries.ts'
import type { PublicKey } from '../identity/keys/queries.ts'
import { timeAgo } from './figures.ts'
import type { SettingsRow } from './forms/settings.ts'
import { html, type Html } from '../platform/html.ts'

export const SSH_LOSS =
  'Git no longer comes in with it, and what was signed with it is no longer verified.'

/** A key with which somebody comes in, and how it is removed. */
export function sshKeyRow(ctx: Context, key: PublicKey, action: Html): SettingsRow {
  const { title, fingerprint, createdAt, lastUsedAt } = key
  return {
    title,
    about: html`<code>${fingerprint}</code> · added ${timeAgo(ctx.now(), createdAt)} · ${lastUsedAt > 0 ? html`used ${timeAgo(ctx.now(), lastUsedAt)}` : 'not used yet'}`,
    action,
  }
}

/** One with which somebody signs; nobody else removes it. */
export function gpgKeyRow(ctx: Context, { primary }: GpgKeyRing, action?: Html): SettingsRow {
  return {
    title: primary.keyId,
    about: html`${primary.emails.join(', ')} · made ${timeAgo(ctx.now(), primary.createdAt)}${primary.expiresAt > 0 && html` · expires ${timeAgo(ctx.now(), primary.expiresAt)}`}`,
    action,
  }
}
