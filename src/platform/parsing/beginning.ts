/** No more of a text than fits; half of a character at its end is none. */
export function beginningOf(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).toWellFormed()
}

/** The same for people, who see that something is missing. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${beginningOf(text, length)}…`
}
