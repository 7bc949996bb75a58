/** The items of a file that is a list of plain texts, one to a line. */
export function readList(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => /^- (.+)$/.exec(line)?.[1] ?? [])
}
