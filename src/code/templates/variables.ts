import type { Config } from '../../platform/config/config.ts'
import { basePath, baseUrl } from '../../platform/config/urls.ts'
import { sshUrl } from '../../repositories/repository/present.ts'
import { transforms } from './transform.ts'

/** Name to value, with the transformed ones. */
export type Variables = ReadonlyMap<string, string>

export interface Described {
  readonly owner: string
  readonly name: string
  readonly description: string
}

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** What every template can use. */
export function builtInVariables(
  config: Config,
  now: number,
  repo: Described,
  template: Described,
): Variables {
  const date = new Date(now * 1000)
  const digits = (number: number) => String(number).padStart(2, '0')
  return new Map([
    ['YEAR', String(date.getUTCFullYear())],
    ['MONTH', digits(date.getUTCMonth() + 1)],
    ['DAY', digits(date.getUTCDate())],
    ...transformed('MONTH_ENGLISH', months[date.getUTCMonth()] ?? ''),
    ...describe(config, 'REPO', repo),
    ...describe(config, 'TEMPLATE', template),
  ])
}

const plain = ['YEAR', 'MONTH', 'DAY']
const ofRepository = ['NAME', 'OWNER', 'DESCRIPTION', 'LINK', 'HTTPS_URL', 'SSH_URL']

/** Whether a name, or what it begins with, has a meaning in every template. */
export function isBuiltIn(name: string): boolean {
  const [, of, rest = ''] = /^(REPO|TEMPLATE)_(\w+)$/.exec(name) ?? []
  if (of === undefined) return plain.includes(name) || name.startsWith('MONTH_ENGLISH')
  return ofRepository.some((each) => rest === each || rest.startsWith(`${each}_`))
}

function describe(config: Config, prefix: string, { owner, name, description }: Described) {
  const path = `${owner}/${name}`
  return [
    ...transformed(`${prefix}_NAME`, name),
    ...transformed(`${prefix}_OWNER`, owner),
    [`${prefix}_DESCRIPTION`, description],
    [`${prefix}_LINK`, `${basePath(config)}/${path}`],
    [`${prefix}_HTTPS_URL`, `${baseUrl(config)}/${path}.git`],
    [`${prefix}_SSH_URL`, sshUrl(config, path)],
  ] as [string, string][]
}

/** A value under its name, and under that name with each suffix. */
export function transformed(name: string, value: string): [string, string][] {
  const forms = [...transforms].map(([suffix, transform]): [string, string] => [
    `${name}_${suffix}`,
    transform(value),
  ])
  return [[name, value], ...forms]
}
