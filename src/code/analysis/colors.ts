import { readLanguages } from './linguist/languages.ts'

/** Of what linguist gives no color. */
const NO_COLOR = '#cccccc'

let colors: ReadonlyMap<string, string> | undefined

/** The color that linguist gives a language, read at the first need; only the colors are kept. */
export function colorOf(language: string): string {
  colors ??= new Map(
    readLanguages().flatMap(({ name, color }) => (color === undefined ? [] : [[name, color]])),
  )
  return colors.get(language) ?? NO_COLOR
}
