import type { Context } from '../../platform/context.ts'
import { lock } from '../../platform/db/lock.ts'
import type { Changes, NewRow } from '../../platform/db/schema.ts'
import { invalid, invalidField, notFound } from '../../platform/errors.ts'
import { readRemoteAddress } from '../../platform/network/address.ts'
import type { Reason } from '../../platform/reason.ts'
import { compileBranchFilter } from '../../events/webhooks/branch-filter.ts'
import { readEvents } from '../../events/webhooks/events.ts'
import {
  hookTypes,
  type HookHome,
  type HookSettings,
  type HookType,
  type Webhook,
} from '../../events/webhooks/hook.ts'
import { countHooks, findHookById, insertHook, updateHook } from './queries.ts'

type HookConfig = Readonly<Record<string, string>>

export interface NewHook {
  readonly type: string
  readonly name: string
  readonly config: HookConfig
  readonly events: readonly string[]
  readonly branchFilter: string
  readonly authorizationHeader: string
  readonly isActive: boolean
}

export async function createHook(ctx: Context, home: HookHome, wanted: NewHook): Promise<Webhook> {
  const { config } = wanted
  if (!isHookType(wanted.type))
    throw invalid(`Invalid hook type: ${wanted.type}`, { reason: 'hook_type_unknown' })
  if (!config['url']) throw missingOption('url', 'address_missing')
  if (!config['content_type']) throw missingOption('content_type', 'content_type_invalid')
  const settings = readSettings(wanted.type, config)
  const row: NewRow<'webhook'> = {
    ...placeOf(home, config),
    ...(await readAddress(ctx, config['url'] ?? '')),
    name: wanted.name,
    type: wanted.type,
    content_type: readContentType(config['content_type'] ?? ''),
    secret: seal(ctx, config['secret'] ?? ''),
    authorization_header: seal(ctx, readHeader(wanted.authorizationHeader)),
    settings: JSON.stringify(settings),
    events: JSON.stringify(readEvents(wanted.events)),
    branch_filter: readFilter(wanted.branchFilter),
    is_active: wanted.isActive ? 1 : 0,
    created_at: ctx.now(),
    updated_at: ctx.now(),
  }
  return ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'webhooks', 'id' in home ? home.id : 0)
    if ((await countHooks(tx, home)) >= ctx.config.webhooks.max_per_owner) {
      throw invalid(`there are ${ctx.config.webhooks.max_per_owner} webhooks already`, {
        reason: 'too_many',
      })
    }
    return insertHook(tx, row)
  })
}

export interface HookEdit {
  readonly name?: string | undefined
  readonly config: HookConfig
  readonly events: readonly string[]
  readonly branchFilter: string
  /** Absent: it stays. */
  readonly authorizationHeader: string | undefined
  readonly isActive?: boolean | undefined
}

/** Events and filter are replaced, also by nothing; the rest stays where it is not mentioned. */
export async function editHook(ctx: Context, { id }: Webhook, edit: HookEdit): Promise<Webhook> {
  const url = edit.config['url']
  const address = url === undefined ? undefined : await readAddress(ctx, url)
  return ctx.db.transaction().execute(async (tx) => {
    await lock(ctx.db.dialect, tx, 'webhooks', id)
    const hook = await findHookById(tx, id)
    const edited = hook && (await updateHook(tx, id, changesOf(ctx, hook, edit, address)))
    if (!edited) throw notFound()
    return edited
  })
}

function changesOf(
  ctx: Context,
  hook: Webhook,
  edit: HookEdit,
  address: Address | undefined,
): Changes<'webhook'> {
  const { config } = edit
  // Another host does not get what was meant for the one before.
  const isElsewhere = address !== undefined && address.host !== hostOf(hook.url)
  const secret = config['secret'] ?? (isElsewhere ? '' : undefined)
  const header = edit.authorizationHeader ?? (isElsewhere ? '' : undefined)
  const contentType = config['content_type']
  return {
    ...address,
    name: edit.name,
    content_type: contentType === undefined ? undefined : readContentType(contentType),
    secret: secret === undefined ? undefined : seal(ctx, secret),
    authorization_header: header === undefined ? undefined : seal(ctx, readHeader(header)),
    settings: JSON.stringify(readSettings(hook.type, { ...hook.settings, ...config })),
    events: JSON.stringify(readEvents(edit.events)),
    branch_filter: readFilter(edit.branchFilter),
    is_active: edit.isActive === undefined ? undefined : edit.isActive ? 1 : 0,
    // What waits may be tried again at once: perhaps this was the remedy.
    retry_at: 0,
    updated_at: ctx.now(),
  }
}

function isHookType(type: string): type is HookType {
  return (hookTypes as readonly string[]).includes(type)
}

function placeOf(home: HookHome, config: HookConfig) {
  const isSystem = config['is_system_webhook'] === 'true'
  return {
    repository_id: home.kind === 'repository' ? home.id : null,
    account_id: home.kind === 'organization' || home.kind === 'user' ? home.id : null,
    is_system: home.kind === 'system' && isSystem ? (1 as const) : (0 as const),
    is_default: home.kind === 'system' && !isSystem ? (1 as const) : (0 as const),
  }
}

interface Address {
  readonly url: string
  readonly host: string
}

/** Looked at again before each delivery: where a name leads may change. */
async function readAddress(ctx: Context, text: string): Promise<Address> {
  const url = text.trim()
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw invalid('Invalid url', { reason: 'address_invalid' })
  const address = readRemoteAddress(url)
  await ctx.outside.assertReachable(address.url)
  return { url, host: address.url.host }
}

function hostOf(url: string): string {
  return readRemoteAddress(url).url.host
}

function readContentType(text: string): string {
  if (text !== 'json' && text !== 'form')
    throw invalid('Invalid content type', { reason: 'content_type_invalid' })
  return text
}

function readSettings(type: HookType, config: HookConfig | HookSettings): HookSettings {
  if (type !== 'slack') return {}
  const { channel = '', username = '', icon_url = '', color = '' } = config as HookSettings
  if (channel === '') throw missingOption('channel', 'channel_invalid')
  if (!/^[#@]?[\w.-]{1,80}$/.test(channel))
    throw invalid('Invalid slack channel name', { reason: 'channel_invalid' })
  return { channel, username, icon_url, color }
}

/** One line of printable text, as headers are. */
function readHeader(text: string): string {
  const header = text.trim()
  if (!/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(header)) {
    throw invalidField('AuthorizationHeader', 'Header')
  }
  return header
}

function readFilter(text: string): string {
  if (text !== '' && !compileBranchFilter(text)) throw invalidField('BranchFilter', 'GlobPattern')
  return text
}

function seal(ctx: Context, text: string): string {
  return text === '' ? '' : ctx.secrets.seal('webhook', text)
}

export function unseal({ secrets }: Pick<Context, 'secrets'>, sealed: string): string {
  return sealed === '' ? '' : secrets.unseal('webhook', sealed)
}

function missingOption(option: string, reason: Reason): Error {
  return invalid(`Missing config option: ${option}`, { reason })
}
