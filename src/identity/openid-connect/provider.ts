import { baseUrl } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import { AppError } from '../../platform/errors.ts'
import { keptBy } from '../../platform/caches/kept-by.ts'
import { fetchOutside, type OutsideRequest } from '../../platform/network/fetch.ts'
import { Outside } from '../../platform/network/outside.ts'
import { hostOf } from '../../platform/network/policy.ts'

/** Another server that says who somebody is, as it describes itself. */
export interface Provider {
  /** As it stands in what it signs. */
  readonly issuer: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly userInfoEndpoint: string | undefined
  readonly keysAddress: string
  /** How it wants the secret: in the header, or among the fields. */
  readonly takesBasic: boolean
}

export type Fields = Readonly<Record<string, unknown>>

/** So long it is believed to be as it was. */
const KEPT_MS = 300_000
const MAX_BYTES = 256 * 1024

interface Kept {
  readonly provider: Promise<Provider>
  readonly until: number
}

const keptOf = keptBy((_ctx: Context): { known?: Kept } => ({}))

/**
 * The way to the provider: its host is named by whoever runs this server, and may be a private one.
 */
const wayOf = keptBy(({ config }: Context) => {
  const { network, openid } = config
  const allowed = [...network.allow_hosts, hostOf(new URL(openid.issuer))]
  return { outside: new Outside({ ...config, network: { ...network, allow_hosts: allowed } }) }
})

export function usesOpenId({ config }: Pick<Context, 'config'>): boolean {
  return config.openid.issuer !== ''
}

/** Where the provider sends people back to. */
export function callbackAddress({ config }: Context): string {
  return `${baseUrl(config)}/user/openid/callback`
}

export async function loadProvider(ctx: Context): Promise<Provider> {
  const kept = keptOf(ctx)
  const now = performance.now()
  if (kept.known === undefined || kept.known.until < now) {
    const provider = discover(ctx)
    kept.known = { provider, until: now + KEPT_MS }
    provider.catch(() => delete kept.known)
  }
  return kept.known.provider
}

async function discover(ctx: Context): Promise<Provider> {
  const { issuer } = ctx.config.openid
  const found = await fetchFields(ctx, `${issuer}/.well-known/openid-configuration`)
  const issuerItself = textOf(found, 'issuer')
  // Settings leave out the slash that some end with.
  if (issuerItself?.replace(/\/+$/, '') !== issuer) {
    throw unusable(ctx, `it calls itself ${String(issuerItself)}, and not ${issuer}`)
  }
  const methods = found['token_endpoint_auth_methods_supported']
  const hasUserInfo = found['userinfo_endpoint'] !== undefined
  return {
    issuer: issuerItself,
    authorizationEndpoint: addressOf(ctx, found, 'authorization_endpoint'),
    tokenEndpoint: addressOf(ctx, found, 'token_endpoint'),
    userInfoEndpoint: hasUserInfo ? addressOf(ctx, found, 'userinfo_endpoint') : undefined,
    keysAddress: addressOf(ctx, found, 'jwks_uri'),
    takesBasic: !Array.isArray(methods) || methods.includes('client_secret_basic'),
  }
}

function addressOf(ctx: Context, fields: Fields, name: string): string {
  const address = textOf(fields, name)
  const isAddress = address !== undefined && /^https?:\/\//i.test(address) && URL.canParse(address)
  if (!isAddress) throw unusable(ctx, `${name} is no address`)
  // A provider that is asked over TLS sends nobody to where others read along.
  const isOpen = /^https:/i.test(ctx.config.openid.issuer) && !/^https:/i.test(address)
  if (isOpen) throw unusable(ctx, `${name} is without TLS`)
  return address
}

export function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name]
  return typeof value === 'string' ? value : undefined
}

/** One request to the provider, which answers with a JSON object. */
export async function fetchFields(
  ctx: Context,
  address: string,
  request: OutsideRequest = {},
): Promise<Fields> {
  const headers = { accept: 'application/json', ...request.headers }
  try {
    const limits = { maxBytes: MAX_BYTES, headers }
    const answer = await fetchOutside(wayOf(ctx), address, { ...request, ...limits })
    const text = answer.body.toString('utf8')
    if (answer.status === 200) return readFields(text)
    throw new Error(`${new URL(address).pathname} answered ${answer.status}: ${text.slice(0, 500)}`)
  } catch (error) {
    throw unusable(ctx, 'it did not answer as it should', error)
  }
}

function readFields(text: string): Fields {
  const fields = JSON.parse(text) as unknown
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
    return fields as Fields
  throw new Error('the answer is no JSON object')
}

/** What exactly is wrong is for the log: whoever signs in can only try again. */
export function unusable(ctx: Context, problem: string, cause?: unknown): AppError {
  const { issuer, label } = ctx.config.openid
  ctx.log.warn({ err: cause, issuer, problem }, 'nobody can be signed in by the OpenID provider')
  return new AppError('unavailable', `${label} does not sign anybody in at the moment.`, { cause })
}
