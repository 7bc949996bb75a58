import { isIPv6 } from 'node:net'
import { list, text, type Setting } from './setting.ts'

const HOST = /^(?=.{1,253}$)[a-z\d_]([\w-]{0,62})(\.[a-z\d_][\w-]{0,62})*\.?$/i

/** An address of a machine, or its name. */
export function host(fallback: string, about: string): Setting<string> {
  return {
    ...text(fallback, about),
    expected: 'an IP address or the name of a host',
    read: (value) => (isHost(value) || (value === '' && fallback === '') ? value : undefined),
  }
}

function isHost(value: unknown): value is string {
  return typeof value === 'string' && (isIPv6(value) || isIPv4(value) || HOST.test(value))
}

/** A text of this form; empty where the default is. */
export function textLike(
  pattern: RegExp,
  fallback: string,
  expected: string,
  about: string,
): Setting<string> {
  const isFit = (value: unknown) => value === fallback || pattern.test(String(value))
  return {
    ...text(fallback, about),
    expected,
    read: (value) => (typeof value === 'string' && isFit(value) ? value : undefined),
  }
}

/** A list whose entries are all fit; the first that is not is named. */
export function listOfFit(
  isFit: (entry: string) => boolean,
  fallback: readonly string[],
  expected: string,
  about: string,
): Setting<readonly string[]> {
  const plain = list(fallback, about)
  return {
    ...plain,
    expected: `a list of ${expected} (in the environment: separated by commas)`,
    read: (value) => {
      const entries = plain.read(value)
      return entries?.every(isFit) ? entries : undefined
    },
  }
}

export function listOfSome(
  known: readonly string[],
  fallback: readonly string[],
  about: string,
): Setting<readonly string[]> {
  return listOfFit((entry) => known.includes(entry), fallback, known.join(', '), about)
}

/** Names of networks that Fastify knows, too. */
const networks = ['loopback', 'linklocal', 'uniquelocal']

/** An address, a range such as 10.0.0.0/8, or the name of a network. */
export function isProxy(entry: string): boolean {
  if (networks.includes(entry)) return true
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const isPlain = isIPv4(address) || (isIPv6(address) && !address.includes('%'))
  return isPlain && Number(bits ?? 0) <= (isIPv4(address) ? 32 : 128)
}

/** A URL writes other forms of an address anew. */
function isIPv4(given: string): boolean {
  return /^\d/.test(given) && URL.parse(`http://${given}`)?.hostname === given
}

export function isPort(entry: string): boolean {
  return /^\d{1,5}$/.test(entry) && Number(entry) >= 1 && Number(entry) <= 65_535
}

/** As RFC 9110 has the names of methods and headers. */
export function isToken(entry: string): boolean {
  return /^[!#$%&'*+.^`|~\w-]+$/.test(entry)
}

export function isOrigin(entry: string): boolean {
  if (entry === '*') return true
  const url = URL.parse(entry)
  return url !== null && url.origin === entry
}
