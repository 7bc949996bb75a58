import type { Row } from '../../platform/db/schema.ts'
import { eventKinds, type EventKind } from './events.ts'

export const hookTypes = [
  'gitea',
  'gogs',
  'slack',
  'discord',
  'dingtalk',
  'telegram',
  'msteams',
  'feishu',
  'matrix',
  'wechatwork',
  'packagist',
] as const

export type HookType = (typeof hookTypes)[number]
type ContentType = 'json' | 'form'

/**
 * Whose webhooks: those of the system hear of everything, or are copied into each new repository.
 */
export type HookHome =
  | { readonly kind: 'repository'; readonly id: number }
  | { readonly kind: 'organization' | 'user'; readonly id: number }
  | { readonly kind: 'system' }

/** What some services want to know beside the address. */
export interface HookSettings {
  readonly channel?: string
  readonly username?: string
  readonly icon_url?: string
  readonly color?: string
}

export interface Webhook {
  readonly id: number
  readonly repositoryId: number | undefined
  readonly accountId: number | undefined
  readonly isSystem: boolean
  readonly isDefault: boolean
  readonly name: string
  readonly type: HookType
  readonly url: string
  readonly contentType: ContentType
  /** Sealed; empty when there is none. */
  readonly secret: string
  readonly authorizationHeader: string
  readonly settings: HookSettings
  readonly events: readonly EventKind[]
  readonly branchFilter: string
  readonly isActive: boolean
  readonly retryAt: number
  readonly createdAt: number
  readonly updatedAt: number
}

export function toWebhook(row: Row<'webhook'>): Webhook {
  const events = new Set(JSON.parse(row.events) as string[])
  return {
    id: row.id,
    repositoryId: row.repository_id ?? undefined,
    accountId: row.account_id ?? undefined,
    isSystem: row.is_system === 1,
    isDefault: row.is_default === 1,
    name: row.name,
    type: row.type as HookType,
    url: row.url,
    contentType: row.content_type as ContentType,
    secret: row.secret,
    authorizationHeader: row.authorization_header,
    settings: JSON.parse(row.settings) as HookSettings,
    events: eventKinds.filter((kind) => events.has(kind)),
    branchFilter: row.branch_filter,
    isActive: row.is_active === 1,
    retryAt: row.retry_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** Of a repository that is gone: it stays until it has been told. */
export function isDetached(
  hook: Pick<Webhook, 'repositoryId' | 'accountId' | 'isSystem' | 'isDefault'>,
): boolean {
  const hasHome = hook.repositoryId !== undefined || hook.accountId !== undefined
  return !hasHome && !hook.isSystem && !hook.isDefault
}

/** Whether receivers of this type get the payload as it is. */
export function takesPayload({ type }: Pick<Webhook, 'type'>): boolean {
  return type === 'gitea' || type === 'gogs'
}
