import type { Config } from '../platform/config/config.ts'
import { basePath, baseUrl } from '../platform/config/urls.ts'

/** Backslashes and control characters, which browsers read as something else. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const ODD = /[\\\u0000-\u001f\u007f-\u009f]/

/** Where to go on this server: the start, unless `wanted` is a path of ours however it is read. */
export function localPath(config: Config, wanted: string | null | undefined): string {
  const start = `${basePath(config)}/`
  if (!wanted?.startsWith('/') || wanted.length > 4_000) return start
  if (ODD.test(wanted) || ODD.test(decoded(wanted))) return start
  const base = new URL(baseUrl(config))
  const url = URL.canParse(wanted, base.href) ? new URL(wanted, base) : undefined
  const isOurs = url?.origin === base.origin && url.pathname.startsWith(start)
  return isOurs && !url.pathname.startsWith('//') ? url.pathname + url.search : start
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return '\\'
  }
}
