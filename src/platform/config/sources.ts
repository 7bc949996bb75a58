import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'smol-toml'
import { ConfigError } from './config-error.ts'
import { credentialOf, eachSetting, fileVariableOf, variableOf } from './names.ts'
import { settings } from './settings.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** What a setting is given, and by what. */
export type Lookup = (section: string, key: string) => { value: unknown; source: string }

export interface Sources {
  readonly data: { readonly path: string; readonly source: string | undefined }
  readonly lookup: Lookup
}

type Tables = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>

/**
 * The environment, with the files that it names, wins over the credentials of systemd, and these
 * over codestead.toml.
 */
export function openSources(environment: Environment, file: string | undefined): Sources {
  const given = environment['CODESTEAD_DATA']
  const data = resolve(given ?? './data')
  const path = file ?? join(data, 'codestead.toml')
  if (file !== undefined && !existsSync(file)) throw new ConfigError(`${file} does not exist`)
  const tables = existsSync(path) ? parseFile(path) : {}
  const credentials = environment['CREDENTIALS_DIRECTORY'] ?? ''
  const unknown = [
    ...unknownKeys(tables, path),
    ...unknownVariables(environment),
    ...unknownCredentials(credentials),
  ]
  if (unknown.length > 0) throw new ConfigError(unknown)
  const lookup: Lookup = (section, key) =>
    fromEnvironment(environment, section, key) ??
    fromCredentials(credentials, section, key) ?? {
      value: tables[section]?.[key],
      source: `${section}.${key} in ${path}`,
    }
  return {
    data: { path: data, source: given === undefined ? undefined : 'CODESTEAD_DATA' },
    lookup,
  }
}

function fromEnvironment(environment: Environment, section: string, key: string) {
  const variable = variableOf(section, key)
  const value = environment[variable]
  const fileVariable = fileVariableOf(section, key)
  const path = environment[fileVariable] ?? ''
  if (path === '') return value === undefined ? undefined : { value, source: variable }
  if (value !== undefined) throw new ConfigError(`${fileVariable}: ${variable} is set, too`)
  return { value: readValue(path, fileVariable), source: fileVariable }
}

function fromCredentials(folder: string, section: string, key: string) {
  if (folder === '') return undefined
  const name = credentialOf(section, key)
  const path = join(folder, name)
  if (!existsSync(path)) return undefined
  return { value: readValue(path, `the credential ${name}`), source: `the credential ${name}` }
}

/** Editors end the last line of a file, which is no part of the value. */
function readValue(path: string, source: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const { message } = error as Error
    throw new ConfigError(`${source}: the file cannot be read: ${message}`, { cause: error })
  }
}

function parseFile(path: string): Tables {
  try {
    return parse(readFileSync(path, 'utf8')) as Tables
  } catch (error) {
    throw new ConfigError(`${path}: ${(error as Error).message}`, { cause: error })
  }
}

function unknownKeys(tables: Tables, path: string): readonly string[] {
  const known: Record<string, Record<string, unknown>> = settings
  return Object.entries(tables).flatMap(([section, keys]) => {
    const ofSection = known[section]
    if (ofSection === undefined) return [`${path}: there is no section ${section}`]
    if (typeof keys !== 'object' || Array.isArray(keys)) {
      return [`${path}: expected a section [${section}], got a value of that name`]
    }
    return Object.keys(keys)
      .filter((key) => ofSection[key] === undefined)
      .map((key) => `${path}: there is no setting ${section}.${key}`)
  })
}

function unknownVariables(environment: Environment): readonly string[] {
  const known = new Set(
    eachSetting().flatMap(({ section, key }) => [
      variableOf(section, key),
      fileVariableOf(section, key),
    ]),
  )
  known.add('CODESTEAD_DATA')
  return Object.keys(environment)
    .filter((name) => name.startsWith('CODESTEAD_') && !known.has(name))
    .map((name) => `${name}: there is no such setting`)
}

function unknownCredentials(folder: string): readonly string[] {
  if (folder === '' || !existsSync(folder)) return []
  const known = new Set(eachSetting().map(({ section, key }) => credentialOf(section, key)))
  return readdirSync(folder)
    .filter((name) => name.startsWith('codestead.') && !known.has(name))
    .map((name) => `the credential ${name}: there is no such setting`)
}
