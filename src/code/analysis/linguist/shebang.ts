import { expression, type Expression } from './expressions.ts'

/** A shell script may only start another interpreter, within so many lines. */
const EXEC_LINES = 5

let execHack: Expression | undefined

/**
 * The program that runs a script, by its first line; a version of Python without its second number.
 */
export function interpreterOf(text: string): string | undefined {
  if (!text.startsWith('#!')) return undefined
  const line = text.slice(2, endOfLine(text))
  const words = line.split(/\s+/).filter((word) => word !== '')
  let name = baseName(words.shift() ?? '')
  if (name === 'env') name = baseName(programOf(words))
  if (name === 'sh') name = startedBy(text) ?? name
  if (name === 'osascript' && line.includes('-l')) return undefined
  return /^python\d\.\d+/.test(name) ? name.slice(0, name.indexOf('.')) : name
}

function endOfLine(text: string): number {
  const end = text.indexOf('\n')
  return end === -1 ? text.length : end
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** What follows the options and variables of `env`. */
function programOf(words: readonly string[]): string {
  const isSetting = (word: string) => /^(?:-[i0uCSv]*|--\S+|\S+=\S+)$/.test(word)
  return words.find((word, index) => index === words.length - 1 || !isSetting(word)) ?? ''
}

function startedBy(text: string): string | undefined {
  execHack ??= expression(String.raw`exec (\w+).+\$0.+\$@`)
  for (const line of text.split('\n', EXEC_LINES)) {
    const program = line.includes('exec ') ? execHack.first(line) : undefined
    if (program !== undefined) return program
  }
  return undefined
}
