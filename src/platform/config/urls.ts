import type { Config } from './config.ts'

/**
 * The public root URL without a trailing slash: every link starts with it, whatever a request's
 * Host says.
 */
export function baseUrl(config: Config): string {
  return config.server.url || `http://${hostForUrl(config.server.host)}:${config.server.port}`
}

/**
 * The path of the public root URL, empty unless the server is published below one: what links
 * within a page begin with.
 */
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

/** A path for an address: each part encoded, the slashes left. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeSegment).join('/')
}

/**
 * As one segment of a path, byte by byte; clients compare these addresses, so what stays is what
 * they know.
 */
export function encodeSegment(text: string): string {
  return encodeURIComponent(text)
    .replace(/%(?:24|26|2B|3D|3A|40)/g, decodeURIComponent)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
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
