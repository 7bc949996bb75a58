import {
  parseYaml,
  textOf,
  YamlError,
  type YamlBudget,
  type YamlValue,
} from '../../platform/parsing/yaml.ts'
import { TemplateError, unreadable } from './error.ts'

export interface ContactLink {
  readonly name: string
  readonly url: string
  readonly about: string
}

export interface IssueConfig {
  readonly blankIssues: boolean
  readonly contactLinks: readonly ContactLink[]
}

export const defaultConfig: IssueConfig = { blankIssues: true, contactLinks: [] }

/** What a file says, or what is wrong with it: then nothing of it counts. */
export interface ReadConfig {
  readonly config: IssueConfig
  readonly problem: string
}

export async function readConfig(text: string, budget?: YamlBudget): Promise<ReadConfig> {
  try {
    return { config: toConfig(await parseYaml(text, budget)), problem: '' }
  } catch (error) {
    if (!(error instanceof YamlError) && !(error instanceof TemplateError)) throw error
    return { config: defaultConfig, problem: error.message }
  }
}

function toConfig(value: YamlValue): IssueConfig {
  if (value.kind === 'null') return defaultConfig
  if (value.kind !== 'map') throw unreadable('a dictionary is expected')
  const contactLinks = readLinks(value.entries.get('contact_links'))
  const config = { blankIssues: readFlag(value.entries.get('blank_issues_enabled')), contactLinks }
  for (const [index, link] of contactLinks.entries()) validateLink(link, index + 1)
  return config
}

/** The words of older YAML too, as long as they are not in quotes. */
function readFlag(value: YamlValue | undefined): boolean {
  if (value === undefined || value.kind === 'null') return defaultConfig.blankIssues
  if (value.kind === 'scalar' && value.isPlain) {
    if (/^(?:y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON)$/.test(value.text)) return true
    if (/^(?:n|N|no|No|NO|false|False|FALSE|off|Off|OFF)$/.test(value.text)) return false
  }
  throw unreadable("'blank_issues_enabled' should be a bool")
}

function readLinks(value: YamlValue | undefined): readonly ContactLink[] {
  if (value === undefined || value.kind === 'null') return []
  if (value.kind !== 'list') throw unreadable("'contact_links' should be a list")
  return value.items.map(readLink)
}

function readLink(value: YamlValue, index: number): ContactLink {
  if (value.kind === 'null') return { name: '', url: '', about: '' }
  if (value.kind !== 'map') throw unreadable(`contact_links[${index}] should be a dictionary`)
  const text = (key: string) => {
    const found = textOf(value.entries.get(key))
    if (found === undefined)
      throw unreadable(`contact_links[${index}]: '${key}' should be a string`)
    return found
  }
  return { name: text('name'), url: text('url'), about: text('about') }
}

function validateLink(link: ContactLink, position: number): void {
  for (const key of ['name', 'url', 'about'] as const) {
    if (link[key] === '') {
      throw new TemplateError(`contact_link at position ${position} is missing ${key} key`)
    }
  }
  if (!isUsableUrl(link.url)) throw new TemplateError(`${link.url} is not a valid URL`)
}

/** Absolute, or a path from the root. A parser for browsers would mend what is refused here. */
function isUsableUrl(url: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]|%(?![0-9a-f]{2})/i.test(url)) return false
  if (url.startsWith('/')) return true
  const [, rest] = /^[a-z][a-z0-9+.-]*:(.+)$/is.exec(url) ?? []
  if (rest === undefined) return false
  const [, authority] = /^\/\/([^/?]*)/.exec(rest) ?? []
  return authority === undefined || isAuthority(authority)
}

function isAuthority(text: string): boolean {
  const host = text.slice(text.lastIndexOf('@') + 1)
  return /^(?:\[[0-9a-f:.%]+\]|[^\s[\]\\^`{|}:]*)(?::\d*)?$/i.test(host)
}
