import type { Config } from './config.ts'

/** The public root URL without a trailing slash: every link starts with it, whatever a request's Host says. */
export function baseUrl(config: Config): string {
  return config.server.url || `http://${hostForUrl(config.server.host)}:${config.server.port}`
}

/** The path of the public root URL, empty unless the server is published below one: what links within a page begin with. */
export function basePath(config: Config): string {
  return parsedBase(config).pathname.replace(/\/$/, '')
}

export function apiUrl(config: Config): string {
  return `${baseUrl(config)}/api/v1`
}

export function noReplyDomain(config: Config): string {
  return config.users.no_reply_domain || `noreply.${baseHostname(config)}`
}

export function baseHostname(config: Config): string {
  return parsedBase(config).hostname
}

const parsed = new WeakMap<Config, URL>()

function parsedBase(config: Config): URL {
  const known = parsed.get(config) ?? new URL(baseUrl(config))
  parsed.set(config, known)
  return known
}

function hostForUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
