import { ConfigError } from './config-error.ts'
import { refuseUnfit } from './refusals.ts'
import type { Setting } from './setting.ts'
import type { settings } from './settings.ts'
import { eachSetting } from './names.ts'
import { openSources, type Environment, type Lookup, type Sources } from './sources.ts'

export { ConfigError } from './config-error.ts'
export type { Environment } from './sources.ts'
export { eachSetting, variableOf } from './names.ts'

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

/**
 * Reads `file` (or codestead.toml in the data folder), the environment and the files that it names;
 * what is unknown or bad is refused.
 */
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

type Tables = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

function freeze(data: Sources['data'], lookup: Lookup): Config {
  const config: Record<string, Record<string, unknown>> = {}
  const sources = new Map<string, string>()
  const problems: string[] = []
  if (data.source !== undefined) sources.set('data', data.source)
  for (const { section, key, setting } of eachSetting()) {
    const { value, source } = lookup(section, key)
    const read = value === undefined ? setting.fallback : setting.read(value)
    if (read === undefined) problems.push(refusalOf(setting, source, value))
    if (value !== undefined) sources.set(`${section}.${key}`, source)
    ;(config[section] ??= {})[key] = read
  }
  if (problems.length > 0) throw new ConfigError(problems)
  for (const section of Object.values(config)) Object.freeze(section)
  const frozen = Object.freeze({ ...config, data: data.path, sources }) as unknown as Config
  refuseUnfit(frozen)
  return frozen
}

function refusalOf(setting: Setting<unknown>, source: string, value: unknown): string {
  const got = setting.secret ? 'something else' : JSON.stringify(value)
  return `${source}: expected ${setting.expected}, got ${got}`
}
