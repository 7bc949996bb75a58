import { isPathAllowed } from '../content/path.ts'
import { invalid } from '../../platform/errors.ts'
import type { Variables } from './variables.ts'

const reference = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g

const MAX_OUTPUT = 16 * 1024 * 1024

/** Known names are replaced, once: what is put in is not looked at again, and unknown ones stay. */
export function expandText(text: string, variables: Variables): string {
  let room = MAX_OUTPUT - Buffer.byteLength(text)
  return text.replace(reference, (whole, braced?: string, bare?: string) => {
    const value = variables.get(braced ?? bare ?? '')
    if (value === undefined) return whole
    room -= Buffer.byteLength(value) - whole.length
    if (room < 0) throw tooLarge()
    return value
  })
}

/** `undefined` when nothing in it is replaced. It has to be UTF-8. */
export function expandContent(content: Buffer, variables: Variables): Buffer | undefined {
  if (!content.includes('$')) return undefined
  const text = content.toString('utf8')
  const expanded = expandText(text, variables)
  return expanded === text ? undefined : Buffer.from(expanded)
}

/** A path that cannot leave the tree or pass for git's own, whatever the values are. */
export function expandPath(path: string, variables: Variables): string {
  const expanded = expandText(path, variables)
  if (expanded === path) return path
  const cleaned = expanded.split('/').map(cleanPart).join('/')
  if (!isPathAllowed(cleaned)) throw invalid('template expansion produced an invalid path')
  return cleaned
}

function cleanPart(part: string): string {
  return (
    part
      // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
      .replace(/[<>:"\\|?*\u0000-\u001f\u007f]/g, '_')
      .trim()
      .replace(/^(?:con|prn|aux|nul|com\d|lpt\d)$/i, '_')
      .replace(/^\.\./, '__')
      .replace(/^\.(git)$/i, '_$1')
  )
}

export function tooLarge(): Error {
  return invalid('template expansion is too large')
}
