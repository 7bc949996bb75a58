import { baseHostname, baseUrl } from '../../platform/config/urls.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Format } from './document.ts'

/**
 * A name at whose end a program says how it wants the news of what is called so: no account or
 * repository has such a name.
 */
export function splitFormat(name: string): { readonly name: string; readonly format?: Format } {
  for (const format of ['atom', 'rss'] as const) {
    if (name.endsWith(`.${format}`)) return { name: name.slice(0, -format.length - 1), format }
  }
  return { name }
}

/** A path as pages write it, as an address for those who are elsewhere. */
export function wholeAddress(config: Config, path: string): string {
  return originOf(config) + path
}

/** The same for all links and pictures in markup, which has their paths in double quotes. */
export function withWholeAddresses(config: Config, markup: string): string {
  return markup.replaceAll(/ (href|src)="(?=\/(?!\/))/g, ` $1="${originOf(config)}`)
}

function originOf(config: Config): string {
  return new URL(baseUrl(config)).origin
}

/**
 * What it is called wherever it moves to: by the server, and the number or id that it has there.
 */
export function permanentId(config: Config, kind: string, id: number | string): string {
  return `tag:${baseHostname(config)},2026:${kind}/${id}`
}
