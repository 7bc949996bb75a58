import { readFileSync } from 'node:fs'

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string }

/** Ours. */
export const programVersion = version

/** What clients compare: the contract we speak, then our own version. */
export const apiVersion = `1.26.0+codestead-${version}`
