import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'smol-toml'
import type { Setting } from './setting.ts'
import { settings } from './settings.ts'
import { baseUrl } from './urls.ts'

type Settings = typeof settings
type ValueOf<S> = S extends Setting<infer T> ? T : never

/** The whole configuration, frozen: every section and key of `settings`, and where the data is. */
export type Config = {
  readonly [Section in keyof Settings]: {
    readonly [Key in keyof Settings[Section]]: ValueOf<Settings[Section][Key]>
  }
} & {
  /** Absolute path of the data folder. */
  readonly data: string
  /** Where each setting comes from that has not its default, by its name. */
  readonly sources: ReadonlyMap<string, string>
}

export type Environment = Readonly<Record<string, string | undefined>>

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** Reads `file` (or codestead.toml in the data folder) and the environment; what is unknown or bad is refused. */
export function loadConfig(environment: Environment, file?: string): Config {
  const { data, lookup } = openSources(environment, file)
  return freeze(data, lookup)
}

export interface ShownSetting {
  readonly name: string
  readonly value: string
  readonly source: string
}

/** Every setting as it is in force, and where that comes from. Secrets are masked. */
export function describeConfig(config: Config): readonly ShownSetting[] {
  const values = config as unknown as Record<string, Record<string, unknown>>
  const sourceOf = (name: string) => config.sources.get(name) ?? 'default'
  const shown = eachSetting().map(({ section, key, setting }) => {
    const value = values[section]?.[key]
    const name = `${section}.${key}`
    return {
      name,
      value: setting.show ? setting.show(value) : showValue(value),
      source: sourceOf(name),
    }
  })
  return [{ name: 'data', value: config.data, source: sourceOf('data') }, ...shown]
}

function showValue(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value)
}

function openSources(
  environment: Environment,
  file: string | undefined,
): { data: DataFolder; lookup: Lookup } {
  const given = environment['CODESTEAD_DATA']
  const data = resolve(given ?? './data')
  const path = file ?? join(data, 'codestead.toml')
  if (file !== undefined && !existsSync(file)) throw new ConfigError(`${file} does not exist`)
  const fromFile = existsSync(path) ? parseFile(path) : {}
  refuseUnknownKeys(fromFile, path)
  refuseUnknownVariables(environment)
  const lookup: Lookup = (section, key) => {
    const variable = variableOf(section, key)
    if (environment[variable] !== undefined)
      return { value: environment[variable], source: variable }
    return { value: fromFile[section]?.[key], source: `${section}.${key} in ${path}` }
  }
  return {
    data: { path: data, source: given === undefined ? undefined : 'CODESTEAD_DATA' },
    lookup,
  }
}

/** The defaults with `changes` applied: for tests and tools. */
export function configWith(data: string, changes: ConfigChanges = {}): Config {
  return freeze({ path: data, source: undefined }, (section, key) => ({
    value: (changes as Tables)[section]?.[key],
    source: `${section}.${key}`,
  }))
}

export type ConfigChanges = {
  readonly [Section in keyof Settings]?: { readonly [Key in keyof Settings[Section]]?: unknown }
}

export function variableOf(section: string, key: string): string {
  return `CODESTEAD_${section}_${key}`.toUpperCase()
}

/** Every setting with its place, in the order of the schema. */
export function eachSetting(): { section: string; key: string; setting: Setting<unknown> }[] {
  return Object.entries(settings).flatMap(([section, keys]) =>
    Object.entries(keys).map(([key, setting]) => ({ section, key, setting })),
  )
}

type Tables = Record<string, Record<string, unknown> | undefined>
type Lookup = (section: string, key: string) => { value: unknown; source: string }

interface DataFolder {
  readonly path: string
  readonly source: string | undefined
}

function freeze(data: DataFolder, lookup: Lookup): Config {
  const config: Record<string, Record<string, unknown>> = {}
  const sources = new Map<string, string>()
  if (data.source !== undefined) sources.set('data', data.source)
  for (const { section, key, setting } of eachSetting()) {
    const { value, source } = lookup(section, key)
    const read = value === undefined ? setting.fallback : setting.read(value)
    if (read === undefined) {
      const got = setting.secret ? 'something else' : JSON.stringify(value)
      throw new ConfigError(`${source}: expected ${setting.expected}, got ${got}`)
    }
    if (value !== undefined) sources.set(`${section}.${key}`, source)
    ;(config[section] ??= {})[key] = read
  }
  for (const section of Object.values(config)) Object.freeze(section)
  const frozen = Object.freeze({ ...config, data: data.path, sources }) as unknown as Config
  refuseProxyLoginOfAnybody(frozen)
  refuseConfirmationWithoutMail(frozen)
  refuseUnfitOpenIdProvider(frozen)
  refuseUnfitFilesHost(frozen)
  refuseUnfitBucket(frozen)
  return frozen
}

/** Without a proxy that is trusted nobody is signed in, and a header without a name would be anybody's. */
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

/** On the same host cookies would reach it, whatever the port; a page of https shows nothing that comes by http. */
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

/** Cookies go to every port of a host, and passwords, with some clients, to all hosts below the one they are for. */
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

function parseFile(path: string): Tables {
  try {
    return parse(readFileSync(path, 'utf8')) as Tables
  } catch (error) {
    throw new ConfigError(`${path}: ${(error as Error).message}`, { cause: error })
  }
}

function refuseUnknownKeys(tables: Tables, path: string): void {
  const known: Record<string, Record<string, unknown>> = settings
  for (const [section, keys] of Object.entries(tables)) {
    if (known[section] === undefined)
      throw new ConfigError(`${path}: there is no section ${section}`)
    for (const key of Object.keys(keys ?? {})) {
      if (known[section][key] === undefined) {
        throw new ConfigError(`${path}: there is no setting ${section}.${key}`)
      }
    }
  }
}

function refuseUnknownVariables(environment: Environment): void {
  const known = new Set(eachSetting().map(({ section, key }) => variableOf(section, key)))
  known.add('CODESTEAD_DATA')
  for (const name of Object.keys(environment)) {
    if (name.startsWith('CODESTEAD_') && !known.has(name)) {
      throw new ConfigError(`${name}: there is no such setting`)
    }
  }
}
