import { ConfigError } from './config-error.ts'
import type { Config } from './config.ts'
import { baseUrl } from './urls.ts'

/** Refuses settings that do not go together. */
export function refuseUnfit(config: Config): void {
  const problems = [
    refuseProxyLoginOfAnybody,
    refuseConfirmationWithoutMail,
    refuseUnfitOpenIdProvider,
    refuseUnfitFilesHost,
    refuseStorageWithoutBucket,
    refuseUnfitBucket,
    refuseOnePortForTwo,
  ].flatMap((refuse) => problemsOf(() => refuse(config)))
  if (problems.length > 0) throw new ConfigError(problems)
}

function problemsOf(refuse: () => void): readonly string[] {
  try {
    refuse()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

/** What an operator finds a setting by. */
function sourceOf({ sources }: Config, name: string): string {
  return sources.get(name) ?? name
}

function refuseStorageWithoutBucket(config: Config): void {
  const { kind, bucket, access_key: key, secret_key: secret } = config.storage
  if (kind !== 's3') return
  const missing = [
    ...(bucket === '' ? ['storage.bucket'] : []),
    ...(key === '' ? ['storage.access_key'] : []),
    ...(secret === '' ? ['storage.secret_key'] : []),
  ]
  if (missing.length === 0) return
  throw new ConfigError(missing.map((name) => `${name} has to be set where storage.kind is s3`))
}

function refuseOnePortForTwo(config: Config): void {
  const { server, ssh } = config
  const port = ssh.listen_port || ssh.port
  const host = ssh.listen_host || server.host
  if (!ssh.enabled || port !== server.port || host !== server.host) return
  const name = ssh.listen_port === 0 ? 'ssh.port' : 'ssh.listen_port'
  throw new ConfigError(`${sourceOf(config, name)}: ${port} is server.port`)
}

/**
 * Without a proxy that is trusted nobody is signed in, and a header without a name would be
 * anybody's.
 */
function refuseProxyLoginOfAnybody({ server, proxy_login: login }: Config): void {
  if (!login.web && !login.api) return
  if (server.trusted_proxies.length === 0) {
    throw new ConfigError('proxy_login: server.trusted_proxies names nobody who may sign people in')
  }
  for (const key of ['user_header', 'email_header', 'full_name_header'] as const) {
    if (!/^[\w-]+$/.test(login[key])) {
      throw new ConfigError(`proxy_login.${key}: expected the name of a header`)
    }
  }
}

function refuseConfirmationWithoutMail({ security, mail, sources }: Config): void {
  if (!security.email_confirmation || mail.url !== '') return
  const source = sources.get('security.email_confirmation') ?? 'security.email_confirmation'
  throw new ConfigError(`${source}: addresses are confirmed by mail, so mail.url has to be set`)
}

/** Over http anybody on the way could say who somebody is. */
function refuseUnfitOpenIdProvider({ openid, sources }: Config): void {
  if (openid.issuer === '') return
  const source = sources.get('openid.issuer') ?? 'openid.issuer'
  if (openid.client_id === '') throw new ConfigError(`${source}: openid.client_id has to be set`)
  const { protocol, hostname } = new URL(openid.issuer)
  const isHere = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
  if (protocol !== 'https:' && !isHere)
    throw new ConfigError(`${source}: expected an https address`)
}

/**
 * On the same host cookies would reach it, whatever the port; a page of https shows nothing that
 * comes by http.
 */
function refuseUnfitFilesHost(config: Config): void {
  const { files_url: given } = config.server
  if (given === '') return
  const refuse = (expected: string) => {
    const source = config.sources.get('server.files_url') ?? 'server.files_url'
    throw new ConfigError(`${source}: expected ${expected}, got ${JSON.stringify(given)}`)
  }
  const files = new URL(given)
  const base = new URL(baseUrl(config))
  if (files.origin !== given) refuse('the root of a host')
  if (files.hostname === base.hostname) refuse('another host than that of server.url')
  if (files.protocol === 'http:' && base.protocol === 'https:') refuse('https, as server.url has')
}

/**
 * Cookies go to every port of a host, and passwords, with some clients, to all hosts below the one
 * they are for.
 */
function refuseUnfitBucket(config: Config): void {
  const { kind, redirect, public_endpoint: outside, endpoint, bucket, path_style } = config.storage
  if (!redirect) return
  const refuse = (reason: string) => {
    const source = config.sources.get('storage.redirect') ?? 'storage.redirect'
    throw new ConfigError(`${source}: ${reason}`)
  }
  if (kind !== 's3') refuse('only a bucket can be led to, so storage.kind has to be s3')
  const service = URL.parse(outside === '' ? endpoint : outside)
  // Amazon's own is not ours, and has https.
  if (!service) return
  const base = new URL(baseUrl(config))
  const host = path_style ? service.hostname : `${bucket}.${service.hostname}`
  if (host === base.hostname || host.endsWith(`.${base.hostname}`)) {
    refuse(
      `the bucket has to be on another host than server.url, and on none below it, not ${host}`,
    )
  }
  if (service.protocol === 'http:' && base.protocol === 'https:') {
    refuse('clients have to reach the bucket by https, as server.url has')
  }
}
